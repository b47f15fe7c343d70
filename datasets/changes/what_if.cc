#include "datasets/changes/what_if.h"

#include <algorithm>
#include <utility>

#include "datasets/exhaustive/best_found.h"
#include "scenarios/evaluation/evaluate.h"
#include "sim/engine/step_energy.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Direction;
using scenarios::Reason;

/// 0: has a value; 1: a step, but no value; 2: does not fit; 3: invalid.
int tier(const PlanOutcome& outcome) {
  if (outcome.has_value()) return 0;
  if (outcome.status == sim::StepStatus::ok) return 1;
  return outcome.status == sim::StepStatus::invalid ? 3 : 2;
}

std::vector<JudgedChange> judged(const scenarios::Instance& instance,
                                 std::vector<PlanChange> changes, int threads) {
  constexpr std::size_t block = 64;  // changes that share a workspace
  std::vector<JudgedChange> all(changes.size());
  support::parallel_for((changes.size() + block - 1) / block, threads, [&](std::size_t b) {
    sim::Workspace workspace;
    const std::size_t end = std::min(changes.size(), (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) {
      all[i].change = std::move(changes[i]);
      all[i].outcome.truth.reason = Reason::invalid;
      if (!all[i].change.outside.empty()) continue;
      all[i].outcome = outcome_of(instance, all[i].change.plan, workspace);
    }
  });
  return all;
}

/// The best of `changes`, the first of equals.
const JudgedChange* best_of(const std::vector<JudgedChange>& changes, Direction direction) {
  const auto found = std::ranges::max_element(changes, [&](const auto& a, const auto& b) {
    return is_better(b.outcome, a.outcome, direction);
  });
  return found == changes.end() ? nullptr : &*found;
}

/// As many of the best that pairs of them are no more than `pairs_max`.
std::vector<PlanChange> promising(const PlanChanges& changes,
                                  const std::vector<JudgedChange>& ranked, std::size_t pairs_max) {
  std::vector<PlanChange> firsts;
  std::size_t pairs = 0;
  for (const JudgedChange& one : ranked) {
    pairs += changes.pairs_with(one.change, firsts.size());
    if (pairs > pairs_max) break;
    firsts.push_back(one.change);
  }
  return firsts;
}

/// What needs least memory of those that `admits`; nothing where none needs less than `now`.
template <typename Admits>
const JudgedChange* least_memory(const std::vector<JudgedChange>& ranked, const PlanOutcome& now,
                                 Admits admits) {
  const JudgedChange* least = nullptr;
  sim::Bytes bytes = now.demand();
  for (const JudgedChange& one : ranked) {  // of equals the better one comes first
    if (!admits(one.outcome) || one.outcome.demand() >= bytes) continue;
    least = &one;
    bytes = one.outcome.demand();
  }
  return least;
}

/// Collects what is worth printing.
class Adviser {
 public:
  Adviser(Direction direction, WhatIf& of) : direction_(direction), of_(of) {}

  void advise(const JudgedChange* single, const JudgedChange* pair) {
    const bool runs = is_running(of_.now);
    const bool alone = improves(single, of_.now);
    if (alone) add(runs ? AdviceKind::best_change : AdviceKind::makes_it_fit, *single);
    if (improves(pair, of_.now) && (!alone || improves(pair, single->outcome))) {
      add(runs || alone ? AdviceKind::best_pair : AdviceKind::pair_makes_it_fit, *pair);
    }
    if (of_.now.status != sim::StepStatus::invalid) advise_on_memory();
  }

 private:
  static bool is_running(const PlanOutcome& outcome) {
    return outcome.status == sim::StepStatus::ok;
  }

  /// Equal values are no improvement, whatever memory they need.
  bool improves(const JudgedChange* change, const PlanOutcome& over) const {
    if (change == nullptr || !is_running(change->outcome)) return false;
    if (tier(change->outcome) != tier(over)) return tier(change->outcome) < tier(over);
    return over.has_value() && is_better(change->outcome.truth.value, over.truth.value, direction_);
  }

  void advise_on_memory() {
    const JudgedChange* const freed =
        least_memory(of_.singles, of_.now, [&](const PlanOutcome& one) {
          return of_.now.has_value() && one.has_value() &&
                 !is_better(of_.now.truth.value, one.truth.value, direction_);
        });
    if (freed != nullptr) add(AdviceKind::frees_for_nothing, *freed);
    const JudgedChange* const most =
        least_memory(of_.singles, of_.now, [&](const PlanOutcome& one) {
          return of_.now.has_value() ? one.has_value() : is_running(one);
        });
    if (most != nullptr && most != freed) add(AdviceKind::frees_most, *most);
  }

  void add(AdviceKind kind, const JudgedChange& judged) {
    of_.advice.push_back({.kind = kind, .judged = judged});
  }

  Direction direction_;
  WhatIf& of_;
};

}  // namespace

PlanOutcome outcome_of(const scenarios::Instance& instance, const sim::Plan& plan,
                       sim::Workspace& workspace) {
  const sim::StepReport report = scenarios::evaluate(instance.scenario(), plan, workspace);
  return {.status = report.status,
          .step = report.step,
          .truth = instance.true_value(plan, report.status, report.step, sim::busy_time(report)),
          .memory = report.memory,
          .violation = report.violation};
}

bool is_better(const PlanOutcome& a, const PlanOutcome& b, Direction direction) {
  if (tier(a) != tier(b)) return tier(a) < tier(b);
  switch (tier(a)) {
    case 0:
      if (a.truth.value != b.truth.value) return is_better(a.truth.value, b.truth.value, direction);
      return a.demand() < b.demand();
    case 1:
      return a.step < b.step;
    case 2:
      return margin(a.memory) > margin(b.memory);
    default:
      return false;
  }
}

WhatIf what_if(const scenarios::Instance& instance, const sim::Plan& plan, int threads,
               std::size_t pairs_max) {
  const scenarios::Scenario& scenario = instance.scenario();
  const Direction direction = scenario.objective.direction;
  const PlanChanges changes(scenario.space, plan);
  sim::Workspace workspace;
  WhatIf answer{
      .now = outcome_of(instance, plan, workspace), .singles = {}, .searched = {}, .advice = {}};
  answer.singles = judged(instance, changes.singles(), threads);
  std::ranges::stable_sort(answer.singles, [&](const JudgedChange& a, const JudgedChange& b) {
    return is_better(a.outcome, b.outcome, direction);
  });
  const std::vector<PlanChange> firsts = promising(changes, answer.singles, pairs_max);
  const std::vector<JudgedChange> pairs = judged(instance, changes.pairs(firsts), threads);
  answer.searched = {
      .pairs = pairs.size(), .firsts = firsts.size(), .singles = answer.singles.size()};
  Adviser(direction, answer).advise(best_of(answer.singles, direction), best_of(pairs, direction));
  return answer;
}

}  // namespace cubicbench::datasets
