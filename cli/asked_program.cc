#include "cli/asked_program.h"

#include <sstream>

#include "cli/run.h"
#include "support/input_error.h"
#include "support/joined.h"

namespace cubicbench::cli {

std::string asked_program(const std::vector<std::string>& words) {
  std::ostringstream out;
  std::ostringstream err;
  std::vector<std::string> quiet = words;
  quiet.emplace_back("--quiet");
  if (run(quiet, out, err) != 0) {
    throw support::InputError("cubicbench " + support::joined(words, " "), err.str());
  }
  return out.str();
}

}  // namespace cubicbench::cli
