#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/network/collective.h"
#include "sim/network/link_sharing.h"
#include "sim/network/load_writer.h"
#include "sim/network/router.h"

namespace cubicbench::sim {

/// What a collective puts on the links while its bytes flow, whatever its size.
struct CollectiveLoad {
  /// Of one bundle each, in order. Weights are relative to a flow of `flow_bytes`.
  std::vector<LinkUse> uses;
  /// What that flow has, a byte of the collective's size: a 16th of what a member sends between
  /// domains, or, where all are in one, passes on in it.
  double flow_bytes = 0.0;
  std::int64_t flows = 0;  ///< from one given member, or switch, to another
  /// The most that the collective alone, as fast as its cost says, demands of a bundle, over what
  /// the bundle has. Above one `uses` say less than is sent: no more than the bundle has.
  double demand_max = 0.0;
};

/// A collective of `algorithm` among `gpus`, in rank order, those of a domain one after the other.
struct LoadedCollective {
  Collective op = Collective::all_reduce;
  Algorithm algorithm = Algorithm::ring;
  std::span<const std::int64_t> gpus;
  BytesPerSecond rate_max{};  ///< of its size, when alone: payload_rate_max(); 0: without bound
  /// Members, where `gpus` are only the first of them; 0: they are all. The others lie on domains
  /// of their own as these do, over and over again, and nothing is counted of what they send.
  /// Requires closes_ring() of `algorithm`: the last of `gpus` sends to a next domain that looks
  /// like theirs.
  std::int64_t ranks = 0;
};

/// Whether `op` by `algorithm` goes round all domains of a group alike, whichever comes first.
constexpr bool closes_ring(Collective op, Algorithm algorithm) {
  return algorithm == Algorithm::ring && op != Collective::broadcast &&
         op != Collective::send_receive;
}

/// Counts what collectives and messages put on the bundles of a topology.
///
/// Volumes are those of traffic(). Where a library spreads an algorithm over channels, so is it
/// here (see LoadWriter). Bytes of all phases count as if they flowed all the time. Keeps memory
/// between calls; not for two threads at once.
class LoadCounter {
 public:
  /// `capacities` are those of a network in order: link_capacities().
  LoadCounter(const Router& router, IdVector<BundleId, std::int64_t> capacities);

  /// Requires a way to run it: has_traffic().
  CollectiveLoad count(const LoadedCollective& collective);
  /// A message from one GPU to another at `rate_max` when alone.
  CollectiveLoad count_message(std::int64_t from, std::int64_t to, BytesPerSecond rate_max);

  const IdVector<BundleId, std::int64_t>& capacities() const { return capacities_; }

 private:
  double limit(BundleId bundle, BytesPerSecond rate_max) const;
  double cut_to_capacity(BytesPerSecond rate_max);
  void take_detours();
  CollectiveLoad take(BytesPerSecond rate_max);

  const Router* router_;
  IdVector<BundleId, std::int64_t> capacities_;
  LoadWriter writer_;
  std::vector<BundlePart> parts_;
};

/// Bytes per second of every bundle: what its cables have, times what `network` reaches of that; 1
/// to half of link_rate_max.
IdVector<BundleId, std::int64_t> link_capacities(const Topology& topology, const Network& network);

/// The most bytes of a collective's size per second, once its start is over, at any size. Nothing
/// where the group cannot run `algorithm`.
std::optional<BytesPerSecond> payload_rate_max(Collective op, Algorithm algorithm,
                                               const Group& group, const Network& network);

/// Rate of the flow of `flow_bytes` while a collective of `size` runs alone: what LinkSharing calls
/// a cap. 1 to half of link_rate_max.
std::int64_t flow_cap(const CollectiveLoad& load, Bytes size, const CollectiveCost& cost);

}  // namespace cubicbench::sim
