#include "search/forest/space_levels.h"

namespace cubicbench::search {

using predictor::levels_max;
using scenarios::ParameterType;

SpaceLevels::SpaceLevels(const scenarios::SearchSpace& space) {
  for (const scenarios::Parameter& parameter : space.parameters()) {
    const std::size_t first = parameter.when.empty() ? 0 : 1;
    const std::size_t values = parameter.values.size();
    const std::size_t places = levels_max - first;
    const std::size_t shared = (values + places - 1) / places;
    first_.push_back(first);
    shared_.push_back(shared);
    columns_.push_back({.levels = first + (values - 1) / shared + 1,
                        .labels = parameter.type == ParameterType::categorical ||
                                  parameter.type == ParameterType::boolean});
  }
}

void SpaceLevels::write(std::span<const std::int64_t> configuration,
                        std::span<std::uint8_t> levels) const {
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    const std::int64_t value = configuration[i];
    const std::size_t level =
        value == scenarios::inactive ? 0 : first_[i] + static_cast<std::size_t>(value) / shared_[i];
    levels[i] = static_cast<std::uint8_t>(level);
  }
}

predictor::Levels SpaceLevels::levels_of(std::span<const std::int64_t> configuration) const {
  predictor::Levels levels(configuration.size());
  write(configuration, levels);
  return levels;
}

}  // namespace cubicbench::search
