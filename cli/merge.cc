#include "search/folder/merge.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "datasets/exhaustive/shard.h"
#include "results/document/terminal.h"
#include "results/enumeration/enumeration_document.h"
#include "results/searches/search_document.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/interruption.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using support::InputError;

/// What `merge` is asked for.
struct MergeRequest {
  std::vector<std::string> inputs;  ///< at least one
  std::string out;
  GlobalOptions global;
};

bool is_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

/// The first shard says what all of them are.
bool merges_searches(const MergeRequest& request) {
  return !request.inputs.empty() && is_folder(request.inputs.front());
}

void declare_merge(Options& options, MergeRequest& request) {
  options.arguments("INPUT",
                    "All shards of one enumeration (files that\nenumerate --shard wrote) or of "
                    "one search (folders\n"
                    "that search --shard left)",
                    request.inputs);
  options.value("--out", "OUT", "Result: a file, or a new or empty folder", request.out)
      .writes([&request] {
        if (request.out.empty()) return Output::none;
        return merges_searches(request) ? Output::new_folder : Output::file;
      });
}

datasets::EnumerationShard read_shard(const std::string& path) {
  return datasets::enumeration_shard_of(support::parse_json(support::read_file(path), path), path);
}

/// Shards of an enumeration, files, become the enumeration, a file.
Reply merge_enumerations(const MergeRequest& request, const results::Screen& screen) {
  const support::InterruptionWatch watch({.left = "nothing was written"});
  Problems problems;
  std::vector<datasets::EnumerationShard> shards;
  for (const std::string& path : request.inputs) {
    support::end_if_interrupted();
    gathered(problems, [&] { shards.push_back(read_shard(path)); });
  }
  support::throw_if_any(problems);
  const datasets::Enumeration all = datasets::merged(
      std::move(shards), request.inputs, request.global.threads, support::end_if_interrupted);
  const std::string document = support::document_text(datasets::enumeration_json(all));
  support::end_if_interrupted();  // later ones find the work done, and nothing of it is left out
  support::write_file_atomic(request.out, document);
  if (request.global.json) return document;
  return results::terminal_text(results::enumeration_document(all, std::nullopt, false), screen);
}

/// Shards of a search, folders, become the search, a folder.
Reply merge_searches(const MergeRequest& request, const results::Screen& screen) {
  const std::vector<fs::path> shards(request.inputs.begin(), request.inputs.end());
  search::MergedSearch merged = search::merge_searches(shards, request.out);
  const results::SearchJudgement judgement =
      results::judge_search(request.out, std::move(merged.result.records));
  return request.global.json
             ? support::document_text(results::search_json(merged.result, judgement))
             : results::terminal_text(results::search_document(judgement, request.out), screen);
}

Reply answer(const MergeRequest& request, const results::Screen& screen) {
  if (request.inputs.empty()) {
    throw InputError("merge", "expected the shards to merge; see cubicbench merge --help");
  }
  if (request.out.empty()) throw InputError("--out", "expected a path, got nothing");
  const bool searches = merges_searches(request);
  const auto other = std::ranges::find_if(
      request.inputs, [&](const std::string& input) { return is_folder(input) != searches; });
  if (other != request.inputs.end()) {
    throw InputError(*other, searches ? "expected a folder, as the shards before it, got none"
                                      : "expected a file, as the shards before it, got a folder");
  }
  return searches ? merge_searches(request, screen) : merge_enumerations(request, screen);
}

}  // namespace

Command merge_command() { return command(words::merge, declare_merge, answer); }

}  // namespace cubicbench::cli
