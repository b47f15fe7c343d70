#include "sim/network/link_sharing.h"

#include <algorithm>
#include <limits>

#include "sim/base/check.h"

namespace cubicbench::sim {

namespace {

constexpr std::int64_t capacity_max = std::numeric_limits<std::int64_t>::max() / link_weight_one;
constexpr std::int64_t weight_max = std::numeric_limits<std::int32_t>::max();

}  // namespace

LinkSharing::LinkSharing(const IdVector<BundleId, std::int64_t>& capacities)
    : bundles_(capacities.size()),
      contended_(capacities.size()),
      marked_(capacities.size()),
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

/// After the demand of a bundle has changed.
void LinkSharing::touch(BundleId bundle, const Bundle& row) {
  std::uint8_t& contended = contended_[bundle];
  const bool before = contended != 0;
  contended = row.demand > row.limit ? 1 : 0;
  if ((before || contended != 0) && marked_[bundle] == 0) {
    marked_[bundle] = 1;
    touched_.push_back(bundle);
  }
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
    bundle.demand += Demand{set.cap} * use.weight;
    touch(use.bundle, bundle);
  }
}

void LinkSharing::stop(FlowSetId id) {
  Set& set = sets_[id];
  SIM_ASSERT(set.active, id);
  set.active = false;
  set.rate = 0;
  for (const Use& use : uses_of(set)) {
    Bundle& bundle = bundles_[use.bundle];
    const Member last = bundle.members.back();
    bundle.members.pop_back();
    if (use.place < bundle.members.size()) {
      bundle.members[use.place] = last;
      uses_[last.use].place = use.place;
    }
    bundle.weight -= use.weight;
    bundle.demand -= Demand{set.cap} * use.weight;
    touch(use.bundle, bundle);
  }
}

std::span<const FlowSetId> LinkSharing::settle() {
  changed_.clear();
  for (const FlowSetId set : started_) {
    if (sets_[set].active) reach(set);
  }
  reach_joined();
  fill();
  report_changes();
  return changed_;
}

void LinkSharing::reach(FlowSetId id) {
  Set& set = sets_[id];
  if (set.reached) return;
  set.reached = true;
  reached_.push_back(id);
}

void LinkSharing::reach_members(BundleId bundle) {
  for (const Member& member : bundles_[bundle].members) reach(member.set);
}

/// Whatever touched bundles hold, and all that contended bundles join to it.
void LinkSharing::reach_joined() {
  for (const BundleId bundle : touched_) {
    marked_[bundle] = 0;
    reach_members(bundle);
  }
  touched_.clear();
  for (std::size_t row = 0; row < reached_.size(); ++row) {  // grows on the way
    for (const Use& use : uses_of(sets_[reached_[row]])) {
      if (contended_[use.bundle] == 0 || marked_[use.bundle] != 0) continue;
      marked_[use.bundle] = 1;
      filled_.push_back(use.bundle);
      reach_members(use.bundle);
    }
  }
}

/// Lets the rates of all reached sets rise until each has stopped.
void LinkSharing::fill() {
  rates_before_.clear();
  for (const FlowSetId id : reached_) {
    rates_before_.push_back(sets_[id].rate);
    sets_[id].rate = sets_[id].cap;
  }
  if (filled_.empty()) return;
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
  for (const BundleId bundle : filled_) marked_[bundle] = 0;
  filled_.clear();
}

void LinkSharing::begin_filling() {
  by_cap_.assign(reached_.begin(), reached_.end());
  std::sort(by_cap_.begin(), by_cap_.end(),
            [&](FlowSetId a, FlowSetId b) { return sets_[a].cap < sets_[b].cap; });
  for (const FlowSetId id : reached_) sets_[id].rising = true;
  levels_.clear();
  for (const BundleId bundle : filled_) {
    filling_[bundle] = {bundles_[bundle].limit, bundles_[bundle].weight};
    levels_.push_back({filling_[bundle].level(), bundle});
  }
  std::make_heap(levels_.begin(), levels_.end(), Level::higher);
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
    for (const Member& member : bundles_[bundle].members) {
      if (sets_[member.set].rising) stop_rising(member.set, rate);
    }
  }
}

void LinkSharing::stop_rising(FlowSetId id, std::int64_t rate) {
  Set& set = sets_[id];
  set.rising = false;
  set.rate = rate;
  for (const Use& use : uses_of(set)) {
    if (contended_[use.bundle] == 0) continue;
    Filling& filling = filling_[use.bundle];
    filling.free -= rate * use.weight;
    filling.rising -= use.weight;
  }
}

void LinkSharing::report_changes() {
  for (const FlowSetId id : started_) {
    if (sets_[id].active) changed_.push_back(id);
  }
  for (std::size_t row = 0; row < reached_.size(); ++row) {
    Set& set = sets_[reached_[row]];
    set.reached = false;
    if (!set.started && set.rate != rates_before_[row]) changed_.push_back(reached_[row]);
  }
  for (const FlowSetId id : started_) sets_[id].started = false;
  started_.clear();
  reached_.clear();
  std::sort(changed_.begin(), changed_.end());
}

}  // namespace cubicbench::sim
