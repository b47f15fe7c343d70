#include "search/searchers/surrogate.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;

bool comes_and_goes(Reason reason) { return reason == Reason::infra || reason == Reason::timeout; }

/// Scores as targets: their logarithm where all have one sign, since speeds span decades, else
/// themselves. Infinite ones become the largest or smallest of the others.
std::vector<double> targets_of(std::span<const double> scores) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double score : scores) {
    if (!std::isfinite(score)) continue;
    low = std::min(low, score);
    high = std::max(high, score);
  }
  std::vector<double> targets;
  for (const double score : scores) {
    const double target = low <= high ? std::clamp(score, low, high) : 0.0;
    if (low > 0.0) {
      targets.push_back(sim::log(target));
    } else {
      targets.push_back(high < 0.0 ? -sim::log(-target) : target);
    }
  }
  return targets;
}

bool all_equal(std::span<const double> values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

}  // namespace

void FinishedJobs::add(const ToldTrial& trial) {
  const std::size_t width = columns_.columns().size();
  const auto append = [&](std::vector<double>& cells) {
    cells.resize(cells.size() + width);
    columns_.write(trial.config, std::span(cells).last(width));
  };
  if (trial.state == TrialState::complete && trial.score && !std::isnan(*trial.score)) {
    append(success_cells_);
    scores_.push_back(*trial.score);
  } else if (trial.state == TrialState::fail && !comes_and_goes(trial.reason)) {
    append(failure_cells_);
    ++failures_;
  }
}

Surrogate::Surrogate(const FinishedJobs& jobs, const SurrogateOptions& options)
    : columns_(jobs.columns()) {
  const std::span<const datasets::Column> columns = columns_.columns();
  if (columns.empty()) return;
  const std::vector<double> targets = targets_of(jobs.scores());
  if (!all_equal(targets)) {
    speed_.emplace(columns, jobs.success_cells(), targets, options.speed);
    const auto lowest = [&](std::size_t begin, std::size_t count) {
      return std::ranges::min(speed_->predict(jobs.success_cells(), targets.size(), begin, count));
    };
    for (std::size_t m = 0; m < members(); ++m) worst_.push_back(lowest(m, 1));
    worst_.push_back(lowest(0, members()));
  }
  if (jobs.failures() > 0 && !targets.empty()) {
    std::vector<double> cells(jobs.success_cells().begin(), jobs.success_cells().end());
    cells.insert(cells.end(), jobs.failure_cells().begin(), jobs.failure_cells().end());
    std::vector<double> fitted(targets.size(), 1.0);
    fitted.resize(targets.size() + jobs.failures(), 0.0);
    predictor::MlpOptions head = options.speed;
    head.loss = predictor::MlpLoss::logistic;
    head.members = options.feasibility_members;
    fits_.emplace(columns, cells, fitted, head);
  }
}

void Surrogate::rewards(std::span<const scenarios::Configuration> configurations, std::size_t begin,
                        std::size_t count, std::span<double> rewards) const {
  const std::size_t width = columns_.columns().size();
  std::vector<double> cells(configurations.size() * width);
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    columns_.write(configurations[i], std::span(cells).subspan(i * width, width));
  }
  std::fill(rewards.begin(), rewards.end(), 1.0);
  if (speed_) {
    SIM_ASSERT(count == 1 || (begin == 0 && count == members()), begin, count);
    const double worst = count == members() ? worst_.back() : worst_[begin];
    const std::vector<double> scores = speed_->predict(cells, configurations.size(), begin, count);
    for (std::size_t i = 0; i < scores.size(); ++i) rewards[i] = scores[i] - worst;
  }
  if (fits_) {
    const std::vector<double> chances = fits_->predict(cells, configurations.size());
    for (std::size_t i = 0; i < chances.size(); ++i) rewards[i] *= chances[i];
  }
}

}  // namespace cubicbench::search
