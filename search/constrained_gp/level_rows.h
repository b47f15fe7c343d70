#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/constrained_gp/space_axes.h"

namespace cubicbench::search {

/// Configurations as models see them: the number of each, and a row of its levels.
class LevelRows {
 public:
  explicit LevelRows(std::size_t knobs) : knobs_(knobs) {}

  /// Requires a level for each knob.
  void add(std::uint64_t number, std::span<const std::uint8_t> levels) {
    numbers_.push_back(number);
    levels_.insert(levels_.end(), levels.begin(), levels.end());
  }

  std::size_t size() const { return numbers_.size(); }
  std::uint64_t number(std::size_t i) const { return numbers_[i]; }
  std::span<const std::uint8_t> levels(std::size_t i) const {
    return std::span(levels_).subspan(i * knobs_, knobs_);
  }

 private:
  std::size_t knobs_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint8_t> levels_;
};

}  // namespace cubicbench::search
