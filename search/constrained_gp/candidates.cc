#include "search/constrained_gp/candidates.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "search/constrained_gp/neighbourhood.h"

namespace cubicbench::search {

using scenarios::Configuration;

bool CandidateList::is_new(const Configuration& config) {
  const std::uint64_t number = space_.number_of(config);
  return !unproposed_.taken(number) && numbers_.insert(number).second;
}

void CandidateList::add(const Configuration& config) {
  if (!is_new(config)) return;
  axes_.levels_of(config, levels_);
  acquisition_.correlate(levels_, scratch_);
  found_.push_back({.config = config, .bound = acquisition_.bound(scratch_)});
}

void CandidateList::add_neighbours(const Configuration& centre, std::size_t pairs,
                                   RandomStream& random) {
  const std::size_t number = centres_.size();
  centres_.push_back({.levels = axes_.levels_of(centre), .at = {}});
  centres_.back().at = acquisition_.correlations(centres_.back().levels);
  for (Configuration& config : neighbourhood(space_, centre, pairs, random)) {
    if (!is_new(config)) continue;
    const Centre& from = centres_[number];
    axes_.levels_of(config, levels_);
    acquisition_.change(from.at, from.levels, levels_, scratch_);
    found_.push_back(
        {.config = std::move(config), .bound = acquisition_.bound(scratch_), .centre = number});
  }
}

double CandidateList::worth_of(const Found& found) {
  axes_.levels_of(found.config, levels_);
  if (found.centre) {
    const Centre& from = centres_[*found.centre];
    acquisition_.change(from.at, from.levels, levels_, scratch_);
  } else {
    acquisition_.correlate(levels_, scratch_);
  }
  return acquisition_.worth(scratch_, best_ ? best_worth_ : -1.0);
}

std::optional<Configuration> CandidateList::best() {
  std::vector<std::size_t> order(found_.size() - begun_);
  std::iota(order.begin(), order.end(), begun_);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return found_[i].bound; });
  for (const std::size_t i : order) {
    if (best_ && found_[i].bound <= best_worth_) break;
    const double worth = worth_of(found_[i]);
    if (!best_ || worth > best_worth_) {
      best_ = i;
      best_worth_ = worth;
    }
  }
  begun_ = found_.size();
  return best_ ? std::optional(found_[*best_].config) : std::nullopt;
}

std::optional<Configuration> CandidateList::climbed(std::int64_t steps, RandomStream& random) {
  std::optional<Configuration> found = best();
  for (std::int64_t step = 0; found && step < steps; ++step) {
    const double before = best_worth_;
    add_neighbours(*found, 0, random);
    found = best();
    if (!(best_worth_ > before)) break;
  }
  return found;
}

}  // namespace cubicbench::search
