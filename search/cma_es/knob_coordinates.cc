#include "search/cma_es/knob_coordinates.h"

#include <algorithm>

#include "search/cma_es/even_levels.h"

namespace cubicbench::search {

using scenarios::Configuration;
using scenarios::Parameter;

KnobCoordinates::KnobCoordinates(const scenarios::SearchSpace& space) : space_(&space) {
  for (const Parameter& parameter : space.parameters()) {
    const std::size_t values = parameter.values.size();
    const bool labels = parameter.type == scenarios::ParameterType::categorical && values > 2;
    Knob knob{.first = levels_.size(), .coordinates = labels ? values : 1};
    if (values < 2) knob.coordinates = 0;
    knobs_.push_back(knob);
    levels_.insert(levels_.end(), knob.coordinates, labels ? 2 : static_cast<std::int64_t>(values));
  }
}

std::vector<double> KnobCoordinates::place_of(const Configuration& config,
                                              std::span<const double> otherwise) const {
  std::vector<double> place(otherwise.begin(), otherwise.end());
  for (std::size_t i = 0; i < knobs_.size(); ++i) {
    if (config[i] == scenarios::inactive) continue;
    const Knob& knob = knobs_[i];
    if (knob.coordinates == 1) {
      place[knob.first] =
          static_cast<double>(config[i]) / static_cast<double>(levels_[knob.first] - 1);
    }
    if (knob.coordinates < 2) continue;
    std::fill_n(place.begin() + static_cast<std::ptrdiff_t>(knob.first), knob.coordinates, 0.0);
    place[knob.first + static_cast<std::size_t>(config[i])] = 1.0;
  }
  return place;
}

std::int64_t KnobCoordinates::value_of(const Knob& knob, std::span<const double> place) const {
  if (knob.coordinates == 0) return 0;
  if (knob.coordinates == 1) return nearest_level(place[knob.first], levels_[knob.first]);
  const auto labels = place.subspan(knob.first, knob.coordinates);
  return std::ranges::max_element(labels) - labels.begin();
}

Configuration KnobCoordinates::configuration_of(std::span<const double> place) const {
  Configuration config(knobs_.size());
  // Conditions read earlier parameters alone, so one pass settles who is active.
  for (std::size_t i = 0; i < knobs_.size(); ++i) {
    config[i] = space_->active(config, i) ? value_of(knobs_[i], place) : scenarios::inactive;
  }
  return config;
}

}  // namespace cubicbench::search
