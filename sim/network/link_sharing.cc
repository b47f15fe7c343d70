#include "sim/network/link_sharing.h"

#include <algorithm>
#include <limits>

#include "sim/base/check.h"

namespace cubicbench::sim {

namespace {

constexpr std::int64_t capacity_max = std::numeric_limits<std::int64_t>::max() / link_weight_one;
constexpr std::int64_t weight_max = std::numeric_limits<std::int32_t>::max();

/// When so many rounds of sharing have each moved somebody else, all that are joined are shared
/// anew, which ends it.
constexpr int rounds_max = 8;

}  // namespace

LinkSharing::LinkSharing(const IdVector<BundleId, std::int64_t>& capacities)
    : bundles_(capacities.size()),
      contended_(capacities.size()),
      full_at_(capacities.size()),
      is_looked_at_(capacities.size()),
      filling_(capacities.size()) {
  for (std::size_t row = 0; row < capacities.size(); ++row) {
    const auto bundle = id_at<BundleId>(row);
    const std::int64_t capacity = capacities[bundle];
    SIM_ASSERT(capacity > 0 && capacity <= capacity_max, bundle, capacity);
    bundles_[bundle].limit = capacity * link_weight_one;
  }
}

FlowSetId LinkSharing::add(std::span<const LinkUse> uses, std::int64_t cap) {
  SIM_ASSERT(cap > 0, cap);
  added_.assign(uses.begin(), uses.end());
  std::sort(added_.begin(), added_.end(),
            [](const LinkUse& a, const LinkUse& b) { return a.bundle < b.bundle; });
  Set set{.first_use = uses_.size(), .cap = cap};
  for (auto use = added_.begin(); use != added_.end();) {
    const BundleId bundle = use->bundle;
    SIM_ASSERT(bundles_.contains(bundle), bundle, bundles_.size());
    std::int64_t weight = 0;
    for (; use != added_.end() && use->bundle == bundle; ++use) {
      SIM_ASSERT(use->weight >= 0 && use->weight <= weight_max, use->weight);
      weight += use->weight;
    }
    SIM_ASSERT(weight <= weight_max, weight);
    if (weight > 0) {
      uses_.push_back({.bundle = bundle, .weight = static_cast<std::int32_t>(weight)});
    }
  }
  set.last_use = uses_.size();
  SIM_ASSERT(set.last_use <= std::numeric_limits<std::uint32_t>::max(), set.last_use);
  return sets_.push_back(set);
}

void LinkSharing::set_cap(FlowSetId set, std::int64_t cap) {
  SIM_ASSERT(cap > 0, set, cap);
  SIM_ASSERT(!sets_[set].active, set);
  sets_[set].cap = cap;
}

std::span<LinkSharing::Use> LinkSharing::uses_of(const Set& set) {
  return std::span(uses_).subspan(set.first_use, set.last_use - set.first_use);
}

void LinkSharing::start(FlowSetId id) {
  Set& set = sets_[id];
  SIM_ASSERT(!set.active, id);
  set.active = true;
  if (!set.started) {
    set.started = true;
    started_.push_back(id);
  }
  for (std::size_t number = set.first_use; number < set.last_use; ++number) {
    Use& use = uses_[number];
    Bundle& bundle = bundles_[use.bundle];
    use.place = static_cast<std::uint32_t>(bundle.members.size());
    bundle.members.push_back({id, static_cast<std::uint32_t>(number)});
    bundle.weight += use.weight;
    bundle.demand += Wide{set.cap} * use.weight;
    contended_[use.bundle] = bundle.demand > bundle.limit ? 1 : 0;
  }
}

void LinkSharing::stop(FlowSetId id) {
  Set& set = sets_[id];
  SIM_ASSERT(set.active, id);
  for (const Use& use : uses_of(set)) {
    Bundle& bundle = bundles_[use.bundle];
    const Member last = bundle.members.back();
    bundle.members.pop_back();
    if (use.place < bundle.members.size()) {
      bundle.members[use.place] = last;
      uses_[last.use].place = use.place;
    }
    bundle.weight -= use.weight;
    bundle.used -= set.rate * use.weight;
    bundle.demand -= Wide{set.cap} * use.weight;
    contended_[use.bundle] = bundle.demand > bundle.limit ? 1 : 0;
    if (full_at_[use.bundle] > 0) look_at(use.bundle);
  }
  set.active = false;
  set.rate = 0;
}

void LinkSharing::look_at(BundleId bundle) {
  if (is_looked_at_[bundle] != 0) return;
  is_looked_at_[bundle] = 1;
  looked_at_.push_back(bundle);
}

std::span<const FlowSetId> LinkSharing::settle() {
  changed_.clear();
  for (const FlowSetId set : started_) {
    if (sets_[set].active) open(set);
  }
  int round = 0;
  do {
    if (++round == rounds_max) open_joined();
    fill();
    find_full();
  } while (open_moved());
  close();
  return changed_;
}

void LinkSharing::open(FlowSetId id) {
  Set& set = sets_[id];
  if (set.open) return;
  set.open = true;
  open_.push_back(id);
  rates_before_.push_back(set.rate);
}

/// All sets that contended bundles join to open ones.
void LinkSharing::open_joined() {
  for (std::size_t row = 0; row < looked_at_.size(); ++row) {  // grows on the way
    for (const Member& member : bundles_[looked_at_[row]].members) {
      open(member.set);
      for (const Use& use : uses_of(sets_[member.set])) {
        if (contended_[use.bundle] != 0) look_at(use.bundle);
      }
    }
  }
}

void LinkSharing::close() {
  for (const FlowSetId id : started_) {
    if (sets_[id].active) changed_.push_back(id);
  }
  for (std::size_t row = 0; row < open_.size(); ++row) {
    Set& set = sets_[open_[row]];
    set.open = false;
    if (!set.started && set.rate != rates_before_[row]) changed_.push_back(open_[row]);
  }
  std::sort(changed_.begin(), changed_.end());
  for (const BundleId bundle : looked_at_) {
    full_at_[bundle] = filling_[bundle].full_at;
    is_looked_at_[bundle] = 0;
  }
  for (const FlowSetId id : started_) sets_[id].started = false;
  started_.clear();
  open_.clear();
  rates_before_.clear();
  looked_at_.clear();
}

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

void LinkSharing::begin_filling() {
  for (const FlowSetId id : open_) {
    sets_[id].rising = true;
    for (const Use& use : uses_of(sets_[id])) {
      if (contended_[use.bundle] != 0) look_at(use.bundle);
    }
  }
  for (const BundleId bundle : looked_at_) {
    const Bundle& row = bundles_[bundle];
    const std::int64_t equal = row.limit / std::max<std::int64_t>(row.weight, 1);
    filling_[bundle] = {.free = row.limit - row.used,
                        .rising = 0,
                        .equal = std::max<std::int64_t>(equal, 1),
                        .stopped_at = 0,
                        .full_at = 0,
                        .highest = 0};
  }
  for (const FlowSetId id : open_) {
    const Set& set = sets_[id];
    for (const Use& use : uses_of(set)) {
      if (is_looked_at_[use.bundle] == 0) continue;
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

void LinkSharing::find_full() {
  for (const BundleId bundle : looked_at_) {
    Filling& filling = filling_[bundle];
    if (filling.free >= bundles_[bundle].weight) continue;  // each could be faster by 1 B/s
    filling.full_at = full_at(bundles_[bundle], filling);
  }
}

/// The rate at which `bundle` is full with the rates as they are: the lowest rate r of a set below
/// its cap for which
///
///   free + sum of (rate - r) weight of those above r  <  weight of those above r, or at r below
///   cap
///
/// which is to say that all of them could not have risen by 1 B/s when they were at r.
std::int64_t LinkSharing::full_at(const Bundle& bundle, Filling& filling) {
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
      (capped ? at_cap : below_cap) += uses_[(*member)->use].weight;
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
