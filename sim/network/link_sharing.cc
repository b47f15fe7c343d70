#include "sim/network/link_sharing.h"

#include "sim/base/check.h"

namespace cubicbench::sim {

namespace {

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
    SIM_ASSERT(capacity > 0 && capacity <= link_rate_max, bundle, capacity);
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
    bundle.members.push_back({id, static_cast<std::uint32_t>(number), use.weight});
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
  for (const FlowSetId set : started_)
    if (sets_[set].active) open(set);
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
  for (const FlowSetId id : started_)
    if (sets_[id].active) changed_.push_back(id);
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

}  // namespace cubicbench::sim
