#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "predictor/calibration/calibrate.h"
#include "predictor/calibration/robust_fit.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {

/// A number under trial, as its file has it.
struct Unknown {
  std::string_view name;
  double before = 0.0;
  double min = 0.0;
  double max = 0.0;
};

/// A constant with the value that `of` has.
template <class Constant, class Of>
Unknown unknown_of(const Constant& constant, const Of& of) {
  return {.name = constant.name,
          .before = value_of(constant, of),
          .min = constant.min,
          .max = constant.max};
}

/// Numbers from 0 of what rows are of, equal ones equal, in the order in which they come first.
template <class Rows>
std::vector<std::size_t> models_of(const Rows& rows) {
  std::map<std::string_view, std::size_t> numbers;
  std::vector<std::size_t> models;
  for (const auto& row : rows) {
    models.push_back(numbers.emplace(row.model(), numbers.size()).first->second);
  }
  return models;
}

inline std::size_t count_of(const std::vector<std::size_t>& models) {
  return *std::ranges::max_element(models) + 1;
}

/// Are there enough models for their scatter to say how far constants are known?
inline bool tells_by_model(std::size_t models, std::size_t constants) {
  constexpr std::size_t to_spare = 5;
  return models >= constants + to_spare;
}

/// Rows that err together.
inline std::vector<std::size_t> clusters_of(std::vector<std::size_t> models,
                                            std::size_t constants) {
  if (!tells_by_model(count_of(models), constants))
    std::iota(models.begin(), models.end(), std::size_t{0});
  return models;
}

/// Fits the unknowns from `start` to the rows of `trial`; those of equal `clusters` err together.
template <class Trial>
Fit fit_to(Trial&& trial, const std::vector<Unknown>& unknowns, const std::vector<double>& start,
           const std::vector<std::size_t>& clusters) {
  FitProblem problem{.start = start,
                     .rows = clusters.size(),
                     .residuals = [&](std::span<const double> values,
                                      std::span<double> into) { trial.residuals(values, into); },
                     .clusters = clusters};
  for (const Unknown& unknown : unknowns) {
    problem.lower.push_back(unknown.min);
    problem.upper.push_back(unknown.max);
  }
  return robust_fit(problem);
}

/// What they are before the fit.
inline std::vector<double> values_before(const std::vector<Unknown>& unknowns) {
  std::vector<double> values;
  for (const Unknown& unknown : unknowns) values.push_back(unknown.before);
  return values;
}

/// The values alone of a fit to so many rows: errors of the constants are not asked for.
template <class Trial>
std::vector<double> fitted_values(Trial&& trial, const std::vector<Unknown>& unknowns,
                                  const std::vector<double>& start, std::size_t rows) {
  return fit_to(std::forward<Trial>(trial), unknowns, start, std::vector<std::size_t>(rows, 0))
      .values;
}

/// Fits the unknowns to `rows`, and with `leave_out` to all but those of each model in turn.
/// `trial_on(rows)` is what times some of them: it has `residuals(values, into)`, ln(simulated /
/// measured) and weighted as rows are, and `sizes(values)`, |simulated / measured - 1|. A row has a
/// `model()`. Requires rows and unknowns.
template <class Rows, class TrialOn>
Calibration calibrated(const Rows& rows, const std::vector<Unknown>& unknowns, TrialOn trial_on,
                       bool leave_out = true) {
  constexpr double interval = 1.645;  // standard errors either side of 90 %
  const std::vector<std::size_t> models = models_of(rows);
  const auto fit_some = [&](const Rows& some, const std::vector<double>& start) {
    return fit_to(trial_on(some), unknowns, start, clusters_of(models_of(some), unknowns.size()));
  };
  const std::vector<double> before = values_before(unknowns);
  const Fit fit = fit_some(rows, before);

  Calibration calibration;
  calibration.rows = rows.size();
  calibration.models = count_of(models);
  calibration.by_model = tells_by_model(calibration.models, unknowns.size());
  calibration.sizes_before = trial_on(rows).sizes(before);
  calibration.sizes_after = trial_on(rows).sizes(fit.values);
  const std::size_t left_out = leave_out && calibration.models > 1 ? calibration.models : 0;
  for (std::size_t model = 0; model < left_out; ++model) {
    Rows in;
    Rows out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      (models[i] == model ? out : in).push_back(rows[i]);
    }
    const std::vector<double> sizes = trial_on(out).sizes(fit_some(in, fit.values).values);
    calibration.sizes_left_out.insert(calibration.sizes_left_out.end(), sizes.begin(), sizes.end());
  }
  calibration.error_before = support::median(calibration.sizes_before);
  calibration.error_after = support::median(calibration.sizes_after);
  if (!calibration.sizes_left_out.empty()) {
    calibration.error_left_out = support::median(calibration.sizes_left_out);
  }
  for (std::size_t i = 0; i < unknowns.size(); ++i) {
    const Unknown& unknown = unknowns[i];
    const double reach = interval * fit.errors[i];
    const double after = fit.values[i];
    calibration.constants.push_back({.name = unknown.name,
                                     .before = unknown.before,
                                     .after = after,
                                     .low = std::max(unknown.min, after - reach),
                                     .high = std::min(unknown.max, after + reach),
                                     .told_apart = fit.told_apart[i],
                                     .at_bound = after <= unknown.min || after >= unknown.max});
  }
  return calibration;
}

}  // namespace cubicbench::predictor
