#include "predictor/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "datasets/parallel.h"
#include "predictor/calibration/robust_fit.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/engine/analytical.h"

namespace cubicbench::predictor {
namespace {

constexpr double interval = 1.645;  // standard errors either side of 90 %

/// What is fitted, whichever it belongs to.
struct Knob {
  const scenarios::StackConstant* stack = nullptr;
  const scenarios::DeviceConstant* device = nullptr;

  double min() const { return stack != nullptr ? stack->min : device->min; }
  double max() const { return stack != nullptr ? stack->max : device->max; }
  double value(const scenarios::Scenario& of) const {
    return stack != nullptr ? value_of(*stack, of.stack) : value_of(*device, of.cluster.device);
  }
  void set(double value, sim::Stack& of_stack, sim::Device& of_device) const {
    if (stack != nullptr) {
      set_value(*stack, value, of_stack);
    } else {
      set_value(*device, value, of_device);
    }
  }
};

std::vector<Knob> knobs_of(CalibrationSubject subject, const std::vector<std::string>& names) {
  std::vector<Knob> knobs;
  for (const std::string& name : names) {
    Knob knob;
    if (subject == CalibrationSubject::stack) {
      knob.stack = scenarios::find_stack_constant(name);
    } else {
      knob.device = scenarios::find_device_constant(name);
    }
    SIM_ASSERT(knob.stack != nullptr || knob.device != nullptr, name.size());
    knobs.push_back(knob);
  }
  return knobs;
}

/// What was timed: a run or a kernel.
struct Observation {
  const CalibrationRun* run = nullptr;
  const CalibrationKernel* kernel = nullptr;

  std::string_view model() const { return run != nullptr ? run->model : kernel->timed.group; }
};

using Observations = std::vector<Observation>;

/// Observations with the constants under trial.
class Trial {
 public:
  Trial(const Observations& of, const std::vector<Knob>& knobs, int threads)
      : of_(of), knobs_(knobs), threads_(threads), workspaces_((of.size() + block - 1) / block) {}

  /// ln(simulated / measured) of every observation.
  void residuals(std::span<const double> values, std::span<double> into) {
    datasets::parallel_for(workspaces_.size(), threads_, [&](std::size_t b) {
      const std::size_t end = std::min(of_.size(), (b + 1) * block);
      for (std::size_t i = b * block; i < end; ++i) {
        into[i] = residual(of_[i], values, workspaces_[b]);
      }
    });
  }

  /// |simulated / measured - 1| of every observation.
  std::vector<double> sizes(std::span<const double> values) {
    std::vector<double> sizes(of_.size());
    residuals(values, sizes);
    for (double& size : sizes) size = std::abs(sim::exp(size) - 1.0);
    return sizes;
  }

 private:
  static constexpr std::size_t block = 32;  // observations that share a workspace

  double residual(const Observation& observation, std::span<const double> values,
                  sim::Workspace& workspace) const {
    if (observation.run != nullptr) return residual(*observation.run, values, workspace);
    sim::Device device = observation.kernel->device;
    sim::Stack none;
    set(values, none, device);
    const datasets::TimedKernel& timed = observation.kernel->timed;
    return sim::log(datasets::simulated_time(timed, device) / timed.time);
  }

  double residual(const CalibrationRun& run, std::span<const double> values,
                  sim::Workspace& workspace) const {
    sim::Cluster cluster = run.scenario.cluster;
    sim::Stack stack = run.scenario.stack;
    cluster.device.memory = sim::Bytes{0x1p60};
    set(values, stack, cluster.device);
    const sim::StepReport report =
        sim::evaluate(run.scenario.workload, run.scenario.baseline, cluster, stack, workspace);
    return sim::log(report.step / run.step);
  }

  void set(std::span<const double> values, sim::Stack& stack, sim::Device& device) const {
    for (std::size_t k = 0; k < knobs_.size(); ++k) knobs_[k].set(values[k], stack, device);
  }

  const Observations& of_;
  const std::vector<Knob>& knobs_;
  int threads_;
  std::vector<sim::Workspace> workspaces_;
};

std::vector<std::size_t> models_of(const Observations& observations) {
  std::map<std::string_view, std::size_t> numbers;
  std::vector<std::size_t> models;
  for (const Observation& observation : observations) {
    models.push_back(numbers.emplace(observation.model(), numbers.size()).first->second);
  }
  return models;
}

std::size_t count_of(const std::vector<std::size_t>& models) {
  return *std::ranges::max_element(models) + 1;
}

/// Are there enough models for their scatter to say how far constants are known?
bool tells_by_model(std::size_t models, std::size_t constants) {
  constexpr std::size_t to_spare = 5;
  return models >= constants + to_spare;
}

/// Rows that err together.
std::vector<std::size_t> clusters_of(std::vector<std::size_t> models, std::size_t constants) {
  if (!tells_by_model(count_of(models), constants))
    std::iota(models.begin(), models.end(), std::size_t{0});
  return models;
}

Fit fit_to(const Observations& observations, const std::vector<Knob>& knobs,
           std::vector<double> start, int threads) {
  Trial trial(observations, knobs, threads);
  FitProblem problem{.start = std::move(start),
                     .lower = {},
                     .upper = {},
                     .rows = observations.size(),
                     .residuals = [&](std::span<const double> values,
                                      std::span<double> into) { trial.residuals(values, into); },
                     .clusters = clusters_of(models_of(observations), knobs.size())};
  for (const Knob& knob : knobs) {
    problem.lower.push_back(knob.min());
    problem.upper.push_back(knob.max());
  }
  return robust_fit(problem);
}

/// Errors of every model by constants that were fitted to the others; none of one model alone.
std::vector<double> sizes_left_out(const Observations& observations, const std::vector<Knob>& knobs,
                                   const std::vector<double>& start, int threads) {
  const std::vector<std::size_t> models = models_of(observations);
  const std::size_t count = count_of(models);
  std::vector<double> errors;
  for (std::size_t model = 0; count > 1 && model < count; ++model) {
    Observations in;
    Observations out;
    for (std::size_t i = 0; i < observations.size(); ++i) {
      (models[i] == model ? out : in).push_back(observations[i]);
    }
    const Fit fit = fit_to(in, knobs, start, threads);
    const std::vector<double> sizes = Trial(out, knobs, threads).sizes(fit.values);
    errors.insert(errors.end(), sizes.begin(), sizes.end());
  }
  return errors;
}

Observations observations_of(const std::vector<CalibrationRun>& runs,
                             const std::vector<CalibrationKernel>& kernels) {
  Observations observations;
  for (const CalibrationRun& run : runs) observations.push_back({.run = &run});
  for (const CalibrationKernel& kernel : kernels) observations.push_back({.kernel = &kernel});
  return observations;
}

}  // namespace

double median_of(std::vector<double> values) {
  SIM_ASSERT(!values.empty(), values.size());
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

Calibration calibrate(const std::vector<CalibrationRun>& runs, CalibrationSubject subject,
                      const std::vector<std::string>& names, int threads) {
  return calibrate(runs, {}, subject, names, threads);
}

Calibration calibrate(const std::vector<CalibrationRun>& runs,
                      const std::vector<CalibrationKernel>& kernels, CalibrationSubject subject,
                      const std::vector<std::string>& names, int threads) {
  const Observations all = observations_of(runs, kernels);
  SIM_ASSERT(!all.empty() && !names.empty(), all.size(), names.size());
  SIM_ASSERT(kernels.empty() || subject == CalibrationSubject::device, kernels.size());
  const std::vector<Knob> knobs = knobs_of(subject, names);
  std::vector<double> before;
  for (const Knob& knob : knobs) {
    before.push_back(runs.empty() ? value_of(*knob.device, kernels.front().device)
                                  : knob.value(runs.front().scenario));
  }
  const Fit fit = fit_to(all, knobs, before, threads);
  Calibration calibration;
  calibration.rows = all.size();
  calibration.models = count_of(models_of(all));
  calibration.by_model = tells_by_model(calibration.models, knobs.size());
  Trial trial(all, knobs, threads);
  calibration.sizes_before = trial.sizes(before);
  calibration.sizes_after = trial.sizes(fit.values);
  calibration.sizes_left_out = sizes_left_out(all, knobs, fit.values, threads);
  calibration.error_before = median_of(calibration.sizes_before);
  calibration.error_after = median_of(calibration.sizes_after);
  if (!calibration.sizes_left_out.empty()) {
    calibration.error_left_out = median_of(calibration.sizes_left_out);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double reach = interval * fit.errors[i];
    calibration.constants.push_back(
        {.name = knobs[i].stack != nullptr ? knobs[i].stack->name : knobs[i].device->name,
         .before = before[i],
         .after = fit.values[i],
         .low = std::max(knobs[i].min(), fit.values[i] - reach),
         .high = std::min(knobs[i].max(), fit.values[i] + reach),
         .told_apart = fit.told_apart[i]});
  }
  return calibration;
}

}  // namespace cubicbench::predictor
