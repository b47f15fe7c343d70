#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "predictor/forest/regression_tree.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::search {

/// The configurations of a space as trees see them: the values of ordered knobs in their order,
/// others as labels. Where conditions can make a knob inactive, that is a level of its own, before
/// the first value. Of more values than `levels_max` neighbours share a level.
class SpaceLevels {
 public:
  explicit SpaceLevels(const scenarios::SearchSpace& space);

  const std::vector<predictor::LevelColumn>& columns() const { return columns_; }

  void write(std::span<const std::int64_t> configuration, std::span<std::uint8_t> levels) const;

  predictor::Levels levels_of(std::span<const std::int64_t> configuration) const;

 private:
  std::vector<predictor::LevelColumn> columns_;
  std::vector<std::size_t> first_;   ///< by knob: the level of its first value
  std::vector<std::size_t> shared_;  ///< by knob: values of a level
};

}  // namespace cubicbench::search
