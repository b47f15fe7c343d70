#pragma once

#include "sim/network/collective.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
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

/// What a rank moves of a layer's experts that are stored in host memory or on SSD, in bytes a pass
/// of a micro-batch [SE-MoE, section 3.1; docs/models.md, Eq. X-8].
struct StoredExperts {
  double activated = 1.0;  ///< share of its experts that a token of the micro-batch is sent to
  double fetched = 0.0;    ///< weights of those, to the device
  double returned = 0.0;   ///< their gradients, from it
  double read = 0.0;       ///< of `fetched`, from SSD because no cache in host memory has them
};

StoredExperts stored_experts(const Transformer& model, const Plan& plan);

/// Writes what updating stored experts streams, a parameter: 28 bytes through host memory (weight,
/// both moments and gradient in fp32 read, all but the last written; without moments 12), and for
/// what is not cached weight and moments from SSD and back.
void add_stored_update(const Plan& plan, StepProgram& program);

/// Bytes of the device for them: 4 a S / L, weights and gradients of one layer's experts that are
/// used, and with prefetch the next layer's weights as well [SE-MoE, section 3.1].
double stored_experts_weights(const Transformer& model, const Plan& plan);
double stored_experts_gradients(const Transformer& model, const Plan& plan);

}  // namespace cubicbench::sim
