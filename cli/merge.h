#pragma once

#include <string>
#include <vector>

#include "cli/options/command.h"

namespace cubicbench::cli {

/// What `merge` is asked for.
struct MergeRequest {
  std::vector<std::string> inputs;  ///< at least one
  std::string out;
  GlobalOptions global;
};

/// Shards of an enumeration, files, become the enumeration, a file. Throws InputError and
/// OutputError.
Reply merge_enumerations(const MergeRequest& request);

/// Shards of a search, folders, become the search, a folder. Throws InputError and OutputError.
Reply merge_searches(const MergeRequest& request);

}  // namespace cubicbench::cli
