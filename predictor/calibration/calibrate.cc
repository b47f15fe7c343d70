#include "predictor/calibration/calibrate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

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

/// Runs with the constants under trial.
class Trial {
 public:
  Trial(const std::vector<const CalibrationRun*>& runs, const std::vector<Knob>& knobs)
      : runs_(runs), knobs_(knobs) {}

  /// ln(simulated / measured) of every run.
  void residuals(std::span<const double> values, std::span<double> into) {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const CalibrationRun& run = *runs_[i];
      sim::Cluster cluster = run.scenario.cluster;
      sim::Stack stack = run.scenario.stack;
      cluster.device.memory = sim::Bytes{0x1p60};
      for (std::size_t k = 0; k < knobs_.size(); ++k) {
        knobs_[k].set(values[k], stack, cluster.device);
      }
      const sim::StepReport report =
          sim::evaluate(run.scenario.workload, run.scenario.baseline, cluster, stack, workspace_);
      into[i] = sim::log(report.step / run.step);
    }
  }

  double median_error(std::span<const double> values) {
    std::vector<double> errors(runs_.size());
    residuals(values, errors);
    for (double& error : errors) error = std::abs(sim::exp(error) - 1.0);
    return median(std::move(errors));
  }

  static double median(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
  }

 private:
  const std::vector<const CalibrationRun*>& runs_;
  const std::vector<Knob>& knobs_;
  sim::Workspace workspace_;
};

std::vector<std::size_t> models_of(const std::vector<const CalibrationRun*>& runs) {
  std::map<std::string_view, std::size_t> numbers;
  std::vector<std::size_t> models;
  for (const CalibrationRun* run : runs) {
    models.push_back(numbers.emplace(run->model, numbers.size()).first->second);
  }
  return models;
}

Fit fit_to(const std::vector<const CalibrationRun*>& runs, const std::vector<Knob>& knobs,
           std::vector<double> start) {
  Trial trial(runs, knobs);
  FitProblem problem{.start = std::move(start),
                     .lower = {},
                     .upper = {},
                     .rows = runs.size(),
                     .residuals = [&](std::span<const double> values,
                                      std::span<double> into) { trial.residuals(values, into); },
                     .clusters = models_of(runs)};
  for (const Knob& knob : knobs) {
    problem.lower.push_back(knob.min());
    problem.upper.push_back(knob.max());
  }
  return robust_fit(problem);
}

/// Errors of every model by constants that were fitted to the others.
std::optional<double> error_left_out(const std::vector<const CalibrationRun*>& runs,
                                     const std::vector<Knob>& knobs,
                                     const std::vector<double>& start) {
  const std::vector<std::size_t> models = models_of(runs);
  const std::size_t count = *std::ranges::max_element(models) + 1;
  if (count < 2) return std::nullopt;
  std::vector<double> errors;
  for (std::size_t model = 0; model < count; ++model) {
    std::vector<const CalibrationRun*> in;
    std::vector<const CalibrationRun*> out;
    for (std::size_t i = 0; i < runs.size(); ++i) {
      (models[i] == model ? out : in).push_back(runs[i]);
    }
    const Fit fit = fit_to(in, knobs, start);
    std::vector<double> residuals(out.size());
    Trial(out, knobs).residuals(fit.values, residuals);
    for (const double r : residuals) errors.push_back(std::abs(sim::exp(r) - 1.0));
  }
  return Trial::median(std::move(errors));
}

}  // namespace

Calibration calibrate(const std::vector<CalibrationRun>& runs, CalibrationSubject subject,
                      const std::vector<std::string>& names) {
  SIM_ASSERT(!runs.empty() && !names.empty(), runs.size(), names.size());
  const std::vector<Knob> knobs = knobs_of(subject, names);
  std::vector<const CalibrationRun*> all;
  for (const CalibrationRun& run : runs) all.push_back(&run);
  std::vector<double> before;
  for (const Knob& knob : knobs) before.push_back(knob.value(runs.front().scenario));
  const Fit fit = fit_to(all, knobs, before);
  Calibration calibration;
  calibration.rows = runs.size();
  Trial trial(all, knobs);
  calibration.error_before = trial.median_error(before);
  calibration.error_after = trial.median_error(fit.values);
  calibration.error_left_out = error_left_out(all, knobs, fit.values);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double reach = interval * fit.errors[i];
    calibration.constants.push_back(
        {.name = knobs[i].stack != nullptr ? knobs[i].stack->name : knobs[i].device->name,
         .before = before[i],
         .after = fit.values[i],
         .low = std::max(knobs[i].min(), fit.values[i] - reach),
         .high = std::min(knobs[i].max(), fit.values[i] + reach)});
  }
  return calibration;
}

}  // namespace cubicbench::predictor
