#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace cubicbench::predictor {

/// Vectors of one length that grow together, in one block of memory.
class FactorRows {
 public:
  FactorRows() = default;
  explicit FactorRows(std::size_t vectors) : vectors_(vectors) {}

  std::span<const double> operator[](std::size_t vector) const {
    return std::span(numbers_).subspan(vector * stride_, size_);
  }
  std::span<double> operator[](std::size_t vector) {
    return std::span(numbers_).subspan(vector * stride_, size_);
  }

  /// What comes anew is any number.
  void resize(std::size_t size) {
    if (size > stride_) move_to(std::max(size, 2 * stride_));
    size_ = size;
  }

 private:
  void move_to(std::size_t stride) {
    std::vector<double> moved(vectors_ * stride);
    for (std::size_t vector = 0; vector < vectors_; ++vector) {
      std::ranges::copy((*this)[vector],
                        moved.begin() + static_cast<std::ptrdiff_t>(vector * stride));
    }
    numbers_ = std::move(moved);
    stride_ = stride;
  }

  std::size_t vectors_ = 0;
  std::size_t size_ = 0;
  std::size_t stride_ = 0;  ///< numbers that there is room for in each
  std::vector<double> numbers_;
};

}  // namespace cubicbench::predictor
