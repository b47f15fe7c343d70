#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "cli/requirements.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"
#include "results/landscape/landscape_document.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

using results::ScenarioLandscape;
using scenarios::Requirement;
using support::InputError;
using Json = nlohmann::ordered_json;
using Problems = std::vector<support::Problem>;

/// With fewer rows the shares and effects say nothing.
constexpr std::int64_t rows_min = 100;
constexpr std::int64_t rows_max = 10'000'000;
constexpr std::int64_t rows_otherwise = 20'000;

/// What the command line asks for.
struct Asked {
  std::vector<results::AskedScenario> scenarios;
  std::uint64_t instance = 0;
  std::uint64_t rows = 0;
  std::vector<Requirement> requirements;
  bool markdown = false;
  GlobalOptions global;
};

void declare(CLI::App& app) {
  declare_positionals(app, "SCENARIO", "Names from the library, or paths with a '/'")->required();
  declare_value(app, "--rows", "N", "Configurations to draw (default: 20000)");
  declare_value(app, "--instance", "K",
                "Which hidden constants: 0 (default) has the nominal\nones, others draw them "
                "within their spread");
  declare_value(app, "--set", "NAME=VALUE",
                "Change the baseline, or a field of the problem such as\ncluster.gpus=8192; may "
                "be given many times");
  declare_value(app, "--require", "EXPR",
                "A condition on every landscape that --json prints, such\nas "
                "'\"importance_max.main\" <= 0.5'; exit with 1 if it is\nfalse. May be repeated");
  declare_flag(app, "--markdown", "Print tables in Markdown");
}

results::AskedScenario read_scenario(const std::string& name,
                                     const std::vector<std::string>& sets) {
  results::AskedScenario asked{
      .asked = name, .sets = sets, .scenario = datasets::read_scenario(name, sets)};
  if (asked.scenario.measured) {
    throw InputError(name,
                     "expected a scenario with a model, got a table of runs: what was never "
                     "measured has no value");
  }
  if (asked.scenario.space.count() == 0) {
    throw InputError(name + "#/space/constraints",
                     "expected a configuration that they allow, got none");
  }
  return asked;
}

bool read_markdown(const CLI::App& app) {
  if (app.count("--markdown") == 0) return false;
  if (app.count("--json") > 0) {
    throw InputError("--markdown", "expected no --json beside it: one of them is printed");
  }
  return true;
}

Asked read_asked(const CLI::App& app) {
  constexpr std::int64_t instance_max = std::numeric_limits<std::int32_t>::max();
  Problems problems;
  Asked asked;
  asked.global = gathered(problems, [&] { return global_options(app); });
  const std::vector<std::string> sets = values_of(app, "--set");
  for (const std::string& name : values_of(app, "SCENARIO")) {
    asked.scenarios.push_back(gathered(problems, [&] { return read_scenario(name, sets); }));
  }
  asked.rows = static_cast<std::uint64_t>(gathered(problems, [&] {
                                            return integer_of(app, "--rows", rows_min, rows_max);
                                          }).value_or(rows_otherwise));
  asked.instance =
      static_cast<std::uint64_t>(gathered(problems, [&] {
                                   return integer_of(app, "--instance", 0, instance_max);
                                 }).value_or(0));
  asked.requirements = read_requirements(app, problems);
  asked.markdown = gathered(problems, [&] { return read_markdown(app); });
  support::throw_if_any(problems);
  return asked;
}

Reply answer(const CLI::App& app, results::Ink) {
  const Asked asked = read_asked(app);
  const int threads = static_cast<int>(asked.global.threads);
  std::vector<ScenarioLandscape> landscapes;
  Json list = Json::array();
  std::vector<std::string> noes;
  for (const results::AskedScenario& scenario : asked.scenarios) {
    landscapes.push_back(scenario_landscape(scenario, asked.instance, asked.rows, threads));
    list.push_back(results::landscape_json(landscapes.back()));
    const std::string of = asked.scenarios.size() == 1 ? "" : " of " + scenario.scenario.name;
    for (std::string& no : noes_of(asked.requirements, list.back(), of)) {
      noes.push_back(std::move(no));
    }
  }
  Json document = support::new_document("landscape");
  document["landscapes"] = list;
  Reply reply = asked.global.json ? support::document_text(document)
                : asked.markdown  ? results::markdown_text(landscape_document(landscapes))
                                  : results::terminal_text(landscape_document(landscapes));
  reply.noes = std::move(noes);
  return reply;
}

}  // namespace

Command landscape_command() {
  return {.name = "landscape",
          .summary = "What a search space looks like, from a sample",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
