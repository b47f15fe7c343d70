#pragma once

#include <cstdint>
#include <span>

#include "sim/engine/block_cost.h"
#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/network/collective.h"
#include "sim/plan/device_mesh.h"
#include "sim/plan/plan.h"
#include "sim/program/operation.h"

namespace cubicbench::sim {

/// `times` collectives in a row of `bytes` each, and `wait` more of latency in all. Nothing for one
/// rank or no bytes.
Transfer transfer(Collective op, Bytes bytes, double times, const Group& group,
                  const Network& network, Seconds wait = {});

/// What an operation on a stream of collectives moves; gathers stand for scatters as well.
Transfer transfer(const Operation& op, const Group& group, const Network& network,
                  Seconds wait = {});

/// `share` of a transfer: fewer bytes, and as much less time.
Transfer part_of(const Transfer& whole, double share);

/// What `part` leaves of `whole`.
Transfer rest_of(const Transfer& whole, const Transfer& part);

/// Where a block runs.
struct BlockPlace {
  const Plan& plan;
  const Cluster& cluster;
  const Stack& stack;
  const DeviceMesh& mesh;
};

/// What one pass over the operations of a block takes on a rank that nothing holds up.
///
/// Traffic of the tensor-parallel group is in two parts: a share that the stack hides runs beside
/// the kernels, the rest after them. Ranks of a group beyond a node wait for each other in every
/// collective [docs/models.md, Eq. C-5]: that is latency. Tokens travel to their experts and back
/// around the experts' kernels (see add_legs), in a pair of passes beside all kernels.
BlockTimes block_times(const char* name, const Block& block, std::span<const Operation> operations,
                       const BlockPlace& on);

/// `share` of one pass over `whole`, which is row `row`.
BlockTimes part_of(const BlockTimes& whole, std::uint16_t row, double share);

/// Whether a kernel computes what tokens were sent for: products of a rank's experts, grouped.
bool computes_experts(const Operation& op);

/// Adds to a block, whose kernels `times` has, the legs of its tokens' way: there before the
/// kernels of experts, which take `experts` and are marked as of leg 1, and back after them.
/// Operations tell the ways of exchanges one after the other; gathers are as much each way.
/// Exchanges between nodes and on them follow on each other, or are pipelined and one leg
/// [DeepSeekV3, section 3.2.2].
///
/// With expert_overlap these are tokens of another micro-batch: the share `hidden` runs beside all
/// kernels of the block, the rest after them; what ranks send that share an expert is never hidden.
void add_legs(std::span<const Operation> operations, SimTime experts, double hidden,
              const BlockPlace& on, BlockTimes& times);

/// `share` of one pass over the experts.
ExpertTimes part_of(const ExpertTimes& whole, double share);

}  // namespace cubicbench::sim
