#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/cma_es/normal_cloud.h"

namespace cubicbench::search {

/// A lower bound on how rarely each coordinate leaves its present value [Hamano22], so that
/// integers do not freeze while their deviation is below the distance of two values: step for step
/// the class `CMAwM` of the package cmaes 0.9.1. Coordinate i has `levels[i]` values (at least 2),
/// evenly spaced from 0 to 1, and takes the nearest.
class Margin {
 public:
  /// `margin`, in (0, 0.5), is the least probability, which both sides share.
  Margin(std::vector<std::int64_t> levels, double margin);

  /// Where a coordinate of a sample lies: its distance from the mean is stretched.
  double place(const NormalCloud& cloud, std::span<const double> sample,
               std::size_t coordinate) const;

  /// Moves the cloud's mean and stretches coordinates until each is as likely as the margin to
  /// leave the value of the mean. After each of the cloud's updates.
  void correct(NormalCloud& cloud);

 private:
  /// The two places between which the value is that of the mean; equal where that is the first or
  /// last.
  struct Cell {
    double low = 0.0;
    double high = 0.0;
  };

  Cell cell_of(std::size_t coordinate, double mean) const;
  void correct_end(NormalCloud& cloud, std::size_t coordinate, const Cell& cell, double below,
                   double above) const;
  void correct_inside(NormalCloud& cloud, std::size_t coordinate, const Cell& cell, double below,
                      double above);

  std::vector<std::int64_t> levels_;
  std::vector<double> stretch_;
  double margin_;
};

}  // namespace cubicbench::search
