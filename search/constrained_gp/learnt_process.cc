#include "search/constrained_gp/learnt_process.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace cubicbench::search {
namespace {

bool all_equal(std::span<const double> values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

/// Half of `keep` by what they are, half the latest, in the lesson's order.
std::vector<std::size_t> chosen_rows(const Lesson& lesson, std::size_t keep, Kept by) {
  std::vector<std::size_t> rows(lesson.jobs.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (rows.size() <= keep) return rows;
  const auto older = rows.end() - static_cast<std::ptrdiff_t>(keep / 2);
  std::stable_sort(rows.begin(), older, [&](std::size_t a, std::size_t b) {
    const double first = lesson.targets[a];
    const double second = lesson.targets[b];
    return by == Kept::highest ? first > second : std::abs(first) < std::abs(second);
  });
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(keep - keep / 2), older);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

void LearntProcess::learn(std::span<const Job> jobs, const Lesson& lesson) {
  if (all_equal(lesson.targets)) {
    process_.reset();
    return;
  }
  if (!process_ || lesson.jobs.size() >= next_choice_) return begin(jobs, lesson);
  process_->truncate(kept_.size());
  for (; seen_ < lesson.jobs.size(); ++seen_) {
    kept_.push_back(seen_);
    jobs_.push_back(lesson.jobs[seen_]);
    process_->add(jobs[jobs_.back()].levels);
  }
  targets_.clear();
  for (const std::size_t row : kept_) targets_.push_back(lesson.targets[row]);
  process_->set_targets(targets_);
}

void LearntProcess::begin(std::span<const Job> jobs, const Lesson& lesson) {
  kept_ = chosen_rows(lesson, keep_, kept_rows_);
  seen_ = lesson.jobs.size();
  next_choice_ = seen_ + std::max<std::size_t>(8, seen_ / 5);
  std::vector<predictor::Levels> rows;
  jobs_.clear();
  targets_.clear();
  for (const std::size_t row : kept_) {
    jobs_.push_back(lesson.jobs[row]);
    rows.push_back(jobs[jobs_.back()].levels);
    targets_.push_back(lesson.targets[row]);
  }
  process_ = predictor::process_of(axes_, rows, targets_,
                                   predictor::choose_kernel(axes_, rows, targets_, search_));
}

Lesson LearntProcess::expected() const {
  Lesson expected;
  for (std::size_t i = 0; i < jobs_.size(); ++i) expected.add(jobs_[i], process_->mean_of_row(i));
  return expected;
}

void LearntProcess::believe(std::span<const std::uint8_t> levels) {
  if (!informed()) return;
  targets_.push_back(process_->at(levels).mean);
  process_->add(levels);
  process_->set_targets(targets_);
}

}  // namespace cubicbench::search
