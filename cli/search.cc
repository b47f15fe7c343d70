#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/search_request.h"
#include "cli/terminal/watched.h"
#include "results/document/terminal.h"
#include "results/searches/search_document.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

Reply answer(const SearchRequest& request, const results::Screen& screen) {
  for (const std::string& note : request.notes) say_note(note, request.global.quiet);
  search::SearchRun run = request.run;
  run.threads = request.global.threads;
  search::SearchResult result =
      run_watched(request.plan, run, request.global.quiet, "the same command with --resume");
  const results::SearchJudgement judgement =
      results::judge_search(run.out, std::move(result.records));
  return request.global.json ? support::document_text(results::search_json(result, judgement))
                             : results::terminal_text(
                                   results::search_document(judgement, run.out.string()), screen);
}

}  // namespace

Command search_command() { return command(words::search, declare_search, answer); }

}  // namespace cubicbench::cli
