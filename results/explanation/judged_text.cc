#include "results/explanation/judged_text.h"

#include <cstdint>

#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "results/simulation/shown_problem.h"
#include "scenarios/evaluation/violation_text.h"
#include "scenarios/problem/trial_outcome.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using datasets::AdviceKind;
using datasets::PlanOutcome;

std::string sign(bool is_less) { return is_less ? "-" : "+"; }

std::string lack_text(const PlanOutcome& outcome) {
  return "out of memory: needs " + gib(outcome.demand()) + ", " +
         gib(-1.0 * margin(outcome.memory)) + " more than there is";
}

/// Of a plan with a step and without a value.
std::string reason_text(const PlanOutcome& outcome) {
  switch (outcome.truth.reason) {
    case scenarios::Reason::timeout:
      return "a job, or the training, would take longer than it may";
    case scenarios::Reason::numeric:
      return "training diverges";
    default:
      return std::string(scenarios::name_of(outcome.truth.reason));
  }
}

/// What the advice is of, and how sure that is.
std::string head_of(AdviceKind kind, const Explanation& of) {
  const std::string pairs = of.what_if.searched.firsts == of.what_if.searched.singles
                                ? "Best pair of changes: "
                                : "Best pair that was looked at: ";
  switch (kind) {
    case AdviceKind::best_change:
      return "Best single change: ";
    case AdviceKind::best_pair:
      return pairs;
    case AdviceKind::makes_it_fit:
      return "Best single change that makes it run: ";
    case AdviceKind::pair_makes_it_fit:
      return "No single change makes it run, but a pair does: ";
    case AdviceKind::frees_for_nothing:
      return "Frees memory and makes nothing worse: ";
    case AdviceKind::frees_most:
      return "Frees most memory: ";
  }
  return "";
}

/// "Of the single changes 21 run, 9 do not fit and 8 are invalid."
std::string fates_text(const datasets::WhatIf& what_if) {
  std::uint64_t run = 0;
  std::uint64_t large = 0;
  for (const datasets::JudgedChange& one : what_if.singles) {
    const sim::StepStatus status = one.outcome.status;
    run += status == sim::StepStatus::ok ? 1 : 0;
    large += status != sim::StepStatus::ok && status != sim::StepStatus::invalid ? 1 : 0;
  }
  const std::uint64_t invalid = what_if.singles.size() - run - large;
  return "Of the single changes " + grouped(run) + " run, " + grouped(large) + " do not fit and " +
         grouped(invalid) + " are invalid or outside the space.";
}

}  // namespace

std::string dtype_text(sim::Dtype dtype) {
  const scenarios::Setting* const setting = scenarios::find_setting("dtype");
  return scenarios::format_setting(*setting, static_cast<std::int64_t>(dtype));
}

std::string set_text(const datasets::PlanChange& change) {
  return support::joined(change.set, " ", [](const scenarios::Assignment& one) {
    return std::string(one.setting->name) + "=" +
           scenarios::format_setting(*one.setting, one.value);
  });
}

std::string why_not(const datasets::JudgedChange& judged) {
  const PlanOutcome& outcome = judged.outcome;
  if (!judged.change.outside.empty()) return "outside the space: " + judged.change.outside;
  if (outcome.status == sim::StepStatus::invalid) {
    return scenarios::violation_text(outcome.violation);
  }
  if (outcome.status != sim::StepStatus::ok) return lack_text(outcome);
  return outcome.has_value() ? "" : reason_text(outcome);
}

std::string signed_gib(sim::Bytes bytes) {
  const bool is_less = bytes < sim::Bytes{};
  return sign(is_less) + gib(is_less ? -1.0 * bytes : bytes);
}

std::string signed_duration(sim::Seconds time) {
  const bool is_less = time < sim::Seconds{};
  return sign(is_less) + duration(is_less ? -1.0 * time : time);
}

std::string effect_text(const PlanOutcome& outcome, const Explanation& of) {
  const PlanOutcome& now = of.what_if.now;
  const scenarios::Objective& objective = of.plan.simulation.scenario.objective;
  std::string text;
  if (outcome.status == sim::StepStatus::ok) {
    text += "step " + duration(outcome.step);
    if (now.status == sim::StepStatus::ok) {
      text += " (" + signed_percent(outcome.step / now.step - 1.0) + ")";
    }
  }
  if (outcome.has_value() && objective.metric != scenarios::Metric::step_time_s) {
    text += ", " + metric_text(objective, outcome.truth.value);
    if (now.has_value()) {
      text += " (" + signed_percent(outcome.truth.value / now.truth.value - 1.0) + ")";
    }
  }
  text += "; needs " + gib(outcome.demand());
  if (now.status != sim::StepStatus::invalid) {
    const sim::Bytes more = outcome.demand() - now.demand();
    text += more == sim::Bytes{} ? " as before" : " (" + signed_gib(more) + ")";
  }
  text += ", out of memory with probability " + percent(oom_probability(outcome.memory));
  return outcome.has_value() ? text : text + "; no value of the objective: " + reason_text(outcome);
}

std::string advice_text(const datasets::Advice& advice, const Explanation& of) {
  return head_of(advice.kind, of) + set_text(advice.judged.change) + ": " +
         effect_text(advice.judged.outcome, of) + ".";
}

std::string searched_text(const datasets::WhatIf& what_if) {
  const datasets::PairSearch& searched = what_if.searched;
  const std::string pairs = counted(searched.pairs, "pair", "pairs");
  if (searched.firsts == searched.singles) {
    return "Simulated: every single change (" + grouped(searched.singles) +
           ") and every pair of them (" + pairs + "). " + fates_text(what_if);
  }
  return "Simulated: every single change (" + grouped(searched.singles) +
         "), and of pairs those of the best " + grouped(searched.firsts) + " of them (" + pairs +
         "), so a pair elsewhere may be better. " + fates_text(what_if);
}

}  // namespace cubicbench::results
