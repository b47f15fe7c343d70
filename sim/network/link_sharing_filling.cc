// Progressive filling: how the rates of open sets rise until each has stopped, and whom that moves:
// full bundles, and the sets that cannot keep their rates beside them.
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

/// Which bundles are full, now that open sets have stopped.
void LinkSharing::find_full() {
  for (const BundleId bundle : looked_at_) {
    Filling& filling = filling_[bundle];
    if (filling.free >= bundles_[bundle].weight) continue;  // each could be faster by 1 B/s
    filling.full_at = rate_when_full(bundles_[bundle], filling);
  }
}

/// The rate at which `bundle` is full, the rates being what they are: the lowest rate r of a set
/// below its cap for which
///
///   free + sum over sets above r of (rate - r) weight < weight of sets above r, or at r below cap
///
/// which is to say that not all of these could have risen by 1 B/s when they were at r. 0: none.
std::int64_t LinkSharing::rate_when_full(const Bundle& bundle, Filling& filling) {
  for (const Member& member : bundle.members) {
    filling.highest = std::max(filling.highest, sets_[member.set].rate);
  }
  if (filling.overfull()) return 0;
  // Only rates less than 1 B/s a weight below the highest can meet the condition.
  const std::int64_t lowest = filling.highest - (bundle.weight - filling.free);
  fastest_.clear();
  for (const Member& member : bundle.members) {
    if (sets_[member.set].rate >= lowest) fastest_.push_back(&member);
  }
  const auto rate_of = [&](const Member* member) { return sets_[member->set].rate; };
  std::sort(fastest_.begin(), fastest_.end(),
            [&](const Member* a, const Member* b) { return rate_of(a) > rate_of(b); });
  std::int64_t found = 0;
  Wide above = 0;   // weight
  Wide excess = 0;  // sum of (rate - r) weight
  for (auto member = fastest_.begin(); member != fastest_.end();) {
    const std::int64_t rate = rate_of(*member);
    Wide at_cap = 0;
    Wide below_cap = 0;
    for (; member != fastest_.end() && rate_of(*member) == rate; ++member) {
      const bool capped = sets_[(*member)->set].cap == rate;
      (capped ? at_cap : below_cap) += (*member)->weight;
    }
    if (filling.free + excess < above + below_cap) found = rate;
    above += at_cap + below_cap;
    if (member != fastest_.end()) excess += above * (rate - rate_of(*member));
  }
  return found;
}

/// Opens settled sets whose rates cannot stay as they are beside those of the open ones. Whether
/// there are any.
bool LinkSharing::open_moved() {
  const std::size_t before = open_.size();
  for (const BundleId bundle : looked_at_) {
    const Filling& filling = filling_[bundle];
    const std::int64_t stopped = filling.stopped_at;
    std::int64_t full = filling.full_at;
    if (stopped > 0 && (full == 0 || stopped < full)) full = stopped;
    if (full > 0 && filling.highest > full) open_above(bundle, full);
    if (full_at_[bundle] > 0 && full_at_[bundle] != filling.full_at) open_released(bundle);
  }
  if (open_.size() > before) return true;
  // Sets that were stopped elsewhere may still be too much for others here. Only now, since a set
  // that gives way on one bundle often makes room on the next.
  for (const BundleId bundle : looked_at_) {
    if (filling_[bundle].overfull()) open_above(bundle, filling_[bundle].equal);
  }
  return open_.size() > before;
}

/// Members faster than `rate`, and those that `bundle` may hold up at it.
void LinkSharing::open_above(BundleId bundle, std::int64_t rate) {
  for (const Member& member : bundles_[bundle].members) {
    const Set& set = sets_[member.set];
    if (set.rate > rate || (set.rate == rate && rate < set.cap)) open(member.set);
  }
}

/// Members that `bundle` held up, and nothing does now.
void LinkSharing::open_released(BundleId bundle) {
  for (const Member& member : bundles_[bundle].members) {
    const Set& set = sets_[member.set];
    if (!set.open && set.rate == full_at_[bundle] && set.rate < set.cap && !held_up(set)) {
      open(member.set);
    }
  }
}

bool LinkSharing::held_up(const Set& set) {
  for (const Use& use : uses_of(set)) {
    const std::int64_t full =
        is_looked_at_[use.bundle] != 0 ? filling_[use.bundle].full_at : full_at_[use.bundle];
    if (full == set.rate) return true;
  }
  return false;
}

}  // namespace cubicbench::sim
