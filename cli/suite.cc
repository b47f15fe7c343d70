#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "datasets/exhaustive/enumerate.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"
#include "results/regret/known_spaces.h"
#include "results/searches/search_document.h"
#include "results/suite/suite_document.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;

/// What the command line asks for.
struct SuiteAsked {
  scenarios::Suite suite;
  std::optional<fs::path> searched;
  std::optional<fs::path> without_start;
  std::optional<fs::path> markdown;
  GlobalOptions global;
};

void declare_suite(Options& options, SuiteAsked& asked) {
  options
      .argument("SUITE", "A name from the library, or a path with a '/'", asked.suite,
                scenarios::read_suite)
      .required();
  options.value("--searched", "DIR", "Score the searches of this folder", asked.searched);
  options.value("--without-start", "DIR", "Also score searches that were not granted the baseline",
                asked.without_start);
  options
      .value("--markdown", "FILE.md",
             "Write the cards as Markdown, with their figures in a\nfolder beside it",
             asked.markdown)
      .writes(Output::markdown_page);
}

results::SuiteCard card_of(const scenarios::SuiteProblem& problem, int threads) {
  constexpr std::uint64_t rows = 20'000;
  scenarios::Scenario scenario = datasets::read_scenario(problem.scenario);
  std::optional<datasets::Enumeration> space;
  if (scenario.measured) {
    space = datasets::value_small_space(scenarios::Instance(scenario, 0), {}, problem.trials);
  } else {
    space = results::shipped_reference(scenario.name, scenario.sha256);
  }
  if (!space) {
    throw support::InputError(
        scenario.name,
        "expected its reference in results/reference/, got none of this version; "
        "scripts/make_suite.sh makes it");
  }
  const datasets::ScenarioLandscape seen = datasets::scenario_landscape(scenario, 0, rows, threads);
  return {.scenario = std::move(scenario),
          .trials = problem.trials,
          .space = std::move(*space),
          .landscape = seen.landscape};
}

Reply answer(const SuiteAsked& asked, const results::Screen& screen) {
  std::vector<results::SuiteCard> cards;
  for (const scenarios::SuiteProblem& problem : asked.suite.problems) {
    cards.push_back(card_of(problem, asked.global.threads));
  }
  std::optional<results::SearchJudgement> granted;  // what the scores point to
  std::optional<results::SearchJudgement> bare;
  results::SuiteScores scores;
  if (asked.searched) {
    granted = results::judge_search(*asked.searched);
    scores.from_baseline = results::suite_score(granted->problems);
  }
  if (asked.without_start) {
    bare = results::judge_search(*asked.without_start);
    scores.from_nothing = results::suite_score(bare->problems);
  }
  const results::Document document = results::suite_document(asked.suite, cards, scores);
  if (asked.markdown) {
    const fs::path folder = asked.markdown->parent_path() / asked.markdown->stem();
    support::write_file_atomic(*asked.markdown, results::markdown_page(document, folder));
  }
  return asked.global.json ? support::document_text(results::suite_json(asked.suite, cards, scores))
                           : results::terminal_text(document, screen);
}

}  // namespace

Command suite_command() { return command(words::suite, declare_suite, answer); }

}  // namespace cubicbench::cli
