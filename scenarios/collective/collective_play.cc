#include "scenarios/collective/collective_play.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "sim/network/placement.h"
#include "sim/network/topologies.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {
namespace {

/// Groups on the same domains.
std::int64_t groups_beside(const AskedGroups& asked, const AskedCluster& cluster) {
  return std::min(asked.groups, cluster.gpus_per_domain / ranks_per_domain(asked, cluster));
}

/// GPUs of the domains that all groups lie on.
std::int64_t job_gpus(const AskedGroups& asked, const AskedCluster& cluster) {
  const std::int64_t beside = groups_beside(asked, cluster);
  const std::int64_t rows = (asked.groups + beside - 1) / beside;
  return rows * (asked.ranks / ranks_per_domain(asked, cluster)) * cluster.gpus_per_domain;
}

/// A domain has at most one adapter a GPU here: several are one of the sum of their rates.
std::int64_t adapters_of(const AskedCluster& cluster) {
  if (cluster.adapters <= 0.0) return cluster.gpus_per_domain;
  return std::clamp<std::int64_t>(std::llround(cluster.adapters), 1, cluster.gpus_per_domain);
}

sim::TopologyShape shape_of(const AskedGroups& asked, const AskedCluster& cluster,
                            const std::string& where) {
  const sim::Placement placement = asked.placement.value_or(cluster.placement);
  const std::int64_t gpus =
      std::max(cluster.gpus, sim::cluster_gpus(placement, job_gpus(asked, cluster)));
  sim::TopologyShape shape = sim::topology_shape(cluster.network, gpus, cluster.gpus_per_domain);
  shape.adapters = adapters_of(cluster);
  if (gpus > sim::topology_gpus_max) {
    throw support::InputError(
        where, "expected nodes of at most " + std::to_string(sim::topology_gpus_max) +
                   " GPUs for the groups with --engine event, got " + std::to_string(gpus));
  }
  if (const sim::ShapeProblem problem = problem_of(shape)) {
    throw support::InputError(where, "expected " + std::string(problem.expected) +
                                         " with --engine event, got " +
                                         std::to_string(problem.got));
  }
  return shape;
}

/// One group on its way: `left` of all its bytes at time `at`, since bytes began to flow.
struct Flowing {
  double left = 1.0;
  double at = 0.0;
  double rate = 0.0;  ///< of all its bytes a second
  double end = 0.0;
};

/// Groups whose bytes share links, from start to end.
class SharedLinks {
 public:
  SharedLinks(sim::LinkSharing& sharing, const std::vector<sim::FlowSetId>& sets)
      : sharing_(sharing), sets_(sets), flowing_(sets.size()) {}

  /// Seconds until the last is done that would take `alone` at the rate of its cap.
  double play(double alone, const std::vector<std::int64_t>& caps) {
    for (const sim::FlowSetId set : sets_) sharing_.start(set);
    double now = 0.0;
    share(now, alone, caps);
    while (!ends_.empty()) {
      now = ends_.top().first;
      while (!ends_.empty() && ends_.top().first <= now) {
        const std::size_t group = ends_.top().second;
        ends_.pop();
        if (flowing_[group].left == 0.0 || flowing_[group].end != now) continue;  // moved since
        flowing_[group].left = 0.0;
        sharing_.stop(sets_[group]);
      }
      share(now, alone, caps);
    }
    return now;
  }

 private:
  using End = std::pair<double, std::size_t>;

  /// Sets of `sharing_` are numbered as the groups are.
  void share(double now, double alone, const std::vector<std::int64_t>& caps) {
    for (const sim::FlowSetId set : sharing_.settle()) {
      const std::size_t group = sim::index_of(set);
      Flowing& flow = flowing_[group];
      flow.left -= (now - flow.at) * flow.rate;
      flow.at = now;
      const double share =
          static_cast<double>(sharing_.rate(set)) / static_cast<double>(caps[group]);
      flow.rate = share / alone;
      flow.end = now + std::max(0.0, flow.left) * alone / share;
      ends_.push({flow.end, group});
    }
  }

  sim::LinkSharing& sharing_;
  const std::vector<sim::FlowSetId>& sets_;
  std::vector<Flowing> flowing_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

}  // namespace

CollectivePlay::CollectivePlay(const AskedGroups& groups, const AskedCluster& cluster,
                               const std::string& where)
    : asked_(groups),
      group_(group_of(groups, cluster)),
      network_(cluster.network),
      domain_gpus_(cluster.gpus_per_domain),
      per_domain_(ranks_per_domain(groups, cluster)),
      beside_(groups_beside(groups, cluster)),
      topology_(sim::build_bundles(shape_of(groups, cluster, where))),
      gpus_(sim::place(groups.placement.value_or(cluster.placement), job_gpus(groups, cluster),
                       topology_.shape, 0)),
      router_(topology_),
      counter_(router_, sim::link_capacities(topology_, network_)) {}

std::vector<std::int64_t> CollectivePlay::members(std::int64_t number) const {
  const std::int64_t domains = asked_.ranks / per_domain_;
  const std::int64_t first_domain = number / beside_ * domains;
  const std::int64_t first_place = number % beside_ * per_domain_;
  std::vector<std::int64_t> members;
  members.reserve(static_cast<std::size_t>(asked_.ranks));
  for (std::int64_t rank = 0; rank < asked_.ranks; ++rank) {
    const std::int64_t domain = first_domain + rank / per_domain_;
    const std::int64_t place = domain * domain_gpus_ + first_place + rank % per_domain_;
    members.push_back(gpus_[static_cast<std::size_t>(place)]);
  }
  return members;
}

CollectivePlay::Loaded& CollectivePlay::loaded(sim::Collective op, sim::Algorithm algorithm) {
  const auto known = loaded_.find({op, algorithm});
  if (known != loaded_.end()) return known->second;
  Loaded fresh;
  const auto rate = sim::payload_rate_max(op, algorithm, group_, network_);
  for (std::int64_t group = 0; group < asked_.groups; ++group) {
    const std::vector<std::int64_t> gpus = members(group);
    fresh.loads.push_back(
        counter_.count({op, algorithm, gpus, rate.value_or(sim::BytesPerSecond{})}));
  }
  return loaded_.emplace(std::pair{op, algorithm}, std::move(fresh)).first->second;
}

/// Whether no link is asked for more than it has while all groups run as fast as alone.
bool CollectivePlay::has_room(const Loaded& groups, const std::vector<std::int64_t>& caps) const {
  constexpr double rounding = 1e-9;
  const auto& capacities = counter_.capacities();
  sim::IdVector<sim::BundleId, double> asked(capacities.size(), 0.0);
  for (std::size_t i = 0; i < caps.size(); ++i) {
    for (const sim::LinkUse& use : groups.loads[i].uses) {
      asked[use.bundle] += static_cast<double>(caps[i]) * static_cast<double>(use.weight);
      const double has = static_cast<double>(sim::link_weight_one * capacities[use.bundle]);
      if (asked[use.bundle] > (1.0 - rounding) * has) return false;
    }
  }
  return true;
}

/// What LinkSharing says of one set, which is as fast as its fullest bundle lets it.
double CollectivePlay::time_of_one(const sim::CollectiveLoad& load, std::int64_t cap,
                                   double alone) const {
  std::int64_t rate = cap;
  for (const sim::LinkUse& use : load.uses) {
    rate = std::min(rate, sim::link_weight_one * counter_.capacities()[use.bundle] / use.weight);
  }
  rate = std::max<std::int64_t>(rate, 1);
  return alone / (static_cast<double>(rate) / static_cast<double>(cap));
}

/// Seconds until the last group is done whose bytes would flow for `alone`.
double CollectivePlay::shared_time(Loaded& groups, const std::vector<std::int64_t>& caps,
                                   double alone) const {
  if (caps.size() == 1) return time_of_one(groups.loads.front(), caps.front(), alone);
  if (has_room(groups, caps)) return alone;
  if (!groups.sharing) {
    groups.sharing.emplace(counter_.capacities());
    for (const sim::CollectiveLoad& load : groups.loads) {
      groups.sets.push_back(groups.sharing->add(load.uses, 1));
    }
  }
  for (std::size_t i = 0; i < caps.size(); ++i) {
    groups.sharing->set_cap(groups.sets[i], caps[i]);
  }
  return SharedLinks(*groups.sharing, groups.sets).play(alone, caps);
}

CollectiveAnswer CollectivePlay::play(const CollectiveAnswer& alone, bool contention) {
  const sim::Bytes size{alone.size_bytes};
  Loaded& groups = loaded(alone.op, alone.cost.algorithm);
  std::vector<std::int64_t> caps;
  std::uint64_t flows = 0;
  for (const sim::CollectiveLoad& load : groups.loads) {
    caps.push_back(sim::flow_cap(load, size, alone.cost));
    flows += static_cast<std::uint64_t>(load.flows);
  }
  const double flowing = (alone.cost.time - alone.cost.start).value;
  sim::Seconds time = alone.cost.time;
  if (contention && flowing > 0.0) {
    const double shared = shared_time(groups, caps, flowing);
    time += sim::Seconds{std::max(0.0, shared - flowing)};
  }
  CollectiveAnswer answer = with_time(alone, time, asked_.ranks);
  const auto count = static_cast<std::uint64_t>(asked_.groups);
  answer.event = CollectiveCounts{.events = 2 * count,
                                  .ranks = count * static_cast<std::uint64_t>(asked_.ranks),
                                  .flows = flows};
  return answer;
}

}  // namespace cubicbench::scenarios
