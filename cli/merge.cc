#include "cli/merge.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

void declare(CLI::App& app) {
  declare_positionals(app, "INPUT",
                      "All shards of one enumeration (files that\nenumerate --shard wrote) or of "
                      "one search (folders\n"
                      "that search --shard left)");
  declare_value(app, "--out", "OUT", "Where the whole goes: a file, or a new or empty folder");
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

MergeRequest merge_request(const CLI::App& app) {
  const GlobalOptions global = global_options(app);
  const std::vector<std::string> inputs = values_of(app, "INPUT");
  if (inputs.empty()) {
    throw InputError("merge", "expected the shards to merge; see cubicbench merge --help");
  }
  const std::optional<std::string> out = value_of(app, "--out");
  if (!out || out->empty()) throw InputError("--out", "expected a path, got nothing");
  return {.inputs = inputs, .out = *out, .global = global};
}

/// The first shard says what all of them are.
Reply answer(const CLI::App& app, results::Ink) {
  const MergeRequest request = merge_request(app);
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
  return {.name = "merge",
          .summary = "Shards that were made apart become one",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
