#include "sim/network/collective_load.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/network/traffic.h"

namespace cubicbench::sim {
namespace {

/// Weights of what one member sends through its adapter are about 16 x 256: a single flow among
/// them rounds by a ten-thousandth, and 131,072 members together stay below 2^30.
constexpr double flow_parts = 16.0;

}  // namespace

LoadCounter::LoadCounter(const Router& router, IdVector<BundleId, std::int64_t> capacities)
    : router_(&router), capacities_(std::move(capacities)), writer_(router) {
  SIM_ASSERT(capacities_.size() == router.topology().bundles.size(), capacities_.size());
}

CollectiveLoad LoadCounter::count(const LoadedCollective& collective) {
  const std::int64_t given = std::ssize(collective.gpus);
  const std::int64_t ranks = collective.ranks > 0 ? collective.ranks : given;
  SIM_ASSERT(ranks == given || closes_ring(collective.op, collective.algorithm), ranks, given);
  writer_.begin(collective.op, collective.gpus, ranks);
  const CollectiveAlgorithm& algorithm = parts_of(collective.algorithm);
  if (writer_.n() > 1 && algorithm.load != nullptr) {
    algorithm.load(writer_);
  } else if (writer_.n() > 1) {
    writer_.send_flows(collective.algorithm);
  }
  return take(collective.rate_max);
}

CollectiveLoad LoadCounter::count_message(std::int64_t from, std::int64_t to,
                                          BytesPerSecond rate_max) {
  writer_.begin(Collective::send_receive, {}, 0);
  if (from != to) writer_.send(from, to, 1.0);
  writer_.moved = 1.0;
  return take(rate_max);
}

/// Most bytes on a bundle, a byte of size, that let the collective run at `rate_max`.
double LoadCounter::limit(BundleId bundle, BytesPerSecond rate_max) const {
  if (rate_max <= BytesPerSecond{}) return std::numeric_limits<double>::infinity();
  return static_cast<double>(capacities_[bundle]) / rate_max.value;
}

/// A cost may be less than what the bytes of its algorithm take on some links, where it was
/// measured on groups that lie better. Then the cost counts: alone, nothing is slower than it.
double LoadCounter::cut_to_capacity(BytesPerSecond rate_max) {
  BundleLoads& loads = writer_.loads;
  double demand_max = 0.0;
  for (const BundleId bundle : loads.loaded()) {
    const double most = limit(bundle, rate_max);
    demand_max = std::max(demand_max, loads[bundle] / most);
    loads[bundle] = std::min(loads[bundle], most);
  }
  return demand_max;
}

void LoadCounter::take_detours() {
  BundleLoads& loads = writer_.loads;
  for (const Detour& detour : writer_.detours) {
    parts_.clear();
    router_->spread(detour.from, detour.to, parts_);
    for (const BundlePart& part : parts_) loads.remove(part.bundle, part.part * detour.bytes);
    for (const LinkId link : router_->fixed().at({detour.from, detour.to})) {
      loads.add(router_->topology().links[link].bundle, detour.bytes);
    }
  }
}

CollectiveLoad LoadCounter::take(BytesPerSecond rate_max) {
  BundleLoads& loads = writer_.loads;
  CollectiveLoad load;
  load.demand_max = cut_to_capacity(rate_max);
  take_detours();
  const double senders = std::max(1.0, real(writer_.n()));
  load.flow_bytes = (writer_.across > 0.0 ? writer_.across / senders : writer_.moved) / flow_parts;
  load.flows = writer_.flows;
  const double one = load.flow_bytes / static_cast<double>(link_weight_one);
  load.uses.reserve(loads.loaded().size());
  for (const BundleId bundle : loads.loaded()) {
    if (loads[bundle] <= 0.0) continue;
    const double most = limit(bundle, rate_max);
    // What just fits must not be rounded up.
    const double weight = loads[bundle] <= most ? std::min(std::nearbyint(loads[bundle] / one),
                                                           std::floor(most / one))
                                                : std::nearbyint(loads[bundle] / one);
    load.uses.push_back({bundle, std::max<std::int64_t>(1, static_cast<std::int64_t>(weight))});
  }
  return load;
}

}  // namespace cubicbench::sim
