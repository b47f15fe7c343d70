#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cli/merge.h"
#include "cli/terminal/note.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "datasets/exhaustive/shard.h"
#include "results/document/terminal.h"
#include "results/enumeration/enumeration_document.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/interruption.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"

namespace cubicbench::cli {
namespace {

datasets::EnumerationShard read_shard(const std::string& path) {
  return datasets::enumeration_shard_of(support::parse_json(support::read_file(path), path), path);
}

}  // namespace

Reply merge_enumerations(const MergeRequest& request) {
  const support::InterruptionWatch watch;
  const auto look = [&] { end_if_requested(watch, "nothing was written"); };
  Problems problems;
  std::vector<datasets::EnumerationShard> shards;
  for (const std::string& path : request.inputs) {
    look();
    gathered(problems, [&] { shards.push_back(read_shard(path)); });
  }
  support::throw_if_any(problems);
  const datasets::Enumeration all =
      datasets::merged(std::move(shards), request.inputs, request.global.threads, look);
  const std::string document = support::document_text(datasets::enumeration_json(all));
  look();  // later ones find the work done, and nothing of it is left out
  support::write_file_atomic(request.out, document);
  if (request.global.json) return document;
  return results::terminal_text(results::enumeration_document(all, std::nullopt, false));
}

}  // namespace cubicbench::cli
