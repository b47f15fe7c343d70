#include "scenarios/readers/objective_reader.h"

#include <cstddef>

namespace cubicbench::scenarios {
Objective read_objective(support::ObjectReader& in, const std::optional<Objective>& otherwise) {
  std::optional<std::size_t> metric;
  std::optional<double> percentile;
  std::optional<std::size_t> natural;
  if (otherwise) {
    metric = static_cast<std::size_t>(otherwise->metric);
    percentile = otherwise->percentile;
  }
  Objective objective;
  objective.metric = static_cast<Metric>(in.one_of("metric", metric_names, metric));
  objective.percentile = in.number("percentile", 0.1, 99.9, percentile);
  if (otherwise) natural = objective.metric == Metric::step_time_s ? 0 : 1;
  objective.direction = static_cast<Direction>(in.one_of("direction", direction_names, natural));
  return objective;
}

}  // namespace cubicbench::scenarios
