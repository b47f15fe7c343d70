#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cubicbench::predictor {

/// The level of each knob of a configuration: what a kernel sees of it.
using Levels = std::vector<std::uint8_t>;

/// Levels that a knob may have.
inline constexpr std::size_t levels_max = 64;

/// A knob as a kernel sees it: places of its levels on an axis, or labels that are all one apart.
struct KnobAxis {
  std::vector<double> places;  ///< by level; of labels only their number counts
  bool labels = false;

  double distance(std::size_t from, std::size_t to) const;
};

/// What two configurations have in common, from 0 to 1:
///
///   k(x, y) = exp(-sum_i r_i d_i(x_i, y_i)) = prod_i exp(-r_i d_i(x_i, y_i))
///
/// d_i the distance of two levels on the axis of knob i, r_i its rate: one over its length scale.
/// A table of factors for each knob, so that the neighbour of a configuration takes one product.
class ProductKernel {
 public:
  /// Requires as many rates as axes, none below 0, and at most `levels_max` levels of an axis.
  ProductKernel(std::span<const KnobAxis> axes, std::span<const double> rates);

  std::size_t knobs() const { return begins_.size(); }

  std::size_t levels(std::size_t knob) const { return widths_[knob]; }

  double factor(std::size_t knob, std::size_t from, std::size_t to) const {
    return factors_[begins_[knob] + from * widths_[knob] + to];
  }
  /// One number for each level of each knob, below tables().
  std::size_t table(std::size_t knob, std::size_t level) const { return tables_[knob] + level; }
  std::size_t tables() const { return tables_.empty() ? 0 : tables_.back() + widths_.back(); }
  double between(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y) const;

 private:
  std::vector<std::size_t> begins_;  ///< by knob: of its table in `factors_`
  std::vector<std::size_t> widths_;
  std::vector<std::size_t> tables_;  ///< by knob: table() of its first level
  std::vector<double> factors_;
};

}  // namespace cubicbench::predictor
