#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "predictor/gaussian_process/gaussian_process.h"
#include "predictor/gaussian_process/product_kernel.h"

namespace cubicbench::predictor {

/// The settings of a Gaussian process that the data choose.
struct KernelChoice {
  std::vector<double> rates;  ///< by knob
  double noise = 0.01;
};

struct KernelSearch {
  std::vector<double> lengths{1.0, 2.0, 4.0, 8.0, 16.0};
  std::vector<double> noises{0.001, 0.01, 0.05};
  std::size_t sweeps = 0;  ///< over knobs, each of which may get a rate of its own
  double caution =
      0.5;  ///< in nats: cost of a factor of e between the rate of a knob and the common one
};

/// The length scale, one for all knobs, and the noise of the highest likelihood. Then, knob after
/// knob, whether a lower or higher rate of its own has a higher one: what says nothing should keep
/// no two configurations apart. `rows` and `targets` are of one size, at least 2.
KernelChoice choose_kernel(std::span<const KnobAxis> axes, std::span<const Levels> rows,
                           std::span<const double> targets, const KernelSearch& search);

GaussianProcess process_of(std::span<const KnobAxis> axes, std::span<const Levels> rows,
                           std::span<const double> targets, const KernelChoice& choice);

}  // namespace cubicbench::predictor
