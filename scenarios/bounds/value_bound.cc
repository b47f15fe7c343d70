#include "scenarios/bounds/value_bound.h"

#include <limits>
#include <variant>

#include "scenarios/bounds/transformer_bound.h"

namespace cubicbench::scenarios {
namespace {

/// Shorter steps are better.
bool is_natural(const Objective& objective) {
  return (objective.metric == Metric::step_time_s) == (objective.direction == Direction::minimize);
}

}  // namespace

ValueBound::ValueBound(const Instance& instance) : instance_(instance) {
  const Scenario& scenario = instance.scenario();
  const bool closed = !scenario.measured && scenario.engine == Engine::analytical;
  if (!closed || !is_natural(scenario.objective)) return;
  if (const auto* const model = std::get_if<sim::Recommendation>(&scenario.workload)) {
    recommendation_.emplace(instance, *model);
  } else {
    transformer_ = std::get_if<sim::Transformer>(&scenario.workload);
  }
}

double ValueBound::upper_bound(std::span<const std::int64_t> configuration, std::size_t decided) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (recommendation_) return recommendation_->upper_bound(configuration, decided);
  if (transformer_) return transformer_bound(instance_, *transformer_, configuration, decided);
  const bool maximises = instance_.scenario().objective.direction == Direction::maximize;
  return maximises ? infinity : -infinity;
}

}  // namespace cubicbench::scenarios
