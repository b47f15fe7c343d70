#pragma once

#include "sim/network/collective.h"
#include "sim/plan/plan.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// What the busiest rank does of one layer's experts with a micro-batch [docs/models.md, Eq. X-1].
struct ExpertShare {
  double tokens = 0.0;    ///< that the rank routes: tensor ranks share those of their micro-batch
  double load = 1.0;      ///< of the busiest rank, over the mean
  double copies = 0.0;    ///< of routed tokens that it sends or receives
  double computed = 0.0;  ///< of them that its experts compute, their tensor ranks' among them
  double experts = 1.0;   ///< that it has
  double rows = 0.0;      ///< of one of them, in whole groups of eight
  double width = 0.0;     ///< of its part of an expert
};

ExpertShare expert_share(const Transformer& model, const Plan& plan);

/// Tokens of the busiest of `ranks` that share the experts, over the mean [Eq. X-2]: with a
/// capacity factor that; else 1 + z s, z the expected largest of as many normal numbers and s the
/// deviation of a sum over E / ranks experts of those that share all tokens among them,
///
///   s = deviation sqrt((E - n) / (n (E - 1))),     n = E / ranks
double busiest_load(const Experts& experts, std::int64_t ranks);

/// Of `groups` equal ones among E experts, those that a token's k experts lie in on average, where
/// they are drawn without putting back from at most `reachable` of the groups [Eq. X-3].
double distinct_groups(const Experts& experts, std::int64_t groups, std::int64_t reachable);

/// Copies of a token that cross the network on their way to its experts, own ones included.
struct DispatchCopies {
  double across = 0.0;  ///< between nodes: once a node
  double on_node = 0.0;
};

/// Of exchanges in two steps among the ranks of `expert` [Eq. X-4].
DispatchCopies dispatch_copies(const Experts& experts, ExpertDispatch dispatch,
                               const Group& expert);

}  // namespace cubicbench::sim
