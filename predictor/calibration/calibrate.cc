#include "predictor/calibration/calibrate.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "predictor/calibration/trial.h"
#include "sim/base/check.h"

namespace cubicbench::predictor {
namespace {

constexpr double interval = 1.645;  // standard errors either side of 90 %

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
           const std::vector<double>& start, int threads) {
  return Trial(observations, knobs, threads)
      .fit(start, clusters_of(models_of(observations), knobs.size()));
}

/// A value that its bounds stopped.
bool is_at_bound(const Knob& knob, double value) {
  return value <= knob.min() || value >= knob.max();
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

/// That of the first run; of kernels alone, of the first kernel's device.
double value_before(const Knob& knob, const std::vector<CalibrationRun>& runs,
                    const std::vector<CalibrationKernel>& kernels) {
  if (runs.empty()) return knob.value(sim::Stack{}, kernels.front().device);
  const scenarios::Scenario& first = runs.front().scenario;
  return knob.value(first.stack, first.cluster.device);
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
  for (const Knob& knob : knobs) before.push_back(value_before(knob, runs, kernels));
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
    calibration.constants.push_back({.name = knobs[i].name(),
                                     .before = before[i],
                                     .after = fit.values[i],
                                     .low = std::max(knobs[i].min(), fit.values[i] - reach),
                                     .high = std::min(knobs[i].max(), fit.values[i] + reach),
                                     .told_apart = fit.told_apart[i],
                                     .at_bound = is_at_bound(knobs[i], fit.values[i])});
  }
  return calibration;
}

}  // namespace cubicbench::predictor
