#include "results/validation/ablation.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>

#include "datasets/validation/row_keys.h"
#include "predictor/calibration/ablation.h"
#include "predictor/calibration/calibration_runs.h"
#include "predictor/calibration/subject_calibration.h"
#include "scenarios/evaluation/evaluate.h"

namespace cubicbench::results {
namespace {

using datasets::CalibrationPlan;
using datasets::CalibrationSubject;
using predictor::AblatedTerm;
using predictor::CalibrationRun;

/// What constants of one stack are fitted to.
struct StackRuns {
  std::string stack;
  std::vector<std::string> constants;
  std::vector<CalibrationRun> runs;
};

void add(const CalibrationPlan& plan, StackRuns& to) {
  to.constants.insert(to.constants.end(), plan.fit.begin(), plan.fit.end());
  const auto key = [](const CalibrationRun& run) {
    return std::tie(run.row.source, run.row.family, run.row.id, run.row.line);
  };
  std::set<std::tuple<std::string, std::string, std::string, std::size_t>> there;
  for (const CalibrationRun& run : to.runs) there.insert(key(run));
  for (CalibrationRun& run : predictor::calibration_runs(plan).runs) {
    // What is ablated are the terms of transformers.
    if (!std::holds_alternative<sim::Transformer>(run.scenario.workload)) continue;
    if (there.insert(key(run)).second) to.runs.push_back(std::move(run));
  }
}

std::vector<StackRuns> stack_runs(std::span<const CalibrationPlan> plans) {
  std::vector<StackRuns> stacks;
  for (const CalibrationPlan& plan : plans) {
    if (plan.subject != CalibrationSubject::stack) continue;
    auto at = std::ranges::find(stacks, plan.of, &StackRuns::stack);
    if (at == stacks.end()) {
      stacks.push_back({.stack = plan.of, .constants = {}, .runs = {}});
      at = std::prev(stacks.end());
    }
    add(plan, *at);
  }
  std::erase_if(stacks, [](const StackRuns& of) { return of.runs.empty(); });
  return stacks;
}

ValidatedRow validated(const CalibrationRun& run, sim::Seconds simulated) {
  const scenarios::Scenario& scenario = run.scenario;
  const double tokens =
      scenarios::tokens_per_s(scenario, scenario.baseline, sim::Seconds{1.0}).value_or(0.0);
  ValidatedRow row;
  row.group = group_of(run.row);
  row.throughput_measured = tokens / (run.step.value * scenario.cluster.gpus);
  row.throughput_simulated = tokens / (simulated.value * scenario.cluster.gpus);
  row.rel_error = (simulated - run.step) / run.step;
  return row;
}

/// Runs timed without a term.
struct TimedTerm {
  const predictor::StepTerm* term;
  bool in_runs;
  std::vector<ValidatedRow> rows;
};

std::vector<TimedTerm> timed_terms(const StackRuns& of, int threads) {
  std::vector<TimedTerm> terms;
  for (const AblatedTerm& without : predictor::ablate(of.runs, of.constants, threads)) {
    TimedTerm& term = terms.emplace_back(TimedTerm{without.term, without.in_runs, {}});
    for (std::size_t i = 0; i < of.runs.size(); ++i) {
      term.rows.push_back(validated(of.runs[i], without.steps[i]));
    }
  }
  return terms;
}

/// Adds the runs of another stack, of which all have the same terms.
void add(const std::vector<TimedTerm>& terms, std::vector<TimedTerm>& to) {
  if (to.empty()) {
    to = terms;
    return;
  }
  for (std::size_t t = 0; t < terms.size(); ++t) {
    to[t].in_runs = to[t].in_runs || terms[t].in_runs;
    to[t].rows.insert(to[t].rows.end(), terms[t].rows.begin(), terms[t].rows.end());
  }
}

std::vector<TermErrors> errors_of(const std::vector<TimedTerm>& terms) {
  std::vector<TermErrors> errors;
  for (const auto& [term, in_runs, rows] : terms) {
    errors.push_back({.term = term, .in_runs = in_runs, .errors = summary_of(all_rows(rows))});
  }
  return errors;
}

void ablate_stacks(const std::vector<StackRuns>& stacks, Ablation& ablation, int threads) {
  std::vector<TimedTerm> all;
  std::set<std::string_view> all_models;
  for (const StackRuns& of : stacks) {
    const std::vector<TimedTerm> terms = timed_terms(of, threads);
    std::set<std::string_view> models;
    for (const CalibrationRun& run : of.runs) models.insert(run.model);
    ablation.stacks.push_back({.stack = of.stack,
                               .constants = of.constants,
                               .rows = std::ssize(of.runs),
                               .models = std::ssize(models),
                               .terms = errors_of(terms)});
    ablation.all.rows += std::ssize(of.runs);
    all_models.merge(models);
    add(terms, all);
  }
  ablation.all.models = std::ssize(all_models);
  ablation.all.terms = errors_of(all);
}

std::int64_t constants_of(std::span<const CalibrationPlan> plans, const CalibrationPlan& like) {
  std::set<std::string_view> names;
  for (const CalibrationPlan& plan : plans) {
    if (plan.subject == like.subject && plan.of == like.of) {
      names.insert(plan.fit.begin(), plan.fit.end());
    }
  }
  return static_cast<std::int64_t>(names.size());
}

/// Plans that share a subject, fitted one after the other.
std::vector<predictor::FinishedCalibration> fits_of(std::span<const CalibrationPlan> plans,
                                                    const CalibrationPlan& like, int threads) {
  const predictor::CalibratedSubject subject =
      predictor::find_subject(like.subject, like.of, like.name);
  return predictor::run_calibrations(subject, predictor::planned_tasks(subject, plans), like.name,
                                     threads);
}

}  // namespace

std::int64_t constants_max(CalibrationSubject subject) {
  return subject == CalibrationSubject::stack ? 6 : 8;
}

std::optional<double> left_out_ratio(const FittedPlan& plan) {
  if (!plan.calibration.error_left_out) return std::nullopt;
  return *plan.calibration.error_left_out / plan.calibration.error_after;
}

Ablation ablation_of(std::span<const CalibrationPlan> plans, int threads) {
  Ablation ablation;
  ablate_stacks(stack_runs(plans), ablation, threads);
  std::map<std::string, predictor::Calibration, std::less<>> fits;
  for (const CalibrationPlan& plan : plans) {
    if (fits.contains(plan.name)) continue;  // fitted with another plan of its subject
    for (predictor::FinishedCalibration& fit : fits_of(plans, plan, threads)) {
      fits.emplace(fit.task.name, std::move(fit.result));
    }
  }
  for (const CalibrationPlan& plan : plans) {
    predictor::Calibration& fit = fits.at(plan.name);
    const auto models = static_cast<std::int64_t>(fit.models);
    ablation.plans.push_back({.name = plan.name,
                              .of = plan.of,
                              .subject = plan.subject,
                              .models = models,
                              .constants_of_subject = constants_of(plans, plan),
                              .calibration = std::move(fit)});
  }
  return ablation;
}

}  // namespace cubicbench::results
