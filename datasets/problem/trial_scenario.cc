#include "datasets/problem/trial_scenario.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/problem/listed_runs.h"
#include "datasets/problem/problem_head.h"
#include "datasets/problem/problem_table.h"
#include "datasets/problem/table_filter.h"
#include "datasets/problem/trial_knobs.h"
#include "datasets/problem/trial_outcomes.h"
#include "scenarios/readers/objective_reader.h"
#include "support/csv.h"
#include "support/input_error.h"
#include "support/json/canonical.h"
#include "support/json/filled_string.h"
#include "support/json/object_reader.h"
#include "support/sha256.h"

namespace cubicbench::datasets {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Assignment;
using scenarios::Scenario;
using support::ObjectReader;

/// A scenario file on its way to a Scenario.
class TrialFile {
 public:
  TrialFile(scenarios::Document document, const Json& json)
      : document_(std::move(document)), json_(json) {}

  Scenario read() {
    ObjectReader in(json_, document_.file, "", problems_);
    read_problem_head(in, scenario_, problems_);
    read_objective(in);
    read_problem_budget(in, scenario_);
    ObjectReader table = in.object("table");
    TrialKnobs knobs(table);
    TrialOutcomes outcomes(table, scenario_.objective);
    read_rows(table, knobs, outcomes);
    read_baseline(in);
    in.finish();
    support::throw_if_any(problems_);
    scenario_.sha256 = support::sha256_hex(canonical_text(knobs));
    return std::move(scenario_);
  }

 private:
  void read_objective(ObjectReader& in) {
    ObjectReader objective = in.object("objective");
    scenario_.objective = scenarios::read_objective(objective, scenario_.objective);
    if (scenario_.objective.metric != scenarios::Metric::column) {
      objective.problem("column",
                        "expected a column of the table, as a table of trials has no "
                        "metric of ours, got none");
    }
    objective.finish();
    objective_pointer_ = objective.where("column");
  }

  void read_rows(ObjectReader& table, TrialKnobs& knobs, TrialOutcomes& outcomes) {
    const std::string path = support::filled_string(table, "path", "a table or a path");
    auto where = table.optional_object("where");
    table.finish();
    if (!problems_.empty()) return;
    support::gathered(problems_, [&] {
      file_ = problem_table(path, document_, table.where("path"));
      csv_ = support::read_csv(file_.text, file_.file);
    });
    if (!problems_.empty()) return;
    const Json everything = Json::object();
    ObjectReader none(everything, document_.file, "/table/where", problems_);
    const TableFilter filter(where ? *where : none, csv_);
    outcomes.find_columns(csv_, objective_pointer_, problems_);
    if (!problems_.empty()) return;
    std::vector<const support::CsvRecord*> rows;
    for (const support::CsvRecord& record : csv_.records) {
      if (filter.admits(record)) rows.push_back(&record);
    }
    if (rows.empty()) {
      table.problem(where ? "where" : "path", "expected rows, got none");
      return;
    }
    knobs.read(csv_, rows, file_.file, problems_);
    read_runs(rows, knobs, outcomes);
  }

  void read_runs(const std::vector<const support::CsvRecord*>& rows, const TrialKnobs& knobs,
                 const TrialOutcomes& outcomes) {
    std::vector<std::optional<scenarios::TrialOutcome>> read;
    for (const support::CsvRecord* const row : rows) {
      read.push_back(outcomes.of(*row, file_.file, problems_));
    }
    if (!problems_.empty()) return;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      runs_.push_back({.codes = knobs.codes(row), .outcome = std::move(*read[row])});
    }
    scenario_.cluster.gpus = outcomes.gpus();
    ListedRuns listed =
        listed_runs(knobs.specs(), runs_, scenario_.settings, {.gpus = outcomes.gpus()});
    for (const scenarios::SpaceProblem& problem : listed.problems) {
      problems_.push_back({document_.file + "#/table" + problem.pointer, problem.text});
    }
    scenario_.space = std::move(listed.space);
    scenario_.measured = std::move(listed.measured);
  }

  /// A value for each knob, by the names of their columns.
  void read_baseline(ObjectReader& in) {
    auto baseline = in.optional_object("baseline");
    if (!baseline || !scenario_.measured) return;
    std::vector<Assignment> assignments;
    const std::size_t before = problems_.size();
    for (const scenarios::Parameter& parameter : scenario_.space.parameters()) {
      const std::string name(parameter.setting->name);
      const Json* const value = baseline->raw(name);
      const auto code = value == nullptr ? std::nullopt : code_of(*parameter.setting, *value);
      if (code) {
        assignments.push_back({.setting = parameter.setting, .value = *code});
      } else {
        baseline->problem(name, "expected " + expected(*parameter.setting) + ", got " +
                                    (value == nullptr ? "nothing" : support::shown(*value)));
      }
    }
    baseline->finish("knob");
    if (problems_.size() != before) return;
    const scenarios::Placement placement = scenario_.space.from_assignment(assignments);
    for (const scenarios::SpaceProblem& problem : placement.problems) {
      problems_.push_back({baseline->where() + problem.pointer, problem.text});
    }
    if (placement.in_space()) scenario_.measured_baseline = placement.configuration;
  }

  /// The rows that count, in the order of the file, in place of where they are.
  std::string canonical_text(const TrialKnobs& knobs) const {
    Json rows = Json::array();
    for (std::size_t row = 0; row < runs_.size(); ++row) {
      const scenarios::TrialOutcome& outcome = runs_[row].outcome;
      Json values = knobs.values(row);
      values.push_back(name_of(outcome.reason));
      values.push_back(outcome.value ? Json(*outcome.value) : Json());
      values.push_back(outcome.cost_gpu_hours);
      rows.push_back(std::move(values));
    }
    Json baseline;
    if (scenario_.measured_baseline) {
      for (const Assignment& a : scenario_.space.to_assignment(*scenario_.measured_baseline)) {
        baseline[std::string(a.setting->name)] = json_of(*a.setting, a.value);
      }
    }
    return support::canonical(
        {{"schema", scenario_schema},
         {"name", scenario_.name},
         {"table",
          {{"gpus", scenario_.cluster.gpus}, {"knobs", knobs.names()}, {"rows", std::move(rows)}}},
         {"objective", scenarios::objective_json(scenario_.objective)},
         {"budget", {{"trials", scenario_.budget.trials}}},
         {"baseline", std::move(baseline)}});
  }

  scenarios::Document document_;
  const Json& json_;
  std::vector<support::Problem> problems_;
  TableText file_;
  support::CsvTable csv_;  ///< its records point into the text of `file_`
  std::string objective_pointer_;
  std::vector<Run> runs_;  ///< in the order of the file
  Scenario scenario_;
};

}  // namespace

bool has_trials(const Json& scenario) {
  const auto table = scenario.find("table");
  return table != scenario.end() && table->is_object() && table->contains("knobs");
}

Scenario read_trial_scenario(scenarios::Document document, const Json& json,
                             std::span<const std::string> sets) {
  if (!sets.empty()) {
    throw support::InputError("--set " + sets.front(),
                              "expected none with a table of trials: every knob is searched");
  }
  return TrialFile(std::move(document), json).read();
}

}  // namespace cubicbench::datasets
