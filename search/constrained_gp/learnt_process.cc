#include "search/constrained_gp/learnt_process.h"

#include <algorithm>
#include <numeric>

namespace cubicbench::search {
namespace {

bool all_equal(std::span<const double> values) {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end();
}

/// The rows with the highest targets and the latest, half and half, in the lesson's order.
std::vector<std::size_t> chosen_rows(const Lesson& lesson, std::size_t keep) {
  std::vector<std::size_t> rows(lesson.rows.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (rows.size() <= keep) return rows;
  const auto older = rows.end() - static_cast<std::ptrdiff_t>(keep / 2);
  std::stable_sort(rows.begin(), older, [&](std::size_t a, std::size_t b) {
    return lesson.targets[a] > lesson.targets[b];
  });
  rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(keep - keep / 2), older);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

void LearntProcess::learn(const Lesson& lesson) {
  if (all_equal(lesson.targets)) {
    process_.reset();
    return;
  }
  if (!process_ || lesson.rows.size() >= next_choice_) return begin(lesson);
  process_->truncate(kept_.size());
  for (; seen_ < lesson.rows.size(); ++seen_) {
    kept_.push_back(seen_);
    process_->add(lesson.rows[seen_]);
  }
  targets_.clear();
  for (const std::size_t row : kept_) targets_.push_back(lesson.targets[row]);
  process_->set_targets(targets_);
}

void LearntProcess::begin(const Lesson& lesson) {
  kept_ = chosen_rows(lesson, keep_);
  seen_ = lesson.rows.size();
  next_choice_ = seen_ + std::max<std::size_t>(6, seen_ / 8);
  std::vector<predictor::Levels> rows;
  targets_.clear();
  for (const std::size_t row : kept_) {
    rows.push_back(lesson.rows[row]);
    targets_.push_back(lesson.targets[row]);
  }
  choice_ = predictor::choose_kernel(axes_, rows, targets_, search_);
  process_ = predictor::process_of(axes_, rows, targets_, choice_);
}

void LearntProcess::believe(std::span<const std::uint8_t> levels) {
  if (!informed()) return;
  targets_.push_back(process_->at(levels).mean);
  process_->add(levels);
  process_->set_targets(targets_);
}

}  // namespace cubicbench::search
