#include "search/forest/job_forests.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "search/constrained_gp/acquisition.h"
#include "support/statistics/normal.h"

namespace cubicbench::search {
namespace {

using predictor::Normal;
using predictor::RandomForest;

/// Trees that agree are not certain: launches differ in memory by a hundredth, and a chance below
/// this is not believed.
constexpr double memory_deviation_min = 0.01;
constexpr double chance_min = 0.005;
constexpr double deviation_min = 1e-6;

std::optional<RandomForest> forest_of(std::span<const predictor::LevelColumn> columns,
                                      std::span<const Job> jobs, const Lesson& lesson,
                                      const predictor::ForestGrowth& growth) {
  const auto& targets = lesson.targets;
  const bool equal =
      std::adjacent_find(targets.begin(), targets.end(), std::not_equal_to<>()) == targets.end();
  if (equal) return std::nullopt;
  predictor::LevelTable table{.columns = {columns.begin(), columns.end()}, .levels = {}};
  for (const std::size_t job : lesson.jobs) table.add(jobs[job].levels);
  return RandomForest(table, targets, growth);
}

predictor::ForestGrowth next(predictor::ForestGrowth growth) {
  ++growth.seed;
  return growth;
}

}  // namespace

JobForests::JobForests(std::span<const predictor::LevelColumn> columns, std::span<const Job> jobs,
                       const JobForestOptions& options) {
  const Lesson value = value_lesson(jobs);
  const bool bytes = options.memory && tells_bytes(jobs);
  predictor::ForestGrowth growth = options.growth;
  value_ = forest_of(columns, jobs, value, growth);
  if (value_) best_ = std::ranges::max(value.targets);
  growth = next(growth);
  if (bytes) memory_ = forest_of(columns, jobs, memory_lesson(jobs), growth);
  growth = next(growth);
  const Failures failures{.memory = !bytes, .time = true, .others = true};
  failure_ = forest_of(columns, jobs, failure_lesson(jobs, failures), growth);
}

double JobForests::chance(std::span<const std::uint8_t> levels) const {
  double chance = 1.0;
  if (memory_) {
    const Normal f = memory_->at(levels);
    const double deviation = std::max(f.deviation, memory_deviation_min);
    chance *= support::normal_cdf(-f.mean / deviation);
  }
  if (failure_) chance *= 0.5 * (1.0 - failure_->at(levels).mean);
  return std::max(chance, chance_min);
}

double JobForests::worth(std::span<const std::uint8_t> levels, double bound) const {
  if (!value_) return chance(levels);
  Normal f = value_->at(levels);
  f.deviation = std::max(f.deviation, deviation_min);
  const double most = improvement_bound(f, best_);
  if (most <= bound) return most;
  return expected_improvement(f, best_) * chance(levels);
}

}  // namespace cubicbench::search
