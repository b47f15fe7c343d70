#include "cli/merge.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

void declare(Options& options, MergeRequest& request) {
  options.arguments("INPUT",
                    "All shards of one enumeration (files that\nenumerate --shard wrote) or of "
                    "one search (folders\n"
                    "that search --shard left)",
                    request.inputs);
  options.value("--out", "OUT", "Where the whole goes: a file, or a new or empty folder",
                request.out);
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

/// The first shard says what all of them are.
Reply answer(const MergeRequest& request, results::Ink) {
  if (request.inputs.empty()) {
    throw InputError("merge", "expected the shards to merge; see cubicbench merge --help");
  }
  if (request.out.empty()) throw InputError("--out", "expected a path, got nothing");
  const bool searches = is_folder(request.inputs.front());
  const auto other = std::ranges::find_if(
      request.inputs, [&](const std::string& input) { return is_folder(input) != searches; });
  if (other != request.inputs.end()) {
    throw InputError(*other, searches ? "expected a folder, as the shards before it, got none"
                                      : "expected a file, as the shards before it, got a folder");
  }
  return searches ? merge_searches(request) : merge_enumerations(request);
}

}  // namespace

Command merge_command() {
  return command("merge", "Shards that were made apart become one", declare, answer);
}

}  // namespace cubicbench::cli
