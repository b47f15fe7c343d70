// Progressive filling: how the rates of open sets rise until each has stopped.
#include <algorithm>

#include "sim/network/link_sharing.h"

namespace cubicbench::sim {

/// Lets the rates of open sets rise from zero until each has stopped, beside settled ones that keep
/// theirs.
void LinkSharing::fill() {
  begin_filling();
  for (std::size_t next = 0; next < by_cap_.size();) {
    const Set& set = sets_[by_cap_[next]];
    if (!set.rising) {
      ++next;
    } else if (levels_.empty() || set.cap <= levels_.front().rate) {
      stop_rising(by_cap_[next], set.cap);
    } else if (lowest_is_current()) {
      stop_lowest_bundles();
    }
  }
  for (const BundleId bundle : looked_at_) {
    bundles_[bundle].used = bundles_[bundle].limit - filling_[bundle].free;
  }
}

/// Looks at every contended bundle of open sets, and takes these off it.
void LinkSharing::begin_filling() {
  for (const BundleId bundle : looked_at_) reset_filling(bundle);
  for (const FlowSetId id : open_) {
    Set& set = sets_[id];
    set.rising = true;
    for (const Use& use : uses_of(set)) {
      if (is_looked_at_[use.bundle] == 0) {
        if (contended_[use.bundle] == 0) continue;
        look_at(use.bundle);
        reset_filling(use.bundle);
      }
      filling_[use.bundle].free += set.rate * use.weight;
      filling_[use.bundle].rising += use.weight;
    }
  }
  levels_.clear();
  for (const BundleId bundle : looked_at_) {
    if (filling_[bundle].rising > 0) levels_.push_back({filling_[bundle].level(), bundle});
  }
  std::make_heap(levels_.begin(), levels_.end(), Level::higher);
  by_cap_.assign(open_.begin(), open_.end());
  std::sort(by_cap_.begin(), by_cap_.end(),
            [&](FlowSetId a, FlowSetId b) { return sets_[a].cap < sets_[b].cap; });
}

void LinkSharing::reset_filling(BundleId bundle) {
  const Bundle& row = bundles_[bundle];
  const std::int64_t equal = row.limit / std::max<std::int64_t>(row.weight, 1);
  filling_[bundle] = {.free = row.limit - row.used,
                      .rising = 0,
                      .equal = std::max<std::int64_t>(equal, 1),
                      .stopped_at = 0,
                      .full_at = 0,
                      .highest = 0};
}

/// Whether the lowest level is that of its bundle still. If not it is put right.
bool LinkSharing::lowest_is_current() {
  const Level lowest = levels_.front();
  const Filling& filling = filling_[lowest.bundle];
  const std::int64_t rate = filling.rising > 0 ? filling.level() : 0;
  if (rate == lowest.rate) return true;
  std::pop_heap(levels_.begin(), levels_.end(), Level::higher);
  levels_.pop_back();
  if (rate > 0) {
    levels_.push_back({rate, lowest.bundle});
    std::push_heap(levels_.begin(), levels_.end(), Level::higher);
  }
  return false;
}

/// Stops what rises on the bundles that are full first. All of them are found before any set stops,
/// since rounding may raise the level of one when another is full.
void LinkSharing::stop_lowest_bundles() {
  const std::int64_t rate = levels_.front().rate;
  full_.clear();
  while (!levels_.empty() && levels_.front().rate == rate) {
    if (!lowest_is_current()) continue;
    full_.push_back(levels_.front().bundle);
    std::pop_heap(levels_.begin(), levels_.end(), Level::higher);
    levels_.pop_back();
  }
  for (const BundleId bundle : full_) {
    filling_[bundle].stopped_at = rate;
    for (const Member& member : bundles_[bundle].members) {
      if (sets_[member.set].rising) stop_rising(member.set, rate);
    }
  }
}

void LinkSharing::stop_rising(FlowSetId id, std::int64_t rate) {
  Set& set = sets_[id];
  for (const Use& use : uses_of(set)) {
    if (is_looked_at_[use.bundle] != 0) {
      Filling& filling = filling_[use.bundle];
      filling.free -= rate * use.weight;
      filling.rising -= use.weight;
    } else {
      bundles_[use.bundle].used += (rate - set.rate) * use.weight;
    }
  }
  set.rising = false;
  set.rate = rate;
}

}  // namespace cubicbench::sim
