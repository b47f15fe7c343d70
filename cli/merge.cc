#include "cli/merge.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "scenarios/input_error.h"

namespace cubicbench::cli {
namespace {

using scenarios::InputError;

void declare(CLI::App& app) {
  declare_positionals(app, "INPUT", "Shards of one enumeration: files that enumerate --shard wrote")
      ->required();
  declare_value(app, "--out", "FILE", "Where the whole is written");
}

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

MergeRequest merge_request(const CLI::App& app) {
  const GlobalOptions global = global_options(app);
  const std::optional<std::string> out = value_of(app, "--out");
  if (!out || out->empty()) throw InputError("--out", "expected a path, got nothing");
  return {.inputs = values_of(app, "INPUT"), .out = *out, .global = global};
}

Reply answer(const CLI::App& app, results::Ink) {
  const MergeRequest request = merge_request(app);
  const auto folder = std::ranges::find_if(request.inputs, is_folder);
  if (folder != request.inputs.end()) throw InputError(*folder, "expected a file, got a folder");
  return merge_enumerations(request);
}

}  // namespace

Command merge_command() {
  return {.name = "merge",
          .summary = "Shards that were made apart become one",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
