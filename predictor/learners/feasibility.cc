#include "predictor/learners/feasibility.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "predictor/learners/boosted_trees.h"
#include "sim/base/check.h"

namespace cubicbench::predictor {
namespace {

/// A row weighs p (1 - p) here, at most a quarter, where it weighs 1 for squared errors.
constexpr TreeSettings settings{
    .objective = TreeObjective::logistic, .learning_rate = 0.05, .child_weight_min = 0.25};

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

}  // namespace cubicbench::predictor
