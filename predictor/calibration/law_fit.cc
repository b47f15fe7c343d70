#include "predictor/calibration/law_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <variant>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/measured_run.h"
#include "predictor/calibration/calibrated.h"
#include "predictor/calibration/laid_out.h"
#include "predictor/calibration/step_term.h"
#include "predictor/calibration/trial.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/fitted_description.h"
#include "sim/base/numeric.h"
#include "support/parallel.h"

namespace cubicbench::predictor {
namespace {

using datasets::LawConstant;
using datasets::LawPlan;
using datasets::Measurement;

constexpr std::size_t rows_per_block = 32;  // runs that share a workspace

std::string source_of(const std::string& table, const scenarios::Scenario& scenario) {
  const bool one_node = scenario.cluster.gpus <= scenario.cluster.gpus_per_node;
  return table + ", " + std::string(datasets::generation_of(scenario.device)) +
         (one_node ? ", one node" : ", several nodes");
}

/// Why a row says nothing of time; "" when it does.
std::string untimed(const Measurement& row) {
  if (row.status != datasets::MeasurementStatus::ok) return "no run that ended";
  if (row.quality != datasets::MeasurementQuality::ok) return "another quality than ok";
  return row.step_time_s || row.tokens_per_s_per_gpu ? "" : "no time";
}

/// What attention costs there is as certain as the length of the samples.
bool is_tuned_on_samples(const scenarios::Scenario& scenario) {
  const auto* const model = std::get_if<sim::Transformer>(&scenario.workload);
  return model != nullptr && model->packed_sample > 0;
}

/// A run, or why the row is none.
std::string add_run(const std::string& table, const Measurement& row, sim::Workspace& workspace,
                    std::vector<CalibrationRun>& runs) {
  if (std::string reason = untimed(row); !reason.empty()) return reason;
  datasets::MappedRun mapped = datasets::map_run(row, datasets::NetworkOfRun::measured);
  if (!mapped.run) return mapped.reason;
  if (mapped.mixture) return "a model with experts";
  scenarios::Scenario& scenario = mapped.run->scenario;
  if (is_tuned_on_samples(scenario)) return "fine-tuning on samples of a length that is assumed";
  if (!sim::counts_kernels(scenario.stack)) return "a stack with constants of its own";
  scenario.stack.gemm_factor = 1.0;  // what a release differs by is not the laws'
  if (!can_be_laid_out(scenario, workspace)) return "the plan cannot be laid out";
  const sim::Seconds step = datasets::measured_step(row, scenario);
  std::string source = source_of(table, scenario);
  runs.push_back(
      {.scenario = std::move(scenario), .step = step, .model = std::move(source), .row = row});
  return "";
}

/// Nothing or all of something: what software does, and no number that was fitted.
bool is_switch(double value) { return value == 0.0 || value == 1.0; }

struct LawKnob {
  Knob knob;
  const std::vector<std::string>* devices;

  /// A stack may have a switch in place of the number.
  bool is_of(const scenarios::Scenario& scenario) const {
    if (devices->empty()) return !is_switch(value_of(*knob.stack, scenario.stack));
    return std::ranges::find(*devices, scenario.device) != devices->end();
  }
};

std::vector<LawKnob> knobs_of(const LawPlan& plan) {
  std::vector<LawKnob> knobs;
  for (const LawConstant& constant : plan.constants) {
    LawKnob knob{.knob = {}, .devices = &constant.devices};
    if (constant.devices.empty()) {
      knob.knob.stack = scenarios::find_stack_constant(constant.constant);
    } else {
      knob.knob.device = scenarios::find_device_constant(constant.constant);
    }
    knobs.push_back(knob);
  }
  return knobs;
}

/// A run, or what is expected of a constant.
struct LawRow {
  const CalibrationRun* run;
  double weight;  ///< of its residual
  const LawConstant* constant = nullptr;
  std::size_t knob = 0;  ///< of `constant`

  std::string_view model() const { return run != nullptr ? run->model : constant->label; }
};

/// What a run is off by where all is well: how much an expectation weighs beside runs.
constexpr double usual_error = 0.05;

/// Rows as a function of the constants under trial.
class LawTrial {
 public:
  LawTrial(const std::vector<LawRow>& rows, const std::vector<LawKnob>& knobs, int threads,
           const StepTerm* without = nullptr)
      : rows_(rows),
        knobs_(knobs),
        threads_(threads),
        without_(without),
        workspaces_((rows.size() + rows_per_block - 1) / rows_per_block) {}

  /// Weighted ln(simulated / measured).
  void residuals(std::span<const double> values, std::span<double> into) {
    play(values, [&](std::size_t i, double ratio) { into[i] = rows_[i].weight * sim::log(ratio); });
  }

  std::vector<double> sizes(std::span<const double> values) {
    std::vector<double> sizes(rows_.size());
    play(values, [&](std::size_t i, double ratio) { sizes[i] = std::abs(ratio - 1.0); });
    return sizes;
  }

  /// Of the runs, behind which there are expectations.
  std::vector<sim::Seconds> times(std::span<const double> values) {
    std::vector<sim::Seconds> times(rows_.size());
    play(values, [&](std::size_t i, double ratio) {
      if (rows_[i].run != nullptr) times[i] = ratio * rows_[i].run->step;
    });
    times.resize(rows_.size() - knobs_.size());
    return times;
  }

 private:
  template <class Take>
  void play(std::span<const double> values, Take take) {
    support::parallel_for(workspaces_.size(), threads_, [&](std::size_t b) {
      const std::size_t end = std::min(rows_.size(), (b + 1) * rows_per_block);
      for (std::size_t i = b * rows_per_block; i < end; ++i) {
        const LawRow& row = rows_[i];
        take(i, row.run != nullptr ? time(*row.run, values, workspaces_[b]) / row.run->step
                                   : std::max(values[row.knob], tiny) / row.constant->expected);
      }
    });
  }

  sim::Seconds time(const CalibrationRun& run, std::span<const double> values,
                    sim::Workspace& workspace) const {
    sim::Cluster cluster = run.scenario.cluster;
    sim::Stack stack = run.scenario.stack;
    for (std::size_t k = 0; k < knobs_.size(); ++k) {
      if (knobs_[k].is_of(run.scenario)) knobs_[k].knob.set(values[k], stack, cluster.device);
    }
    return step_without(without_, run.scenario, cluster, stack, workspace);
  }

  static constexpr double tiny = 1e-9;

  const std::vector<LawRow> rows_;
  const std::vector<LawKnob>& knobs_;
  int threads_;
  const StepTerm* without_;
  std::vector<sim::Workspace> workspaces_;
};

/// Of the stack that has the laws, or of the first of the devices.
std::vector<Unknown> unknowns_of(const LawPlan& plan, const std::vector<LawKnob>& knobs) {
  const datasets::Library& library = datasets::library();
  const sim::Stack& stack = library.stacks.find(plan.of)->second;
  std::vector<Unknown> unknowns;
  for (std::size_t k = 0; k < knobs.size(); ++k) {
    const Knob& knob = knobs[k].knob;
    unknowns.push_back(
        knob.stack != nullptr
            ? unknown_of(*knob.stack, stack)
            : unknown_of(*knob.device,
                         library.devices.find(plan.constants[k].devices.front())->second));
    unknowns.back().name = plan.constants[k].label;
  }
  return unknowns;
}

std::vector<LawRow> weighted(const std::vector<CalibrationRun>& runs) {
  std::map<std::string_view, double> counts;
  for (const CalibrationRun& run : runs) counts[run.model] += 1.0;
  std::vector<LawRow> rows;
  for (const CalibrationRun& run : runs) {
    rows.push_back({.run = &run, .weight = 1.0 / std::sqrt(std::sqrt(counts[run.model]))});
  }
  return rows;
}

void add_expectations(const LawPlan& plan, std::vector<LawRow>& rows) {
  for (std::size_t k = 0; k < plan.constants.size(); ++k) {
    const LawConstant& constant = plan.constants[k];
    rows.push_back({.run = nullptr,
                    .weight = usual_error / constant.spread,
                    .constant = &constant,
                    .knob = k});
  }
}

/// Runs, and behind them what is expected.
std::vector<LawRow> rows_of(const LawPlan& plan, const std::vector<CalibrationRun>& runs) {
  std::vector<LawRow> rows = weighted(runs);
  add_expectations(plan, rows);
  return rows;
}

/// Table of a run whose source is `source`.
std::string_view table_of(std::string_view source) { return source.substr(0, source.find(',')); }

/// Errors of the fit by source.
std::vector<LawErrors> by_source(const std::vector<LawRow>& rows, const Calibration& result) {
  std::vector<LawErrors> sources;
  const std::vector<std::size_t> models = models_of(rows);
  for (std::size_t i = 0; i < rows.size() && rows[i].run != nullptr; ++i) {
    if (models[i] == sources.size()) {
      sources.push_back({.source = rows[i].run->model, .fitted = {}, .left_out = {}});
    }
    sources[models[i]].fitted.push_back(result.sizes_after[i]);
  }
  return sources;
}

/// Errors are those of runs: expectations stand behind them.
void count_runs(std::size_t runs, Calibration& result) {
  result.rows = runs;
  for (std::vector<double>* const sizes : {&result.sizes_before, &result.sizes_after}) {
    sizes->resize(runs);
  }
  result.error_before = support::median(result.sizes_before);
  result.error_after = support::median(result.sizes_after);
}

std::vector<std::string_view> tables_of(const std::vector<LawErrors>& sources) {
  std::vector<std::string_view> tables;
  for (const LawErrors& source : sources) {
    if (tables.empty() || tables.back() != table_of(source.source)) {
      tables.push_back(table_of(source.source));
    }
  }
  return tables;
}

/// Fits to all tables but each in turn, from what the fit to all of them found.
class LeftOutTables {
 public:
  LeftOutTables(const std::vector<LawRow>& rows, const std::vector<LawKnob>& knobs,
                const std::vector<Unknown>& unknowns, int threads)
      : rows_(rows), knobs_(knobs), unknowns_(unknowns), threads_(threads) {}

  void judge(LawFit& fit) const {
    std::vector<double> start;
    for (const FittedConstant& constant : fit.result.constants) start.push_back(constant.after);
    for (const std::string_view table : tables_of(fit.sources)) judge(table, start, fit);
    std::vector<double>& all = fit.result.sizes_left_out;
    for (const LawErrors& source : fit.sources) {
      all.insert(all.end(), source.left_out.begin(), source.left_out.end());
    }
    if (!all.empty()) fit.result.error_left_out = support::median(all);
  }

 private:
  void judge(std::string_view table, const std::vector<double>& start, LawFit& fit) const {
    std::vector<LawRow> in;
    std::vector<LawRow> out;
    for (const LawRow& row : rows_) (table_of(row.model()) == table ? out : in).push_back(row);
    if (in.size() <= unknowns_.size()) return;
    const Fit others = fit_to(LawTrial(in, knobs_, threads_), unknowns_, start,
                              clusters_of(models_of(in), unknowns_.size()));
    const std::vector<double> sizes = LawTrial(out, knobs_, threads_).sizes(others.values);
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::ranges::find(fit.sources, out[i].run->model, &LawErrors::source)
          ->left_out.push_back(sizes[i]);
    }
  }

  const std::vector<LawRow>& rows_;
  const std::vector<LawKnob>& knobs_;
  const std::vector<Unknown>& unknowns_;
  int threads_;
};

bool is_of(const LawConstant& constant, const LawPlan& plan, CalibrationSubject kind,
           std::string_view name) {
  if (kind == CalibrationSubject::stack) return constant.devices.empty() && plan.of == name;
  return kind == CalibrationSubject::device &&
         std::ranges::find(constant.devices, name) != constant.devices.end();
}

}  // namespace

bool has_laws(const LawPlan& plan, CalibrationSubject kind, std::string_view name) {
  return std::ranges::any_of(plan.constants, [&](const LawConstant& constant) {
    return is_of(constant, plan, kind, name);
  });
}

Calibration constants_of(const LawFit& fit, const LawPlan& plan, CalibrationSubject kind,
                         std::string_view name) {
  Calibration own = fit.result;
  own.constants.clear();
  for (std::size_t i = 0; i < plan.constants.size(); ++i) {
    if (!is_of(plan.constants[i], plan, kind, name)) continue;
    FittedConstant& constant = own.constants.emplace_back(fit.result.constants[i]);
    constant.name = plan.constants[i].constant;
    for (double* const value : {&constant.after, &constant.low, &constant.high}) {
      *value = scenarios::four_digits(*value);
    }
  }
  return own;
}

CalibrationRuns law_runs(const LawPlan& plan) {
  CalibrationRuns runs;
  sim::Workspace workspace;
  for (const std::string& name : plan.tables) {
    for (const Measurement& row : datasets::find_measurements(name, plan.name).rows) {
      const std::string reason = add_run(name, row, workspace, runs.runs);
      if (!reason.empty()) ++runs.skipped[reason];
    }
  }
  return runs;
}

LawFit fit_laws(const LawPlan& plan, bool leave_out, int threads) {
  LawFit fit{.result = {}, .rows = law_runs(plan), .sources = {}};
  const std::vector<LawKnob> knobs = knobs_of(plan);
  const std::vector<LawRow> rows = rows_of(plan, fit.rows.runs);
  const std::vector<Unknown> unknowns = unknowns_of(plan, knobs);
  fit.result = calibrated(
      rows, unknowns,
      [&](const std::vector<LawRow>& some) { return LawTrial(some, knobs, threads); }, false);
  count_runs(fit.rows.runs.size(), fit.result);
  fit.sources = by_source(rows, fit.result);
  fit.result.models = fit.sources.size();
  if (leave_out) LeftOutTables(rows, knobs, unknowns, threads).judge(fit);
  return fit;
}

std::string_view table_of(const CalibrationRun& run) { return table_of(run.model); }

std::vector<double> law_values(const LawPlan& plan, const std::vector<CalibrationRun>& runs,
                               int threads) {
  const std::vector<LawKnob> knobs = knobs_of(plan);
  const std::vector<LawRow> rows = rows_of(plan, runs);
  const std::vector<Unknown> unknowns = unknowns_of(plan, knobs);
  return fitted_values(LawTrial(rows, knobs, threads), unknowns, values_before(unknowns),
                       rows.size());
}

void give_laws(const LawPlan& plan, const std::vector<double>& values, datasets::Library& library) {
  const sim::Stack shipped = library.stacks.at(plan.of);
  for (std::size_t i = 0; i < plan.constants.size(); ++i) {
    const LawConstant& law = plan.constants[i];
    for (const std::string& device : law.devices) {
      set_value(*scenarios::find_device_constant(law.constant), values[i],
                library.devices.at(device));
    }
    if (!law.devices.empty()) continue;
    const scenarios::StackConstant& constant = *scenarios::find_stack_constant(law.constant);
    for (auto& [name, stack] : library.stacks) {
      if (value_of(constant, stack) != value_of(constant, shipped)) continue;
      if (sim::counts_kernels(stack)) set_value(constant, values[i], stack);
    }
  }
}

std::vector<AblatedTerm> ablate_laws(const LawPlan& plan, const std::vector<CalibrationRun>& runs,
                                     int threads) {
  const std::vector<LawKnob> knobs = knobs_of(plan);
  const std::vector<LawRow> rows = rows_of(plan, runs);
  const auto trial = [&](const StepTerm* term, int of_threads) {
    return LawTrial(rows, knobs, of_threads, term);
  };
  return ablate_terms(trial, unknowns_of(plan, knobs), rows.size(), threads);
}

}  // namespace cubicbench::predictor
