#include "predictor/calibration/ablation.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "datasets/mapping/measured_run.h"
#include "datasets/validation/validated_row.h"
#include "predictor/calibration/calibration_runs.h"
#include "predictor/calibration/law_fit.h"
#include "predictor/calibration/subject_calibration.h"
#include "predictor/calibration/trial.h"
#include "sim/base/check.h"
#include "support/parallel.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

using datasets::CalibrationPlan;
using datasets::ValidatedRow;

/// What constants of one stack are fitted to, and its runs without each term.
struct StackRuns {
  std::string stack;
  std::vector<std::string> constants{};
  std::vector<CalibrationRun> runs{};
  std::vector<AblatedTerm> terms{};
};

using RowKey = std::tuple<std::string, std::string, std::string, std::int64_t>;

RowKey key_of(const CalibrationRun& run) {
  return {run.row.source, run.row.family, run.row.id, run.row.line};
}

/// Adds the runs of a plan that are not among those `seen`.
void add(const CalibrationPlan& plan, std::set<RowKey>& seen, StackRuns& to) {
  to.constants.insert(to.constants.end(), plan.fit.begin(), plan.fit.end());
  for (CalibrationRun& run : calibration_runs(plan).runs) {
    // What is ablated are the terms of transformers.
    if (!std::holds_alternative<sim::Transformer>(run.scenario.workload)) continue;
    if (seen.insert(key_of(run)).second) to.runs.push_back(std::move(run));
  }
}

StackRuns runs_of(const datasets::LawPlan& laws, int threads) {
  StackRuns of{.stack = laws.of, .runs = law_runs(laws).runs};
  for (const datasets::LawConstant& constant : laws.constants) {
    of.constants.push_back(constant.label);
  }
  of.terms = ablate_laws(laws, of.runs, threads);
  return of;
}

/// The laws, and stacks that have runs beside theirs, with their runs without each term.
std::vector<StackRuns> stack_runs(const datasets::LawPlan& laws,
                                  std::span<const CalibrationPlan> plans, int threads) {
  std::vector<StackRuns> stacks{runs_of(laws, threads)};
  std::set<RowKey> seen;
  for (const CalibrationRun& run : stacks.front().runs) seen.insert(key_of(run));
  for (const CalibrationPlan& plan : plans) {
    if (plan.subject != CalibrationSubject::stack) continue;
    auto at = std::ranges::find(stacks, plan.of, &StackRuns::stack);
    if (at == stacks.end()) at = stacks.insert(at, {.stack = plan.of});
    add(plan, seen, *at);
  }
  std::erase_if(stacks, [](const StackRuns& of) { return of.runs.empty(); });
  for (StackRuns& of : stacks) {
    if (of.terms.empty()) of.terms = ablate(of.runs, of.constants, threads);
  }
  return stacks;
}

ValidatedRow validated(const CalibrationRun& run, sim::Seconds simulated) {
  const scenarios::Scenario& scenario = run.scenario;
  const double tokens = datasets::tokens_per_step(scenario);
  ValidatedRow row;
  row.group = datasets::group_of(run.row);
  row.throughput_measured = tokens / (run.step.value * scenario.cluster.gpus);
  row.throughput_simulated = tokens / (simulated.value * scenario.cluster.gpus);
  row.rel_error = (simulated - run.step) / run.step;
  return row;
}

/// Of all runs of the stacks together, without the term of that number.
TermErrors errors_of(std::span<const StackRuns> stacks, std::size_t term) {
  TermErrors of{.term = stacks.front().terms[term].term, .in_runs = false};
  std::vector<ValidatedRow> rows;
  for (const StackRuns& stack : stacks) {
    const AblatedTerm& without = stack.terms[term];
    of.in_runs = of.in_runs || without.in_runs;
    for (std::size_t i = 0; i < stack.runs.size(); ++i) {
      rows.push_back(validated(stack.runs[i], without.steps[i]));
    }
  }
  const datasets::RowPointers all = all_rows(rows);
  const std::vector<double> errors = values_of(all, datasets::time_error);
  of.median_abs_rel_error = support::median_if_any(errors);
  of.p90_abs_rel_error = support::quantile_if_any(errors, 0.9);
  of.ranks = rank_agreement(all);
  return of;
}

/// Rows, models and errors of all runs of the stacks together.
AblatedRuns ablated(std::span<const StackRuns> stacks) {
  AblatedRuns together;
  std::set<std::string_view> models;
  for (const StackRuns& of : stacks) {
    together.rows += std::ssize(of.runs);
    for (const CalibrationRun& run : of.runs) models.insert(run.model);
  }
  together.models = std::ssize(models);
  for (std::size_t t = 0; !stacks.empty() && t < stacks.front().terms.size(); ++t) {
    together.terms.push_back(errors_of(stacks, t));
  }
  return together;
}

std::int64_t constants_of(std::span<const CalibrationPlan> plans, const CalibrationPlan& like) {
  std::set<std::string_view> names;
  for (const CalibrationPlan& plan : plans) {
    if (plan.subject == like.subject && plan.of == like.of) {
      names.insert(plan.fit.begin(), plan.fit.end());
    }
  }
  return std::ssize(names);
}

/// Plans that share a subject, fitted one after the other.
std::vector<FinishedCalibration> fits_of(std::span<const CalibrationPlan> plans,
                                         const CalibrationPlan& like, int threads) {
  const CalibratedSubject subject = find_subject(like.subject, like.of, like.name);
  return run_calibrations(subject, planned_tasks(subject, plans), like.name, threads);
}

}  // namespace

std::vector<AblatedTerm> ablate(const std::vector<CalibrationRun>& runs,
                                const std::vector<std::string>& names, int threads) {
  SIM_ASSERT(!runs.empty() && !names.empty(), runs.size(), names.size());
  const std::vector<Knob> knobs = knobs_of(CalibrationSubject::stack, names);
  const scenarios::Scenario& first = runs.front().scenario;
  const std::vector<Unknown> unknowns = unknowns_of(knobs, first.stack, first.cluster.device);
  const Observations observations = observations_of(runs);
  const auto trial = [&](const StepTerm* term, int of_threads) {
    return Trial(observations, knobs, of_threads, term);
  };
  return ablate_terms(trial, unknowns, runs.size(), threads);
}

std::int64_t constants_max(CalibrationSubject subject) {
  return subject == CalibrationSubject::stack ? 6 : 8;
}

std::optional<double> left_out_ratio(const FittedPlan& plan) {
  if (!plan.calibration.error_left_out) return std::nullopt;
  return *plan.calibration.error_left_out / plan.calibration.error_after;
}

Ablation ablation_of(const datasets::LawPlan& laws, std::span<const CalibrationPlan> plans,
                     int threads) {
  Ablation ablation;
  const std::vector<StackRuns> stacks = stack_runs(laws, plans, threads);
  for (const StackRuns& of : stacks) {
    AblatedRuns& runs = ablation.stacks.emplace_back(ablated({&of, 1}));
    runs.stack = of.stack;
    runs.constants = of.constants;
  }
  ablation.all = ablated(stacks);
  std::map<std::string, Calibration, std::less<>> fits;
  for (const CalibrationPlan& plan : plans) {
    if (fits.contains(plan.name)) continue;  // fitted with another plan of its subject
    for (FinishedCalibration& fit : fits_of(plans, plan, threads)) {
      fits.emplace(fit.task.name, std::move(fit.result));
    }
  }
  for (const CalibrationPlan& plan : plans) {
    ablation.plans.push_back({.name = plan.name,
                              .of = plan.of,
                              .subject = plan.subject,
                              .constants_of_subject = constants_of(plans, plan),
                              .calibration = std::move(fits.at(plan.name))});
  }
  return ablation;
}

}  // namespace cubicbench::predictor
