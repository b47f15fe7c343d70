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

/// What is tried.
struct KernelSearch {
  std::vector<double> lengths{1.0, 2.0, 4.0, 8.0, 16.0};
  std::vector<double> noises{0.001, 0.01, 0.05};
  std::size_t sweeps = 0;  ///< over knobs, each of which may get a rate of its own
};

/// The length scale, one for all knobs, of the highest likelihood with a middling noise, and the
/// noise of the highest with that length: all pairs take three times as long and choose no better
/// ones. Then, knob after knob, three times or a third of its rate where that gains more than half
/// a nat for each factor of e between it and the others': what says nothing should keep no
/// configurations apart. Requires as many targets as rows, two of them different.
KernelChoice choose_kernel(std::span<const KnobAxis> axes, std::span<const Levels> rows,
                           std::span<const double> targets, const KernelSearch& search);

GaussianProcess process_of(std::span<const KnobAxis> axes, std::span<const Levels> rows,
                           std::span<const double> targets, const KernelChoice& choice);

}  // namespace cubicbench::predictor
