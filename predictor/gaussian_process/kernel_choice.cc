#include "predictor/gaussian_process/kernel_choice.h"

#include <cmath>
#include <limits>

#include "sim/base/numeric.h"

namespace cubicbench::predictor {
namespace {

/// The likelihood of choices, for a number of rows that stays.
class Judged {
 public:
  Judged(std::span<const KnobAxis> axes, std::span<const Levels> rows,
         std::span<const double> targets)
      : axes_(axes), rows_(rows), targets_(targets) {}

  double operator()(const KernelChoice& choice) const {
    return process_of(axes_, rows_, targets_, choice).log_likelihood();
  }

 private:
  std::span<const KnobAxis> axes_;
  std::span<const Levels> rows_;
  std::span<const double> targets_;
};

}  // namespace

GaussianProcess process_of(std::span<const KnobAxis> axes, std::span<const Levels> rows,
                           std::span<const double> targets, const KernelChoice& choice) {
  GaussianProcess process(ProductKernel(axes, choice.rates), choice.noise);
  for (const Levels& row : rows) process.add(row);
  process.set_targets(targets);
  return process;
}

KernelChoice choose_kernel(std::span<const KnobAxis> axes, std::span<const Levels> rows,
                           std::span<const double> targets, const KernelSearch& search) {
  const Judged likelihood(axes, rows, targets);
  KernelChoice best;
  double best_length = 1.0;
  double highest = -std::numeric_limits<double>::infinity();
  for (const double length : search.lengths) {
    for (const double noise : search.noises) {
      const KernelChoice choice{.rates = std::vector<double>(axes.size(), 1.0 / length),
                                .noise = noise};
      const double found = likelihood(choice);
      if (found > highest) {
        highest = found;
        best = choice;
        best_length = length;
      }
    }
  }
  constexpr double step = 3.0;
  constexpr double log_step = 1.0986122886681098;
  std::vector<int> steps(axes.size(), 0);
  for (std::size_t sweep = 0; sweep < search.sweeps; ++sweep) {
    for (std::size_t knob = 0; knob < axes.size(); ++knob) {
      const int at = steps[knob];
      for (const int to : {at - 1, at + 1}) {
        if (std::abs(to) > 3) continue;
        KernelChoice choice = best;
        choice.rates[knob] = sim::pow(step, to) / best_length;
        const double found = likelihood(choice);
        const double cost = search.caution * log_step * (std::abs(to) - std::abs(steps[knob]));
        if (found - cost > highest) {
          highest = found - cost;
          best = choice;
          steps[knob] = to;
          break;
        }
      }
    }
  }
  return best;
}

}  // namespace cubicbench::predictor
