#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/hardware/cluster.h"
#include "sim/network/collective.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// Ranks that hold the same weights, and how a sharding mode divides them.
struct WeightGroups {
  Group replica;    ///< all of them
  Group shard;      ///< the part that shares one copy of the sharded state
  Group replicate;  ///< the part that holds equal shards
  Group reshard;    ///< the ranks that backward gathers from (reshard_after_forward = n)
};

/// Reads shard_group and reshard_after_forward of `plan`. Members of the replica are taken to be
/// spread evenly over the job's ranks.
WeightGroups weight_groups(const Group& replica, Sharding sharding, const Plan& plan,
                           const Cluster& cluster);

/// The same of members that are `stride` ranks apart.
WeightGroups weight_groups(const Group& replica, std::int64_t stride, Sharding sharding,
                           const Plan& plan, const Cluster& cluster);

/// The communicators of one rank, placed on the network. Dimensions are laid out inner to outer as
/// tensor, context, data, pipeline (Megatron-Core's parallel_state, torchtitan's world mesh), or as
/// tensor, context, pipeline, data [Llama3, section 3.3.2], so tensor groups stay on a node while
/// they fit.
struct DeviceMesh {
  Group tensor;
  Group context;         ///< ranks with different tokens in attention
  Group context_heads;   ///< and those that exchange heads, side by side
  WeightGroups weights;  ///< the replica is data x context
  Group expert;          ///< ranks that share the experts, of data x context [docs/models.md, X]
  Group expert_node;     ///< those of them on one node
  Group expert_across;   ///< those at the same place of their nodes
  Group expert_tensor;   ///< ranks that share each expert, of the tensor group
  WeightGroups expert_weights;  ///< the replica is the ranks that hold the same experts
  Group pipeline;               ///< one rank of each stage; neighbours send to each other
  bool stages_outermost = false;
  bool has_experts = false;  ///< else their groups are empty
};

/// Communicators that a rank belongs to: the world's, and one for each dimension in use.
double communicators(const DeviceMesh& mesh, const Plan& plan);

/// Of a model without experts. Requires check(plan, ..) to pass.
DeviceMesh device_mesh(const Plan& plan, const Cluster& cluster, bool stages_outermost);

/// The same of a model with experts. Pipeline stages are outermost (tensor, context, data,
/// pipeline), so that ranks which share experts lie side by side, as in Megatron-Core
/// (parallel_state, tp-cp-ep-dp-pp). The t c D ranks of a stage are laid out for its experts inner
/// to outer as those that share each expert, those that share the experts, and those that hold the
/// same ones (parallel folding, arXiv 2504.14960, section 3.2). Requires check(plan, ..) to pass.
DeviceMesh expert_device_mesh(const Plan& plan, const Cluster& cluster);

/// Which stage a rank is of, and the how many-th of its t c D ranks in the order tensor, context,
/// data.
struct StagePlace {
  std::int64_t stage = 0;
  std::int64_t member = 0;
};

/// Order of a job's ranks [DeviceMesh].
class RankOrder {
 public:
  RankOrder(const Plan& plan, std::int64_t gpus, bool stages_outermost)
      : block_(stages_outermost ? std::max<std::int64_t>(gpus / plan.pipeline_parallel, 1)
                                : plan.tensor_parallel * plan.context_parallel),
        stages_(plan.pipeline_parallel) {}

  StagePlace place(std::int64_t rank) const {
    return {rank / block_ % stages_, rank / (block_ * stages_) * block_ + rank % block_};
  }
  std::int64_t rank(const StagePlace& at) const {
    return (at.member / block_ * stages_ + at.stage) * block_ + at.member % block_;
  }

 private:
  std::int64_t block_;  ///< ranks of a stage that lie side by side
  std::int64_t stages_;
};

}  // namespace cubicbench::sim
