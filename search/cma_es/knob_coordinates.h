#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// The knobs of a space as coordinates of CMA-ES. Numbers and whatever else is in an order, and
/// labels of which there are two: one coordinate, on which the values lie evenly from 0 to 1. More
/// labels: one coordinate each, 0 or 1, of which the highest counts. Knobs with one value have
/// none.
class KnobCoordinates {
 public:
  /// `space` must outlive this.
  explicit KnobCoordinates(const scenarios::SearchSpace& space);

  std::size_t size() const { return levels_.size(); }

  /// How many values each coordinate has, at least 2.
  std::span<const std::int64_t> levels() const { return levels_; }

  /// The place of a configuration; coordinates of inactive knobs as in `otherwise`.
  std::vector<double> place_of(const scenarios::Configuration& config,
                               std::span<const double> otherwise) const;

  /// The configuration whose values are nearest to a place, inactive knobs marked; constraints may
  /// reject it.
  scenarios::Configuration configuration_of(std::span<const double> place) const;

 private:
  struct Knob {
    std::size_t first = 0;        ///< of its coordinates
    std::size_t coordinates = 0;  ///< 0, 1, or one per label
  };

  std::int64_t value_of(const Knob& knob, std::span<const double> place) const;

  const scenarios::SearchSpace* space_;
  std::vector<Knob> knobs_;
  std::vector<std::int64_t> levels_;
};

}  // namespace cubicbench::search
