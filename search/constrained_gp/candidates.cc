#include "search/constrained_gp/candidates.h"

#include <algorithm>
#include <numeric>

#include "search/constrained_gp/neighbourhood.h"

namespace cubicbench::search {

using scenarios::Configuration;

bool CandidateList::is_new(std::uint64_t number) {
  return !unproposed_.taken(number) && numbers_.insert(number).second;
}

void CandidateList::add(std::uint64_t number) {
  if (!is_new(number)) return;
  drawn_.resize(space_.size());
  space_.configuration_at(number, drawn_);
  axes_.levels_of(drawn_, levels_);
  append(number, levels_, {});
}

void CandidateList::append(std::uint64_t number, std::span<const std::uint8_t> levels,
                           std::optional<std::size_t> centre) {
  rows_.add(number, levels);
  found_.push_back({.centre = centre});
  correlate(found_.size() - 1, scratch_[0]);
  found_.back().bound = acquisition_.bound(scratch_[0]);
}

void CandidateList::add_neighbours(const Configuration& centre, const LevelRows& others) {
  centres_.push_back(acquisition_.near(axes_.levels_of(centre)));
  numbers_.reserve(numbers_.size() + others.size());
  add_near(centres_.size() - 1, others);
  add_near(centres_.size() - 1, neighbours(space_, axes_, centre));
}

void CandidateList::add_near(std::size_t centre, const LevelRows& near) {
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (is_new(near.number(i))) append(near.number(i), near.levels(i), centre);
  }
}

void CandidateList::correlate(std::size_t row, Correlations& at) {
  if (found_[row].centre) {
    acquisition_.correlate(centres_[*found_[row].centre], rows_.levels(row), at);
  } else {
    acquisition_.correlate(rows_.levels(row), at);
  }
}

void CandidateList::judge(std::span<const std::size_t> rows) {
  std::array<double, judged_at_once> worths{};
  for (std::size_t i = 0; i < rows.size(); ++i) correlate(rows[i], scratch_[i]);
  acquisition_.worth(std::span(scratch_).first(rows.size()), std::span(worths).first(rows.size()),
                     best_ ? best_worth_ : -1.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (best_ && worths[i] <= best_worth_) continue;
    best_ = rows[i];
    best_worth_ = worths[i];
  }
}

std::optional<Configuration> CandidateList::best() {
  std::vector<std::size_t> order(found_.size() - begun_);
  std::iota(order.begin(), order.end(), begun_);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return found_[i].bound; });
  for (std::size_t begin = 0; begin < order.size(); begin += judged_at_once) {
    if (best_ && found_[order[begin]].bound <= best_worth_) break;
    judge(std::span(order).subspan(begin, std::min(judged_at_once, order.size() - begin)));
  }
  begun_ = found_.size();
  if (!best_) return std::nullopt;
  Configuration best(space_.size());
  space_.configuration_at(rows_.number(*best_), best);
  return best;
}

std::optional<Configuration> CandidateList::climbed(std::int64_t steps) {
  std::optional<Configuration> found = best();
  for (std::int64_t step = 0; found && step < steps; ++step) {
    const double before = best_worth_;
    add_neighbours(*found, LevelRows(space_.size()));
    found = best();
    if (!(best_worth_ > before)) break;
  }
  return found;
}

}  // namespace cubicbench::search
