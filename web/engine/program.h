#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace cubicbench::web {

using Files = std::map<std::string, std::string>;  ///< name to text

/// A command line, and files that are there when it runs and from then on.
struct ProgramCall {
  std::vector<std::string> words;
  Files files{};
};

/// What a command came to.
struct ProgramEnd {
  int code = 0;
  std::string out;
  std::string err;
  Files files{};  ///< that it wrote; they are gone from the folder
};

/// Runs the command in this process. Files are those of the working folder, which belongs to the
/// page. Throws InputError for a name of a file that is more than a name.
ProgramEnd ran(const ProgramCall& call);

nlohmann::ordered_json ran_json(const ProgramEnd& end);

}  // namespace cubicbench::web
