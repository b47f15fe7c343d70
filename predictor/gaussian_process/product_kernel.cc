#include "predictor/gaussian_process/product_kernel.h"

#include <cmath>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::predictor {

double KnobAxis::distance(std::size_t from, std::size_t to) const {
  if (labels) return from == to ? 0.0 : 1.0;
  return std::abs(places[from] - places[to]);
}

ProductKernel::ProductKernel(std::span<const KnobAxis> axes, std::span<const double> rates) {
  SIM_ASSERT(axes.size() == rates.size(), axes.size(), rates.size());
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t levels = axes[i].places.size();
    SIM_ASSERT(levels <= levels_max, levels);
    SIM_ASSERT(rates[i] >= 0.0, rates[i]);
    tables_.push_back(tables());
    begins_.push_back(factors_.size());
    widths_.push_back(levels);
    factors_.resize(factors_.size() + levels * levels, 1.0);
    double* const table = factors_.data() + begins_[i];
    for (std::size_t from = 0; from < levels; ++from) {
      for (std::size_t to = 0; to < from; ++to) {
        const double factor = sim::exp(-rates[i] * axes[i].distance(from, to));
        table[from * levels + to] = factor;
        table[to * levels + from] = factor;
      }
    }
  }
}

double ProductKernel::between(std::span<const std::uint8_t> x,
                              std::span<const std::uint8_t> y) const {
  double product = 1.0;
  for (std::size_t i = 0; i < knobs(); ++i) {
    if (x[i] != y[i]) product *= factor(i, x[i], y[i]);
  }
  return product;
}

}  // namespace cubicbench::predictor
