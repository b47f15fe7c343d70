#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "predictor/gaussian_process/product_kernel.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// The knobs of a space as axes of a kernel: numbers by their logarithms, with the first and the
/// last (values - 1) / 2 apart and at most 1.5, whatever else is in no order as labels. A knob that
/// is inactive stands at its first level. Of more than `levels_max` values neighbours share a
/// level.
class SpaceAxes {
 public:
  explicit SpaceAxes(const scenarios::SearchSpace& space);

  std::span<const predictor::KnobAxis> axes() const { return axes_; }

  predictor::Levels levels_of(std::span<const std::int64_t> configuration) const;
  /// Writes the same to `levels`.
  void levels_of(std::span<const std::int64_t> configuration, predictor::Levels& levels) const;

 private:
  std::vector<predictor::KnobAxis> axes_;
  std::vector<std::size_t> values_;  ///< by knob
};

}  // namespace cubicbench::search
