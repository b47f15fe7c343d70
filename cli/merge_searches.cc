#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/merge.h"
#include "results/document/terminal.h"
#include "results/searches/search_document.h"
#include "search/folder/merge.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {

Reply merge_searches(const MergeRequest& request) {
  const std::vector<std::filesystem::path> shards(request.inputs.begin(), request.inputs.end());
  const search::MergedSearch merged = search::merge_searches(shards, request.out);
  const results::SearchJudgement judgement = results::judge_search(request.out);
  return request.global.json
             ? support::document_text(results::search_json(merged.result, judgement))
             : results::terminal_text(results::search_document(judgement, request.out));
}

}  // namespace cubicbench::cli
