#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "datasets/changes/plan_changes.h"
#include "scenarios/truth/instance.h"
#include "sim/engine/step_report.h"

namespace cubicbench::datasets {

/// What a plan comes to: numbers that `simulate` says of it.
struct PlanOutcome {
  sim::StepStatus status = sim::StepStatus::invalid;
  sim::Seconds step{};           ///< meaningful when ok
  scenarios::TrueValue truth{};  ///< of the objective
  sim::MemoryReport memory{};    ///< meaningful unless invalid
  sim::Violation violation{};    ///< when invalid

  bool has_value() const { return truth.reason == scenarios::Reason::none; }
  sim::Bytes demand() const { return largest_demand(memory); }
};

/// A change and what the changed plan comes to. A change that leads outside is invalid, and not
/// simulated.
struct JudgedChange {
  PlanChange change;
  PlanOutcome outcome;
};

/// Why a change is worth printing.
enum class AdviceKind {
  best_change,   ///< the best of all single changes, better than the plan
  best_pair,     ///< the best of the pairs that were looked at, better than every single change
  makes_it_fit,  ///< of a plan that does not run: the best single change that does
  pair_makes_it_fit,  ///< likewise, where no single change does so
  frees_for_nothing,  ///< of the single changes that make nothing worse, that which frees most
  frees_most,         ///< of all single changes that run, that which needs least memory; of those
                      ///< with a value, if the plan has one
};
inline constexpr int advice_kind_count = 6;

struct Advice {
  AdviceKind kind = AdviceKind::best_change;
  JudgedChange judged;
};

/// How pairs were looked at.
struct PairSearch {
  std::uint64_t pairs = 0;    ///< that were looked at
  std::uint64_t firsts = 0;   ///< single changes that they are made of
  std::uint64_t singles = 0;  ///< single changes that there are
};

/// What changes of one or two knobs would do to a plan.
struct WhatIf {
  PlanOutcome now;
  std::vector<JudgedChange> singles;  ///< the best first: those with a value, then those without
  PairSearch searched;
  std::vector<Advice> advice;  ///< by kind, each at most once
};

PlanOutcome outcome_of(const scenarios::Instance& instance, const sim::Plan& plan,
                       sim::Workspace& workspace);

/// Is `a` a better outcome than `b`? Those with a value of the objective are by that, and of equal
/// ones that is better which needs less memory; behind them are those that run out of time or
/// diverge, by their step, those that do not fit, by what they lack, and those that are invalid.
bool is_better(const PlanOutcome& a, const PlanOutcome& b, scenarios::Direction direction);

/// Simulates every single change of `plan`, and of the pairs of single changes all, or where they
/// are more than `pairs_max` those of as many of the best single changes as make no more. Every
/// piece of advice is an outcome that was simulated. On up to `threads` threads (0: all cores),
/// which change nothing.
WhatIf what_if(const scenarios::Instance& instance, const sim::Plan& plan, int threads,
               std::size_t pairs_max = 20'000);

}  // namespace cubicbench::datasets
