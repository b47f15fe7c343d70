#include "datasets/problem/table_scenario.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/families/member.h"
#include "datasets/problem/listed_runs.h"
#include "datasets/problem/problem_head.h"
#include "datasets/problem/problem_table.h"
#include "datasets/problem/table_filter.h"
#include "datasets/problem/table_setting.h"
#include "datasets/problem/trial_scenario.h"
#include "datasets/tables/row_table.h"
#include "scenarios/catalog.h"
#include "scenarios/family/member_name.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/objective_reader.h"
#include "scenarios/readers/override.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/readers/space_reader.h"
#include "sim/network/topology_shape.h"
#include "sim/plan/plan_cluster.h"
#include "support/cell_value.h"
#include "support/input_error.h"
#include "support/json/canonical.h"
#include "support/json/filled_string.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"
#include "support/magnitude.h"
#include "support/sha256.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Assignment;
using scenarios::Document;
using scenarios::Scenario;
using scenarios::TrialOutcome;
using support::ObjectReader;
using support::Problem;
using support::ValueReader;

/// Columns that are one for all rows, as outcomes of different problems cannot be compared.
constexpr std::array<std::string_view, 4> problem_columns{"n_gpus", "device", "model", "seq_len"};

/// A column of the table as a parameter, and how the file names it.
struct TableParameter {
  TableSetting setting;
  std::string pointer;
  std::string own_column{};  ///< of the table's own, which no schema knows; "": setting.column
};

scenarios::ParameterType type_of(const scenarios::Setting& setting) {
  using scenarios::SettingKind;
  if (setting.kind == SettingKind::boolean) return scenarios::ParameterType::boolean;
  const bool is_number =
      setting.kind == SettingKind::integer || setting.kind == SettingKind::thousandths;
  return is_number ? scenarios::ParameterType::ordinal : scenarios::ParameterType::categorical;
}

/// A scenario file with a "table" on its way to a Scenario.
class TableFile {
 public:
  TableFile(Document document, Json json, std::span<const std::string> sets)
      : document_(std::move(document)), json_(std::move(json)) {
    overrides_ = scenarios::apply_overrides(sets, json_, problems_);
  }

  Scenario read() {
    ObjectReader in(json_, document_.file, "", problems_);
    read_problem_head(in, scenario_, problems_);
    read_study(in);
    read_table(in);
    read_baseline(in);
    in.finish();
    name_options(overrides_, document_.file, problems_);
    support::throw_if_any(problems_);
    scenario_.sha256 = support::sha256_hex(canonical_text());
    apply_settings();
    support::throw_if_any(problems_);
    return std::move(scenario_);
  }

 private:
  void read_study(ObjectReader& in) {
    scenario_.objective.metric = scenarios::Metric::tokens_per_s_per_gpu;
    if (auto objective = in.optional_object("objective")) {
      scenario_.objective = read_objective(*objective, scenario_.objective);
      if (scenario_.objective.metric == scenarios::Metric::column) {
        objective->problem("column",
                           "expected a metric, as a column is the objective of a table "
                           "with knobs, got a column");
      }
      if (scenario_.objective.metric == scenarios::Metric::mfu) {
        objective->problem("metric",
                           "expected another metric than mfu, which sources count differently");
      }
      if (is_of_energy(scenario_.objective.metric) || is_of_cost(scenario_.objective.metric)) {
        objective->problem("metric",
                           "expected a rate or a time, as a table of runs has no power and no "
                           "price, got \"" +
                               std::string(name_of(scenario_.objective)) + "\"");
      }
      if (scenario_.objective.percentile != 50.0) {
        objective->problem("percentile", "expected 50, as a row has one value, got " +
                                             support::shortest(scenario_.objective.percentile));
      }
      if (scenario_.objective.deadline) {
        objective->problem("deadline", "expected none, as a row is of a job that has ended");
      }
      objective->finish();
    }
    read_problem_budget(in, scenario_);
  }

  // ---- the table

  void read_table(ObjectReader& in) {
    const std::size_t before = problems_.size();
    ObjectReader table = in.object("table");
    const std::string path = support::filled_string(table, "path", "a table or a path");
    read_parameters(table);
    auto where = table.optional_object("where");
    table.finish();
    if (path.empty()) return;
    const std::size_t before_file = problems_.size();
    support::gathered(problems_, [&] {
      file_ = problem_table(path, document_, table.where("path"));
      csv_ = support::read_csv(file_.text, file_.file);
      measurements_ = read_measurements(file_.text, file_.file);
    });
    if (problems_.size() != before_file) return;
    check_own_columns();
    const Json everything = Json::object();
    ObjectReader none(everything, document_.file, "/table/where", problems_);
    const TableFilter filter(where ? *where : none, csv_);
    if (problems_.size() != before) return;
    support::gathered(problems_, [&] { read_rows(filter); });
    if (problems_.size() != before) return;
    if (runs_.empty()) {
      problems_.push_back({table.where(where ? "where" : "path"),
                           "expected rows with a time, or out of memory, got none"});
      return;
    }
    build_space();
  }

  void read_parameters(ObjectReader& table) {
    std::vector<std::string_view> names = table_setting_names();
    for (const ValueReader& value : table.array("parameters")) {
      if (value.raw() != nullptr && value.raw()->is_object()) {
        read_own_column(value);
        continue;
      }
      const std::size_t before = problems_.size();
      const std::string name = value.string();
      if (problems_.size() != before) continue;
      const std::optional<TableSetting> found = find_table_setting(name);
      if (!found) {
        value.problem("expected a column that is a setting, or a setting that is a column, got \"" +
                      support::shortened(name) + "\"" + support::did_you_mean(name, names));
      } else if (is_parameter(*found->setting)) {
        value.problem("expected each setting once, got " + std::string(found->setting->name) +
                      " twice");
      } else {
        parameters_.push_back({.setting = *found, .pointer = value.where()});
      }
    }
    if (table.has("parameters") && parameters_.empty() && problems_.empty()) {
      table.problem("parameters", "expected at least one, got none");
    }
  }

  /// {"column": "bucket_mb", "setting": "wrap"}: a column that is called what it is, and the
  /// setting that stands for it.
  void read_own_column(const ValueReader& value) {
    const std::size_t before = problems_.size();
    ObjectReader in = value.object();
    const std::string column = in.string("column");
    const std::string name = in.string("setting");
    in.finish();
    if (problems_.size() != before) return;
    const scenarios::Setting* const setting = scenarios::find_setting(name);
    if (setting == nullptr) {
      in.problem("setting", "unknown setting \"" + support::shortened(name) + "\"" +
                                support::did_you_mean(name, scenarios::setting_names()));
    } else if (is_parameter(*setting)) {
      in.problem("setting", "expected each setting once, got " + name + " twice");
    } else {
      parameters_.push_back({.setting = {.setting = setting, .column = {}},
                             .pointer = in.where("column"),
                             .own_column = column});
    }
  }

  void check_own_columns() {
    const std::vector<std::string> names = names_of(csv_.header);
    for (const TableParameter& parameter : parameters_) {
      const std::string& name = parameter.own_column;
      if (name.empty() || csv_.column(name)) continue;
      problems_.push_back({parameter.pointer, "expected a column of the table, got \"" +
                                                  support::shortened(name) + "\"" +
                                                  support::did_you_mean(name, names)});
    }
  }

  bool is_parameter(const scenarios::Setting& setting) const {
    return std::ranges::any_of(parameters_, [&](const TableParameter& parameter) {
      return parameter.setting.setting == &setting;
    });
  }

  /// Records and measurements correspond: every record of a table that can be read is a row.
  void read_rows(const TableFilter& filter) {
    std::vector<support::Problem> problems;
    const support::CsvRecord* first = nullptr;
    for (std::size_t i = 0; i < csv_.records.size(); ++i) {
      const support::CsvRecord& record = csv_.records[i];
      if (!filter.admits(record)) continue;
      const Measurement& row = measurements_.rows[i];
      std::optional<TrialOutcome> outcome =
          outcome_of(row, scenario_.objective.metric, scenario_.job);
      if (!outcome) continue;
      add_over_bytes(record, *outcome, problems);
      check_magnitudes(record, *outcome, problems);
      if (first == nullptr) first = &record;
      check_same_problem(*first, record, row, problems);
      std::optional<std::vector<std::int64_t>> codes = codes_of(record, row, problems);
      if (codes) runs_.push_back({.codes = std::move(*codes), .outcome = std::move(*outcome)});
      gpus_ = row.n_gpus;
    }
    support::throw_if_any(problems);
  }

  /// Where the table says how many bytes a run that ran out of memory lacked, so does its outcome.
  void add_over_bytes(const support::CsvRecord& record, TrialOutcome& outcome,
                      std::vector<support::Problem>& problems) const {
    constexpr const char* name = "over_bytes";
    const std::optional<std::size_t> column = csv_.column(name);
    if (!column || outcome.state != scenarios::TrialState::fail) return;
    const support::CsvCell& cell = record.cells[*column];
    if (cell.text.empty()) return;
    std::optional<double> over;
    if (const std::string expected = support::set_cell_value(cell.text, over); !expected.empty()) {
      return refuse_cell(file_.file, cell, expected, name, problems);
    }
    outcome.metrics.emplace_back(name, *over);
  }

  /// Journals hold no others.
  void check_magnitudes(const support::CsvRecord& record, const TrialOutcome& outcome,
                        std::vector<support::Problem>& problems) const {
    const auto check = [&](std::string_view name, double value) {
      if (support::is_of_readable_magnitude(value)) return;
      support::add_problem(problems,
                           {support::where_of(file_.file, record.cells.front()),
                            "expected a run whose " + std::string(name) + " is 0 or " +
                                support::magnitude_range + ", got " + support::shortest(value)});
    };
    for (const auto& [name, value] : outcome.metrics) check(name, value);
    if (outcome.value) check("value", *outcome.value);
    check("cost_gpu_hours", outcome.cost_gpu_hours);
  }

  void check_same_problem(const support::CsvRecord& first, const support::CsvRecord& record,
                          const Measurement& row, std::vector<support::Problem>& problems) const {
    for (const std::string_view name : problem_columns) {
      const std::optional<std::size_t> column = csv_.column(name);
      if (!column) continue;
      const std::string& expected = first.cells[*column].text;
      const support::CsvCell& cell = record.cells[*column];
      if (name == "n_gpus" && (!row.n_gpus || *row.n_gpus > sim::topology_gpus_max)) {
        support::add_problem(problems, {support::where_of(file_.file, cell),
                                        "expected n_gpus, an integer in [1, " +
                                            std::to_string(sim::topology_gpus_max) + "], got \"" +
                                            support::shortened(cell.text) + "\""});
      } else if (cell.text != expected) {
        support::add_problem(
            problems, {support::where_of(file_.file, cell),
                       "expected " + std::string(name) + " \"" + support::shortened(expected) +
                           "\" as in line " + std::to_string(first.line) +
                           ", since a space is of one problem (see /table/where), got \"" +
                           support::shortened(cell.text) + "\""});
      }
    }
  }

  std::optional<std::vector<std::int64_t>> codes_of(const support::CsvRecord& record,
                                                    const Measurement& row,
                                                    std::vector<support::Problem>& problems) const {
    std::vector<std::int64_t> codes;
    for (const TableParameter& parameter : parameters_) {
      const bool is_own = !parameter.own_column.empty();
      const std::string name =
          is_own ? parameter.own_column : std::string(parameter.setting.column);
      const std::optional<std::size_t> column = csv_.column(name);
      const support::CsvCell& cell = column ? record.cells[*column] : record.cells.front();
      const TableValue value = is_own ? value_of(*parameter.setting.setting, cell.text)
                                      : value_of(parameter.setting, row);
      if (value.code) {
        codes.push_back(*value.code);
      } else {
        support::add_problem(
            problems, {support::where_of(file_.file, cell), value.problem + " in column " + name});
      }
    }
    if (codes.size() != parameters_.size()) return std::nullopt;
    return codes;
  }

  // ---- the space and what happened in it

  void build_space() {
    std::vector<scenarios::ParameterSpec> specs;
    for (const TableParameter& parameter : parameters_) {
      const scenarios::Setting& setting = *parameter.setting.setting;
      specs.push_back(
          {.name = std::string(setting.name), .type = type_of(setting), .values = {}, .when = {}});
    }
    ListedRuns listed =
        listed_runs(std::move(specs), runs_, scenario_.settings, {.gpus = gpus_.value_or(1)});
    for (const scenarios::SpaceProblem& problem : listed.problems) {
      problems_.push_back({document_.file + "#/table" + problem.pointer, problem.text});
    }
    if (!problems_.empty()) return;
    scenario_.space = std::move(listed.space);
    scenario_.cluster.gpus = static_cast<int>(gpus_.value_or(1));
    scenario_.measured = std::move(listed.measured);
  }

  // ---- the baseline

  void read_baseline(ObjectReader& in) {
    auto baseline = in.optional_object("baseline");
    if (!baseline) return;
    const std::vector<Assignment> assignments =
        read_assignments(*baseline, scenarios::WorkloadKind::transformer);
    if (!problems_.empty()) return;  // whatever is wrong with the baseline may follow from them
    for (const Assignment& a : assignments) {
      if (!is_parameter(*a.setting)) {
        baseline->problem(a.setting->name,
                          "expected a parameter of the table, got another setting");
      }
    }
    if (!problems_.empty()) return;
    const scenarios::Placement placement = scenario_.space.from_assignment(assignments);
    for (const scenarios::SpaceProblem& problem : placement.problems) {
      problems_.push_back({baseline->where() + problem.pointer, problem.text});
    }
    if (!placement.in_space()) return;
    scenario_.space.apply(placement.configuration, scenario_.baseline);
    has_baseline_ = true;
  }

  void apply_settings() {
    for (std::size_t i = 0; i < overrides_.settings.size(); ++i) {
      const Assignment& a = overrides_.settings[i];
      if (!is_parameter(*a.setting)) {
        problems_.push_back({overrides_.setting_options[i],
                             "expected a parameter of the table, got another setting"});
      }
      a.setting->apply(scenario_.baseline, a.value);
    }
  }

  // ---- what the scenario is known by

  Json row_json(const Run& run) const {
    Json row = Json::array();
    for (std::size_t p = 0; p < parameters_.size(); ++p) {
      row.push_back(json_of(*parameters_[p].setting.setting, run.codes[p]));
    }
    row.push_back(name_of(run.outcome.reason));
    row.push_back(run.outcome.value ? Json(*run.outcome.value) : Json());
    Json metrics = Json::object();
    for (const auto& [name, value] : run.outcome.metrics) metrics[name] = value;
    row.push_back(std::move(metrics));
    row.push_back(run.outcome.cost_gpu_hours);
    return row;
  }

  /// The rows that count, in the order of the file, in place of where they stand.
  std::string canonical_text() const {
    Json parameters = Json::array();
    for (const TableParameter& parameter : parameters_) {
      parameters.push_back(parameter.setting.setting->name);
    }
    Json rows = Json::array();
    for (const Run& run : runs_) rows.push_back(row_json(run));
    Json baseline;
    if (has_baseline_) {
      const auto placement = scenario_.space.from_plan(scenario_.baseline);
      for (const Assignment& a : scenario_.space.to_assignment(placement.configuration)) {
        baseline[std::string(a.setting->name)] = json_of(*a.setting, a.value);
      }
    }
    return support::canonical({{"schema", scenario_schema},
                               {"name", scenario_.name},
                               {"table",
                                {{"gpus", scenario_.cluster.gpus},
                                 {"parameters", std::move(parameters)},
                                 {"rows", std::move(rows)}}},
                               {"objective", scenarios::objective_json(scenario_.objective)},
                               {"budget", {{"trials", scenario_.budget.trials}}},
                               {"baseline", std::move(baseline)}});
  }

  Document document_;
  Json json_;
  std::vector<Problem> problems_;
  scenarios::Overrides overrides_;
  TableText file_;
  support::CsvTable csv_;  ///< its records point into the text of `file_`
  Measurements measurements_;
  std::vector<TableParameter> parameters_;
  std::vector<Run> runs_;  ///< in the order of the file
  std::optional<std::int64_t> gpus_;
  bool has_baseline_ = false;
  Scenario scenario_;
};

}  // namespace

Scenario read_scenario(const std::string& name_or_path, std::span<const std::string> sets,
                       const std::shared_ptr<const scenarios::Seal>& seal) {
  if (scenarios::is_member_name(name_or_path)) return read_member(name_or_path, sets, seal);
  Document document =
      scenarios::find_document(scenarios::Kind::scenario, name_or_path, "", name_or_path);
  Json json = support::parse_json(document.text, document.file);
  if (!json.is_object() || !json.contains("table")) {
    return scenarios::read_scenario(std::move(document), sets, scenarios::Origin::file);
  }
  if (has_trials(json)) return read_trial_scenario(std::move(document), json, sets);
  return TableFile(std::move(document), std::move(json), sets).read();
}

Scenario read_simulated(const std::string& name_or_path, std::span<const std::string> sets,
                        const std::shared_ptr<const scenarios::Seal>& seal) {
  Scenario scenario = read_scenario(name_or_path, sets, seal);
  if (scenario.measured) {
    throw support::InputError(
        name_or_path,
        "expected a scenario with a model, got a table of runs: nothing is simulated, "
        "but search plays what was measured");
  }
  scenario.seal = seal;
  scenario.cluster = sim::cluster_of(scenario.baseline, scenario.cluster);
  return scenario;
}

}  // namespace cubicbench::datasets
