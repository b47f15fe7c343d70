#include "sim/network/collective_load.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/network/traffic.h"

namespace cubicbench::sim {
namespace {

/// Weights of what one member sends through its adapter are about 16 x 256: a single flow among
/// them rounds by a ten-thousandth, and 131,072 members together stay below 2^30.
constexpr double flow_parts = 16.0;

}  // namespace

LoadCounter::LoadCounter(const Router& router, const IdVector<BundleId, std::int64_t>& capacities)
    : router_(&router),
      capacities_(capacities),
      loads_(router.topology().bundles.size()),
      domain_(router) {
  SIM_ASSERT(capacities.size() == router.topology().bundles.size(), capacities.size());
}

CollectiveLoad LoadCounter::count(const LoadedCollective& collective) {
  gpus_ = collective.gpus;
  runs_ = domain_runs(router_->topology().shape, gpus_);
  if (gpus_.size() > 1) add(collective);
  return take(collective.rate_max);
}

CollectiveLoad LoadCounter::count_message(std::int64_t from, std::int64_t to,
                                          BytesPerSecond rate_max) {
  gpus_ = {};
  runs_.clear();
  if (from != to) add_flow(from, to, 1.0);
  moved_ = 1.0;
  return take(rate_max);
}

void LoadCounter::add(const LoadedCollective& collective) {
  switch (collective.algorithm) {
    case Algorithm::ring:
      return add_ring(collective.op);
    case Algorithm::tree:
      return add_tree(false);
    case Algorithm::nvls_tree:
      return add_tree(true);
    case Algorithm::nvls:
      return add_nvls(collective.op);
    case Algorithm::in_network:
      return add_in_network();
    case Algorithm::hierarchical:
      return add_hierarchical(collective.op);
    case Algorithm::direct:
      return add_direct(collective.op);
    case Algorithm::pat:
    case Algorithm::recursive_doubling:
      return add_by_flows(collective);
  }
}

// ---- algorithms --------------------------------------------------------------------------------

/// Each of r members on a node ends one of r channels there, and sends that one's part between
/// nodes.
void LoadCounter::add_ring(Collective op) {
  const bool closed = op != Collective::broadcast;
  const double bytes = bus_factor(op, std::ssize(gpus_));
  if (op == Collective::send_receive) return add_direct(op);
  pass_around(bytes);
  add_chain_across(bytes, closed);
}

/// Chains up and down inside a node, or its switch; trees between nodes.
void LoadCounter::add_tree(bool in_switch) {
  for (const DomainRun& run : runs_) {
    const double r = static_cast<double>(run.size);
    if (in_switch) {
      domain_.through_switch(members(run), 1.0 + 1.0 / r, 1.0 + 1.0 / r, loads_);
    } else {
      domain_.pass_around(members(run), 2.0 * (r - 1.0) / r, loads_);
    }
    flows_ += 2 * static_cast<std::int64_t>(run.size);
  }
  moved_ = in_switch ? 1.0 : 2.0;
  add_trees_across();
}

void LoadCounter::add_nvls(Collective op) {
  const double part = 1.0 / ranks();
  const double up = op == Collective::all_gather ? part : 1.0;
  const double down = op == Collective::reduce_scatter ? part : 1.0;
  const double both = op == Collective::all_reduce ? part : 0.0;
  through_switch(up + both, down + both);
  add_trees_across();  // nothing, unless the group has more domains than its cost says
}

void LoadCounter::add_in_network() {
  for (const DomainRun& run : runs_) {
    const double part = 1.0 / static_cast<double>(run.size);
    domain_.exchange(members(run), 2.0 * part, loads_);
    flows_ += static_cast<std::int64_t>(run.size * (run.size + 1));
  }
  moved_ = 2.0;
  const double part = 1.0 / static_cast<double>(runs_.front().size);
  add_reduction_in_fabric(*router_, gpus_, part, loads_);
  if (runs_.size() > 1) across_ += ranks() * part;
}

void LoadCounter::add_hierarchical(Collective op) {
  if (op == Collective::all_to_all) {
    const std::size_t r = runs_.front().size;
    exchange(1.0 / static_cast<double>(r));
    std::vector<std::int64_t> rail;
    for (std::size_t index = 0; index < r; ++index) {
      rail.clear();
      for (std::size_t rank = index; rank < gpus_.size(); rank += r) rail.push_back(gpus_[rank]);
      add_pairs(rail, 1.0 / real(std::ssize(runs_)));
    }
    return;
  }
  const double rounds = op == Collective::all_reduce ? 2.0 : 1.0;
  const bool closed = op != Collective::broadcast;
  for (const DomainRun& run : runs_) {
    const double r = static_cast<double>(run.size);
    domain_.pass_around(members(run), closed ? rounds * (r - 1.0) / r : 1.0, loads_);
    flows_ += static_cast<std::int64_t>(run.size);
  }
  moved_ = rounds;
  const double nodes = real(std::ssize(runs_));
  add_chain_across(closed ? rounds * (nodes - 1.0) / nodes : 1.0, closed);
}

void LoadCounter::add_direct(Collective op) {
  if (op == Collective::send_receive) {
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      add_flow(gpus_[i], gpus_[(i + 1) % gpus_.size()], 1.0);
    }
    moved_ = 1.0;
    return;
  }
  const double part = (op == Collective::all_reduce ? 2.0 : 1.0) / ranks();
  exchange(part);
  add_pairs(gpus_, part);
}

/// Algorithms whose partners lie at many distances, flow by flow.
void LoadCounter::add_by_flows(const LoadedCollective& collective) {
  // Who talks to whom does not depend on the domains.
  const Group group{.ranks = std::ssize(gpus_), .ranks_per_node = 1};
  for (const Flow& flow : traffic(collective.op, collective.algorithm, Bytes{1.0}, group)) {
    add_flow(gpus_[static_cast<std::size_t>(flow.from)], gpus_[static_cast<std::size_t>(flow.to)],
             flow.bytes.value);
    moved_ += flow.bytes.value / ranks();
  }
}

// ---- inside domains ----------------------------------------------------------------------------

void LoadCounter::pass_around(double bytes) {
  for (const DomainRun& run : runs_) {
    const double r = static_cast<double>(run.size);
    const double part = runs_.size() == 1 ? 1.0 : (r - 1.0) / r;
    domain_.pass_around(members(run), part * bytes, loads_);
    flows_ += static_cast<std::int64_t>(run.size) - (runs_.size() == 1 ? 0 : 1);
    if (run.size < 2 || router_->fixed().empty()) continue;
    for (std::size_t i = 0; i < run.size; ++i) {
      const std::int64_t from = members(run)[i];
      const std::int64_t to = members(run)[(i + 1) % run.size];
      if (router_->is_fixed(from, to)) detours_.push_back({from, to, part * bytes});
    }
  }
  moved_ = bytes;
}

void LoadCounter::exchange(double bytes) {
  for (const DomainRun& run : runs_) {
    domain_.exchange(members(run), bytes, loads_);
    flows_ += static_cast<std::int64_t>(run.size * (run.size - 1));
    moved_ = std::max(moved_, static_cast<double>(run.size - 1) * bytes);
  }
}

void LoadCounter::through_switch(double up, double down) {
  for (const DomainRun& run : runs_) {
    domain_.through_switch(members(run), up, down, loads_);
    flows_ += 2 * static_cast<std::int64_t>(run.size);
  }
  moved_ = std::max(up, down);
}

// ---- between domains ---------------------------------------------------------------------------

void LoadCounter::add_flow(std::int64_t from, std::int64_t to, double bytes) {
  parts_.clear();
  router_->spread(from, to, parts_);
  for (const BundlePart& part : parts_) loads_.add(part.bundle, part.part * bytes);
  if (router_->is_fixed(from, to)) detours_.push_back({from, to, bytes});
  const TopologyShape& shape = router_->topology().shape;
  if (domain_of(shape, from) != domain_of(shape, to)) across_ += bytes;
  ++flows_;
}

/// All members of one domain send, all of the other receive, alike and in order: with as many here
/// as there member i sends to member i.
void LoadCounter::add_across(const DomainRun& from, const DomainRun& to, double bytes) {
  const std::size_t whole = from.size * to.size;
  for (std::size_t at = 0; at < whole;) {
    const std::size_t sender = at / to.size;
    const std::size_t receiver = at / from.size;
    const std::size_t end = std::min((sender + 1) * to.size, (receiver + 1) * from.size);
    add_flow(gpus_[from.first + sender], gpus_[to.first + receiver],
             bytes * static_cast<double>(end - at) / static_cast<double>(whole));
    at = end;
  }
}

void LoadCounter::add_chain_across(double bytes, bool closed) {
  if (runs_.size() < 2) return;
  const std::size_t edges = closed ? runs_.size() : runs_.size() - 1;
  for (std::size_t i = 0; i < edges; ++i) {
    add_across(runs_[i], runs_[(i + 1) % runs_.size()], bytes);
  }
}

/// Half of the data over each tree, up and down.
void LoadCounter::add_trees_across() {
  const std::int64_t nodes = std::ssize(runs_);
  for (const auto parent_of : {first_tree_parent, second_tree_parent}) {
    for (std::int64_t node = 0; node < nodes; ++node) {
      const std::int64_t parent = parent_of(node, nodes);
      if (parent == no_parent) continue;
      const DomainRun& here = runs_[static_cast<std::size_t>(node)];
      const DomainRun& above = runs_[static_cast<std::size_t>(parent)];
      add_across(here, above, 0.5);
      add_across(above, here, 0.5);
    }
  }
}

void LoadCounter::add_pairs(Gpus gpus, double bytes) {
  add_pairs_between_domains(*router_, gpus, bytes, loads_);
  const auto n = std::ssize(gpus);
  std::int64_t pairs = n * n;
  for (const DomainRun& run : domain_runs(router_->topology().shape, gpus)) {
    pairs -= static_cast<std::int64_t>(run.size * run.size);
  }
  flows_ += pairs;
  across_ += real(pairs) * bytes;
  note_detours(gpus, bytes);
}

/// Of pairs that were counted together.
void LoadCounter::note_detours(Gpus gpus, double bytes) {
  if (router_->fixed().empty()) return;
  std::vector<std::int64_t> sorted(gpus.begin(), gpus.end());
  std::sort(sorted.begin(), sorted.end());
  const auto is_member = [&](std::int64_t gpu) {
    return std::binary_search(sorted.begin(), sorted.end(), gpu);
  };
  for (const auto& [pair, links] : router_->fixed()) {
    if (is_member(pair.first) && is_member(pair.second)) {
      detours_.push_back({pair.first, pair.second, bytes});
    }
  }
}

// ---- the sum -----------------------------------------------------------------------------------

/// Most bytes on a bundle, a byte of size, that let the collective run at `rate_max`.
double LoadCounter::limit(BundleId bundle, BytesPerSecond rate_max) const {
  if (rate_max <= BytesPerSecond{}) return std::numeric_limits<double>::infinity();
  return static_cast<double>(capacities_[bundle]) / rate_max.value;
}

/// A cost may be less than what the bytes of its algorithm take on some links, where it was
/// measured on groups that lie better. Then the cost counts: alone, nothing is slower than it.
double LoadCounter::cut_to_capacity(BytesPerSecond rate_max) {
  double demand_max = 0.0;
  for (const BundleId bundle : loads_.loaded()) {
    const double most = limit(bundle, rate_max);
    demand_max = std::max(demand_max, loads_[bundle] / most);
    loads_[bundle] = std::min(loads_[bundle], most);
  }
  return demand_max;
}

void LoadCounter::take_detours() {
  for (const Detour& detour : detours_) {
    parts_.clear();
    router_->spread(detour.from, detour.to, parts_);
    for (const BundlePart& part : parts_) loads_.remove(part.bundle, part.part * detour.bytes);
    for (const LinkId link : router_->fixed().at({detour.from, detour.to})) {
      loads_.add(router_->topology().links[link].bundle, detour.bytes);
    }
  }
}

CollectiveLoad LoadCounter::take(BytesPerSecond rate_max) {
  CollectiveLoad load;
  load.demand_max = cut_to_capacity(rate_max);
  take_detours();
  const double senders = std::max(1.0, ranks());
  load.flow_bytes = (across_ > 0.0 ? across_ / senders : moved_) / flow_parts;
  load.flows = flows_;
  const double one = load.flow_bytes / static_cast<double>(link_weight_one);
  load.uses.reserve(loads_.loaded().size());
  for (const BundleId bundle : loads_.loaded()) {
    if (loads_[bundle] <= 0.0) continue;
    const double most = limit(bundle, rate_max);
    // What just fits must not be rounded up.
    const double weight = loads_[bundle] <= most ? std::min(std::nearbyint(loads_[bundle] / one),
                                                            std::floor(most / one))
                                                 : std::nearbyint(loads_[bundle] / one);
    load.uses.push_back({bundle, std::max<std::int64_t>(1, static_cast<std::int64_t>(weight))});
  }
  loads_.clear();
  detours_.clear();
  gpus_ = {};
  moved_ = across_ = 0.0;
  flows_ = 0;
  return load;
}

}  // namespace cubicbench::sim
