#include "predictor/gaussian_process/kernel_choice.h"

#include <cstdlib>
#include <limits>
#include <utility>

#include "sim/base/numeric.h"

namespace cubicbench::predictor {
namespace {

constexpr double step = 3.0;
constexpr int steps_max = 3;
constexpr double nats_per_step = 0.5493061443340549;  // log(3) / 2

/// The best choice so far and the likelihoods of others.
class Climb {
 public:
  Climb(std::span<const KnobAxis> axes, std::span<const Levels> rows,
        std::span<const double> targets)
      : axes_(axes), rows_(rows), targets_(targets), steps_(axes.size(), 0) {}

  void try_common(double length, double noise) {
    KernelChoice choice{.rates = std::vector<double>(axes_.size(), 1.0 / length), .noise = noise};
    if (take(choice, 0.0)) length_ = length;
  }

  void try_own(std::size_t knob) {
    const int from = steps_[knob];
    for (const int to : {from - 1, from + 1}) {
      if (std::abs(to) > steps_max) continue;
      KernelChoice choice = best_;
      choice.rates[knob] = sim::pow(step, to) / length_;
      if (!take(choice, nats_per_step * (std::abs(to) - std::abs(from)))) continue;
      steps_[knob] = to;
      return;
    }
  }

  const KernelChoice& best() const { return best_; }
  double length() const { return length_; }

 private:
  bool take(KernelChoice& choice, double cost) {
    const double found = process_of(axes_, rows_, targets_, choice).log_likelihood() - cost;
    if (!(found > highest_)) return false;
    highest_ = found;
    best_ = std::move(choice);
    return true;
  }

  std::span<const KnobAxis> axes_;
  std::span<const Levels> rows_;
  std::span<const double> targets_;
  KernelChoice best_;
  double highest_ = -std::numeric_limits<double>::infinity();
  double length_ = 1.0;     ///< of the knobs without a rate of their own
  std::vector<int> steps_;  ///< by knob: its rate over theirs, as a power of `step`
};

}  // namespace

GaussianProcess process_of(std::span<const KnobAxis> axes, std::span<const Levels> rows,
                           std::span<const double> targets, const KernelChoice& choice) {
  GaussianProcess process(ProductKernel(axes, choice.rates), choice.noise);
  process.add_rows(rows);
  process.set_targets(targets);
  return process;
}

KernelChoice choose_kernel(std::span<const KnobAxis> axes, std::span<const Levels> rows,
                           std::span<const double> targets, const KernelSearch& search) {
  Climb climb(axes, rows, targets);
  const double first_noise = search.noises[(search.noises.size() - 1) / 2];
  for (const double length : search.lengths) climb.try_common(length, first_noise);
  const double length = climb.length();
  for (const double noise : search.noises) {
    if (noise != first_noise) climb.try_common(length, noise);
  }
  for (std::size_t sweep = 0; sweep < search.sweeps; ++sweep) {
    for (std::size_t knob = 0; knob < axes.size(); ++knob) climb.try_own(knob);
  }
  return climb.best();
}

}  // namespace cubicbench::predictor
