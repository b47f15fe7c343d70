#include "predictor/learners/feasibility.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "predictor/learners/boosted_trees.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::predictor {
namespace {

/// A row weighs p (1 - p) here, at most a quarter, where it weighs 1 for squared errors.
constexpr TreeSettings settings{
    .objective = TreeObjective::logistic, .learning_rate = 0.05, .child_weight_min = 0.25};

constexpr double logit_max = 30.0;

constexpr double level_sd = 3.0;
constexpr double slope_mean = 18.0;
constexpr double slope_sd = 9.0;

struct Example {
  double x = 0.0;  ///< -log share
  double fits = 0.0;
};

struct Line {
  double level = 0.0;
  double slope = slope_mean;
  double at(double x) const { return level + slope * x; }
};

/// Log posterior up to a constant.
double posterior(const Line& line, std::span<const Example> examples) {
  const double level = line.level / level_sd;
  const double slope = (line.slope - slope_mean) / slope_sd;
  double sum = -0.5 * (level * level + slope * slope);
  for (const Example& e : examples) {
    const double z = e.fits > 0.5 ? line.at(e.x) : -line.at(e.x);
    // log(1 / (1 + exp(-z))), without overflow.
    sum -= z > 0.0 ? sim::log(1.0 + sim::exp(-z)) : sim::log(1.0 + sim::exp(z)) - z;
  }
  return sum;
}

/// Newton's step towards the maximum.
Line step_from(const Line& line, std::span<const Example> examples) {
  double g0 = -line.level / (level_sd * level_sd);
  double g1 = -(line.slope - slope_mean) / (slope_sd * slope_sd);
  double h00 = 1.0 / (level_sd * level_sd);
  double h01 = 0.0;
  double h11 = 1.0 / (slope_sd * slope_sd);
  for (const Example& e : examples) {
    const double p = probability_of(line.at(e.x));
    const double w = p * (1.0 - p);
    g0 += e.fits - p;
    g1 += (e.fits - p) * e.x;
    h00 += w;
    h01 += w * e.x;
    h11 += w * e.x * e.x;
  }
  const double determinant = h00 * h11 - h01 * h01;
  return {.level = (h11 * g0 - h01 * g1) / determinant,
          .slope = (h00 * g1 - h01 * g0) / determinant};
}

/// The posterior is concave: Newton's method with steps halved until they go up gets there.
Line fitted(std::span<const Example> examples) {
  constexpr int steps_max = 100;
  constexpr int halvings_max = 40;
  constexpr double enough = 1e-9;
  Line line;
  double height = posterior(line, examples);
  for (int i = 0; i < steps_max; ++i) {
    const Line step = step_from(line, examples);
    double share = 1.0;
    double gain = 0.0;
    for (int j = 0; j < halvings_max && gain <= 0.0; ++j, share *= 0.5) {
      const Line next{.level = line.level + share * step.level,
                      .slope = line.slope + share * step.slope};
      gain = posterior(next, examples) - height;
      if (gain > 0.0) line = next;
    }
    height += std::max(gain, 0.0);
    if (gain < enough) break;
  }
  return line;
}

}  // namespace

bool fits(const datasets::Job& job) { return job.status != datasets::JobStatus::out_of_memory; }

Encoding feasibility_encoding(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  const auto known_of = [&](std::size_t column, bool fitting) {
    return std::ranges::any_of(jobs, [&](std::size_t job) {
      return fits(data.jobs[job]) == fitting && !std::isnan(data.row(job)[column]);
    });
  };
  std::vector<std::size_t> telling;
  for (std::size_t column = 0; column < data.columns.size(); ++column) {
    if (known_of(column, true) != known_of(column, false)) telling.push_back(column);
  }
  return Encoding(data, jobs, EncodingForm::raw, telling);
}

std::unique_ptr<const Model> fit_feasibility(const datasets::Dataset& data,
                                             std::span<const std::size_t> jobs,
                                             std::uint64_t seed) {
  SIM_ASSERT(!jobs.empty(), jobs.size());
  std::vector<double> labels;
  for (const std::size_t job : jobs) labels.push_back(fits(data.jobs[job]) ? 1.0 : 0.0);
  const double all = static_cast<double>(jobs.size());
  const double fitting = static_cast<double>(std::ranges::count(labels, 1.0));
  const double smoothed = (fitting + 1.0) / (all + 2.0);
  if (fitting == 0.0 || fitting == all) return constant_model(smoothed);
  Encoding encoding = feasibility_encoding(data, jobs);
  if (encoding.columns() == 0) return constant_model(smoothed);
  BoostedTrees trees(encoding.encode(data, jobs), labels, settings, seed);
  return model_of(std::move(encoding), std::move(trees));
}

double probability_of(double logit) {
  return 1.0 / (1.0 + sim::exp(-std::clamp(logit, -logit_max, logit_max)));
}

double logit_of(double probability) {
  constexpr double least = 1e-5;
  const double p = std::clamp(probability, least, 1.0 - least);
  return sim::log(p / (1.0 - p));
}

MemoryHead::MemoryHead(const datasets::Dataset& data, std::span<const std::size_t> jobs) {
  const SimulatedJobs simulated = simulated_jobs(data, jobs);
  std::vector<Example> examples;
  double fitting = 0.0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const double label = fits(data.jobs[jobs[i]]) ? 1.0 : 0.0;
    fitting += label;
    if (!std::isnan(simulated.log_memory[i])) {
      examples.push_back({.x = -simulated.log_memory[i], .fits = label});
    }
  }
  const Line line = fitted(examples);
  level_ = line.level;
  slope_ = std::max(line.slope, 1.0);  // more memory never fits better
  unknown_ = logit_of((fitting + 1.0) / (static_cast<double>(jobs.size()) + 2.0));
}

std::vector<double> MemoryHead::logits(const datasets::Dataset& data,
                                       std::span<const std::size_t> jobs) const {
  std::vector<double> logits = simulated_jobs(data, jobs).log_memory;
  for (double& logit : logits) logit = std::isnan(logit) ? unknown_ : level_ - slope_ * logit;
  return logits;
}

}  // namespace cubicbench::predictor
