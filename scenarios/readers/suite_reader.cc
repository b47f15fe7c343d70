#include "scenarios/readers/suite_reader.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/catalog.h"
#include "scenarios/readers/campaign_reader.h"
#include "scenarios/readers/description_reader.h"
#include "support/input_error.h"
#include "support/json/filled_string.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

SuiteProblem read_problem(const support::ValueReader& value, const std::string& directory) {
  support::ObjectReader in = value.object();
  SuiteProblem problem;
  problem.scenario = support::filled_string(in, "scenario", "a scenario");
  if (is_path(problem.scenario)) problem.scenario = joined(directory, problem.scenario);
  problem.trials = in.integer("trials", 1, trials_max);
  in.finish();
  return problem;
}

std::vector<SuiteProblem> read_problems(const std::vector<support::ValueReader>& values,
                                        const std::string& directory) {
  std::vector<SuiteProblem> problems;
  for (const support::ValueReader& value : values) {
    SuiteProblem problem = read_problem(value, directory);
    const bool again =
        std::ranges::find(problems, problem.scenario, &SuiteProblem::scenario) != problems.end();
    if (again && !problem.scenario.empty()) {
      value.problem("expected each scenario once, got \"" + support::shortened(problem.scenario) +
                    "\" again");
    }
    problems.push_back(std::move(problem));
  }
  return problems;
}

}  // namespace

Suite read_suite(const std::string& name_or_path, const std::string& where) {
  const Document document = find_document(Kind::suite, name_or_path, "", where);
  const nlohmann::ordered_json json = support::parse_json(document.text, document.file);
  std::vector<support::Problem> problems;
  support::ObjectReader in(json, document.file, "", problems);
  in.one_of("schema", std::array<std::string_view, 1>{"cubicbench.suite/1"});
  in.allow("version");
  Suite suite;
  suite.name = in.string("name");
  check_name(suite.name, in.where("name"), problems);
  suite.summary = in.string("summary", "");
  suite.score = in.integer("score", score_version, score_version);
  suite.seeds = in.integer("seeds", 1, seeds_max);
  suite.problems = read_problems(in.array("problems"), document.directory);
  if (in.has("problems") && in.raw("problems")->is_array() && suite.problems.empty()) {
    in.problem("problems", "expected at least one, got none");
  }
  suite.sealed = read_problems(in.optional_array("sealed"), document.directory);
  in.finish();
  support::throw_if_any(problems);
  return suite;
}

}  // namespace cubicbench::scenarios
