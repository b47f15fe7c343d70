#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/search_options.h"
#include "cli/watched_search.h"
#include "results/document/terminal.h"
#include "results/searches/search_document.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

Reply answer(const CLI::App& app, results::Ink) {
  const SearchRequest request = search_request(app);
  const search::SearchResult result = run_watched(request.plan, request.run, request.global.quiet,
                                                  "the same command with --resume");
  const results::SearchJudgement judgement = results::judge_search(request.run.out);
  return request.global.json ? support::document_text(results::search_json(result, judgement))
                             : results::terminal_text(
                                   results::search_document(judgement, request.run.out.string()));
}

}  // namespace

Command search_command() {
  return {.name = "search",
          .summary = "Searchers on scenarios: a journal a study, in one folder",
          .declare = declare_search_options,
          .answer = answer};
}

}  // namespace cubicbench::cli
