#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "predictor/gaussian_process/wide_loops.h"

namespace cubicbench::predictor {

/// Products of the numbers of several vectors, from the first vector to the last.
class FactorProduct {
 public:
  /// Where they are written, once end() is called.
  explicit FactorProduct(std::span<double> products) : products_(products) {}

  /// The vector must be at least as long as the products, and outlive this.
  void times(std::span<const double> factors) {
    if (size_ == factors_.size()) end();
    factors_[size_++] = factors.data();
  }

  void end() {
    if (size_ == 0) {
      std::ranges::fill(products_, 1.0);
    } else {
      product(std::span(factors_).first(size_), products_);
    }
    factors_[0] = products_.data();
    size_ = 1;
  }

 private:
  std::span<double> products_;
  std::array<const double*, 24> factors_{};
  std::size_t size_ = 0;
};

}  // namespace cubicbench::predictor
