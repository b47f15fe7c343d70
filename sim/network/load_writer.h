#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/collective.h"
#include "sim/network/domain_load.h"
#include "sim/network/router.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {

/// Bytes of a pair whose route is fixed, counted so far as if it were not.
struct Detour {
  std::int64_t from;
  std::int64_t to;
  double bytes;
};

/// What a collective puts on bundles, a byte of its size, as its algorithm writes it down: rings
/// and trees between domains leave through the adapters of all members, member i to member i (or
/// its share, where there are fewer); inside a domain they use all its links (see DomainLoad).
class LoadWriter {
 public:
  using Gpus = std::span<const std::int64_t>;

  explicit LoadWriter(const Router& router)
      : loads(router.topology().bundles.size()), router_(&router), domain_(router) {}

  /// Begins with nothing counted, of a collective of `ranks` members, the first of which are `gpus`
  /// (see LoadedCollective).
  void begin(Collective op, Gpus gpus, std::int64_t ranks);

  Collective op() const { return op_; }
  Gpus gpus() const { return gpus_; }
  std::int64_t n() const { return ranks_; }
  std::int64_t domains() const { return std::ssize(runs_); }
  std::size_t ranks_of_first_domain() const { return runs_.front().size; }

  /// The part that the members of a domain pass on among themselves of what goes round.
  void pass_around(double bytes);
  /// The same of rings of their own in each domain, or of chains that pass on all of it; `each`:
  /// flows a member.
  void pass_in_domains(double bytes, bool closed, std::int64_t each);
  /// Every member of a domain sends as much to each of the others.
  void exchange(double bytes);
  /// Up from every member to the switch of its domain, down to each.
  void through_switch(double up, double down);
  /// Each domain reduces all bytes and spreads one part of each member.
  void reduce_in_switches();
  /// Scatters and gathers in each domain, the sum of each part in the fabric.
  void reduce_in_fabric();
  void send(std::int64_t from, std::int64_t to, double bytes);
  /// Every member all bytes to the next.
  void send_to_next();
  void chain_across(double bytes, bool closed);
  /// Half of the data over each tree, up and down.
  void trees_across();
  void pairs(Gpus gpus, double bytes);
  /// Algorithms whose partners lie at many distances, flow by flow.
  void send_flows(Algorithm algorithm);

  BundleLoads loads;
  std::vector<Detour> detours;
  double moved = 0.0;   ///< by a member inside its domain
  double across = 0.0;  ///< by all members between domains, also those not given
  std::int64_t flows = 0;

 private:
  Gpus members(const DomainRun& run) const { return gpus_.subspan(run.first, run.size); }
  template <typename Send>
  void each_across(const DomainRun& from, const DomainRun& to, double bytes, Send send_one) const;
  void add_across(const DomainRun& from, const DomainRun& to, double bytes);
  void note_detours(Gpus gpus, double bytes);

  const Router* router_;
  DomainLoad domain_;
  std::vector<BundlePart> parts_;
  Collective op_ = Collective::all_reduce;
  Gpus gpus_;
  std::int64_t ranks_ = 0;
  std::vector<DomainRun> runs_;
};

}  // namespace cubicbench::sim
