#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/run.h"

namespace cubicbench::cli {

/// What a run of the program left behind.
struct Answer {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs the program in this process; `line` is split at spaces.
inline Answer ask(const std::string& line, results::Ink ink = results::Ink::plain) {
  std::istringstream words(line);
  std::vector<std::string> args;
  for (std::string word; words >> word;) {
    args.push_back(word);
  }
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(args, out, err, {.ink = ink});
  return {code, out.str(), err.str()};
}

}  // namespace cubicbench::cli
