#include "datasets/changes/plan_changes.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "scenarios/space/plan_parameters.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Assignment;
using scenarios::Parameter;

}  // namespace

PlanChanges::PlanChanges(const scenarios::SearchSpace& space, const sim::Plan& plan)
    : space_(space),
      plan_(plan),
      active_(scenarios::active_parameters(space, plan)),
      problems_(space.from_plan(plan).problems) {}

/// Problems that the plan itself does not have.
std::string PlanChanges::outside(const sim::Plan& plan) const {
  for (const scenarios::SpaceProblem& problem : space_.from_plan(plan).problems) {
    const bool is_known = std::ranges::any_of(problems_, [&](const auto& known) {
      return known.pointer == problem.pointer && known.text == problem.text;
    });
    if (!is_known) return problem.text;
  }
  return "";
}

/// Knobs behind the turned ones that `plan_` does not activate.
void PlanChanges::add_activated(const sim::Plan& plan, std::size_t from, PlanChange& change) const {
  change.plan = plan;
  for (std::size_t i = from; i < space_.size(); ++i) {
    const Parameter& parameter = space_.parameters()[i];
    if (active_[i] || !scenarios::active_parameters(space_, change.plan)[i]) continue;
    const auto is_it = [&](const Assignment& one) { return one.setting == parameter.setting; };
    if (std::ranges::any_of(change.set, is_it)) continue;
    const std::int64_t value = parameter.values.front();
    parameter.setting->apply(change.plan, value);
    change.set.push_back({.setting = parameter.setting, .value = value});
  }
}

PlanChange PlanChanges::changed(std::vector<Assignment> set) const {
  PlanChange change{.set = std::move(set), .plan = plan_};
  for (const Assignment& one : change.set) one.setting->apply(change.plan, one.value);
  const int first = space_.find(change.set.front().setting->name);
  add_activated(change.plan, static_cast<std::size_t>(first) + 1, change);
  // Inactive knobs have the values of the space's base, as in every configuration.
  const scenarios::Placement placement = space_.from_plan(change.plan);
  if (placement.in_space()) {
    space_.apply(placement.configuration, change.plan);
  } else {
    change.outside = outside(change.plan);
  }
  return change;
}

std::vector<PlanChange> PlanChanges::singles() const {
  std::vector<PlanChange> changes;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    if (!active_[i]) continue;
    const Parameter& parameter = space_.parameters()[i];
    for (const std::int64_t value : parameter.values) {
      if (value == parameter.setting->read(plan_)) continue;
      changes.push_back(changed({{.setting = parameter.setting, .value = value}}));
    }
  }
  return changes;
}

std::size_t PlanChanges::single_count() const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    if (active_[i]) count += space_.parameters()[i].values.size();
  }
  return count;
}

const Parameter& PlanChanges::parameter_of(const Assignment& assignment) const {
  const int index = space_.find(assignment.setting->name);
  return space_.parameters()[static_cast<std::size_t>(index)];
}

std::size_t PlanChanges::pairs_with(const PlanChange& one, std::size_t others) const {
  std::size_t count = others;
  for (std::size_t i = 1; i < one.set.size(); ++i) {
    count += parameter_of(one.set[i]).values.size() - 1;
  }
  return count;
}

std::vector<PlanChange> PlanChanges::pairs(std::span<const PlanChange> firsts) const {
  std::vector<PlanChange> changes;
  for (const PlanChange& first : firsts) {
    const Assignment& turned = first.set.front();
    const int place = space_.find(turned.setting->name);
    const std::vector<bool> active = scenarios::active_parameters(space_, first.plan);
    for (const PlanChange& other : firsts) {
      const Assignment& second = other.set.front();
      const int index = space_.find(second.setting->name);
      if (index <= place || !active[static_cast<std::size_t>(index)]) continue;
      if (second.value != second.setting->read(first.plan)) {
        changes.push_back(changed({turned, second}));
      }
    }
    for (std::size_t i = 1; i < first.set.size(); ++i) {
      const Assignment& activated = first.set[i];
      for (const std::int64_t value : parameter_of(activated).values) {
        if (value == activated.value) continue;
        changes.push_back(changed({turned, {.setting = activated.setting, .value = value}}));
      }
    }
  }
  return changes;
}

}  // namespace cubicbench::datasets
