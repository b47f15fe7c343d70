#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/event/sim_time.h"
#include "sim/network/collective.h"
#include "sim/program/allocation_table.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// Live tensors of the ranks of one stage, by moment of the step, and how many passes over chunks
/// have theirs kept at once when they are as many.
struct StageBytes {
  std::array<Bytes, moment_count> alive{};
  Bytes kept;              ///< of `alive` in passes: activations of the passes in flight
  double in_flight = 1.0;  ///< passes that `kept` is of

  /// While `passes` are in flight.
  Bytes at_moment(Moment moment, double passes) const {
    const bool in_pass = (in_passes & at(moment)) != 0;
    const Bytes all = alive[static_cast<std::size_t>(moment)];
    return in_pass && passes != in_flight ? all - (1.0 - passes / in_flight) * kept : all;
  }
};

/// Of one holder's allocations. `in_flight` counts the passes that its activations are of; 0 where
/// they do not grow with them.
inline StageBytes stage_bytes(std::span<const Allocation> allocations, double in_flight) {
  StageBytes bytes;
  for (std::size_t i = 0; i < bytes.alive.size(); ++i) {
    bytes.alive[i] = alive_at(allocations, static_cast<Moment>(i));
  }
  for (const Allocation& allocation : allocations) {
    const bool grows = allocation.part == MemoryPart::activations && allocation.alive == in_passes;
    if (grows && in_flight > 0.0) bytes.kept += allocation.bytes;
  }
  bytes.in_flight = in_flight > 0.0 ? in_flight : 1.0;
  return bytes;
}

/// What a communicator is for. A rank has at most one of each.
enum class Role : std::uint8_t {
  tensor,
  context,        ///< ranks with different tokens in attention
  context_heads,  ///< those that exchange heads for tokens
  shard,          ///< one copy of sharded weights; of a recommendation model, of the dense arch
  replicate,      ///< equal shards
  reshard,
  replica,
  sequence_shard,  ///< the same of the sequence arch
  sequence_replicate,
  sequence_reshard,
  sequence_replica,
  interaction_shard,  ///< of the interaction
  interaction_replicate,
  interaction_reshard,
  interaction_replica,
  over_shard,  ///< and of the over arch
  over_replicate,
  over_reshard,
  over_replica,
  exchange,         ///< ranks that hold one copy of the tables, for pooled rows
  exchange_node,    ///< those of them on one node
  exchange_world,   ///< all ranks, for gradients of replicated tables
  exchange_copies,  ///< ranks that hold the same shards
  input,            ///< ranks of one copy, for ids of the next batch
  expert,           ///< ranks that share the experts of a layer
  expert_node,      ///< those of them on one node
  expert_across,    ///< those at the same place of their nodes
  expert_tensor,    ///< ranks that share each expert
  expert_shard,     ///< and of the weights of experts
  expert_replicate,
  expert_reshard,
  expert_replica,
  forward_edge,          ///< activations to the next pipeline stage
  backward_edge,         ///< and their gradients to the stage before
  return_edge,           ///< the same of the second chunk of a V: activations to the stage before
  return_backward_edge,  ///< and gradients to the next stage
};
inline constexpr std::size_t role_count = 36;

/// Of what there is once for each role.
constexpr std::size_t slot(Role role) { return static_cast<std::size_t>(role); }
inline constexpr std::size_t edge_count = 4;

constexpr bool is_edge(Role role) { return role >= Role::forward_edge; }
/// Which of the edges it is.
constexpr std::size_t edge_of(Role role) { return slot(role) - slot(Role::forward_edge); }
constexpr Role edge_role(std::size_t edge) {
  return static_cast<Role>(static_cast<std::size_t>(Role::forward_edge) + edge);
}

/// Communication that runs beside a rank's compute, in order of issue on each stream.
enum class AsyncStream : std::uint8_t {
  weights,
  copies,    ///< between the copies of sharded weights
  exchange,  ///< pooled rows
  input,
  storage,  ///< updates of experts that are stored outside of the device
};
inline constexpr std::size_t async_stream_count = 5;

/// One or several collectives in a row that nothing comes between: alone they take `latency`, then
/// `busy` with bytes on the links. No bytes: a copy that uses no network.
struct Transfer {
  Collective op = Collective::all_gather;
  Algorithm algorithm = Algorithm::ring;
  Bytes bytes{};  ///< of all of them
  SimTime latency{};
  SimTime busy{};

  SimTime alone() const { return latency + busy; }
  bool operator==(const Transfer&) const = default;
};

/// One kernel, or several alike.
struct KernelTime {
  const char* name = "";
  SimTime time{};
  std::uint8_t leg = 0;  ///< legs of ExpertTimes::legs before it
};

/// What a rank sends and receives in the group of one of its roles.
struct RoleTransfer {
  const char* name = "";
  Role role = Role::expert;
  Transfer transfer{};
};

/// A leg of the way that tokens take to their experts and back: what moves at once.
struct ExpertLeg {
  SimTime before{};  ///< kernels since the leg before it
  std::vector<RoleTransfer> transfers{};
};

/// The layer's experts, within a block, whose other kernels come first.
struct ExpertTimes {
  /// Beside the block's kernels, one leg after the other, behind the tensor group's.
  std::vector<ExpertLeg> beside{};
  std::vector<ExpertLeg> legs{};  ///< after those of `beside`

  /// Those between legs.
  SimTime kernels() const {
    SimTime sum{};
    for (const ExpertLeg& leg : legs) sum += leg.before;
    return sum;
  }
};

/// One pass over a block: its kernels, the collectives between them, and its launches.
struct BlockTimes {
  const char* name = "";
  std::uint16_t of = 0;  ///< row of the whole block, where this is a share of one
  double share = 1.0;
  std::vector<KernelTime> kernel_list{};                   ///< in order of launch
  SimTime kernels{};                                       ///< sum of them
  std::array<SimTime, step_part_count> kernels_by_part{};  ///< sum: `kernels`
  SimTime tail{};      ///< kernels after the context exchange: a ring's last block of attention
  SimTime beside{};    ///< kernels beside it: a ring's blocks before the last
  Transfer heads{};    ///< heads for tokens, before attention and after it
  Transfer context{};  ///< of the context-parallel group
  Transfer hidden{};   ///< of the tensor-parallel group, beside the kernels
  Transfer bare{};     ///< of the same, after them
  ExpertTimes experts{};
  SimTime stored{};            ///< weights of experts on their way from where they are stored
  bool stored_beside = false;  ///< beside the block; else after it
  SimTime host{};              ///< launches
  SimTime late_hosts{};        ///< the latest host of a tensor-parallel group
};

enum class ActionKind : std::uint8_t {
  begin_pass,  ///< `which` PassName
  end_pass,
  block,    ///< `index` of the blocks
  issue,    ///< the next operation of stream `which`
  await,    ///< until `index` operations of stream `which` are done
  send,     ///< on edge `which`
  receive,  ///< what edge `which` of a neighbour sends
  pause,    ///< the rank is busy for pauses[which]
  moment,   ///< memory is as at Moment(which)
  keep,     ///< tensors for a backward pass
  release,  ///< them
};

/// What a pass is.
enum class PassName : std::uint8_t { forward, backward, step, weight_gradients, pair };

struct Action {
  ActionKind kind = ActionKind::block;
  std::uint8_t which = 0;
  std::int16_t layer = -1;
  std::int32_t micro_batch = -1;
  std::int32_t index = 0;
};

struct StreamOperation {
  const char* name = "";
  Role role = Role::shard;
  bool slows = false;          ///< shares the device with compute: both are slower while both run
  std::uint32_t transfer = 0;  ///< row of the step's transfers
  std::int8_t then = -1;       ///< stream whose next operation this one issues when it is done
};

/// A stretch in which a rank does one thing.
struct Pause {
  const char* name = "";
  SimTime time{};
  StepPart part = StepPart::optimizer;
};

/// What every rank of one pipeline stage does in a step.
struct StageScript {
  std::vector<Action> actions;
  std::array<std::vector<StreamOperation>, async_stream_count> streams;
  std::vector<Pause> pauses;
  StageBytes bytes;
  SimTime pass_copy{};  ///< of kept tensors to the host or back: a pass takes no less
};

/// One step as actions of ranks, with the time that each takes alone.
struct StepScript {
  std::vector<StageScript> stages;
  std::vector<BlockTimes> blocks;
  std::vector<Transfer> transfers;
  std::array<Transfer, 2> messages{};  ///< forward, backward
  bool steps_overlap = false;          ///< a rank begins the next step when its own passes are over
  SimTime send_blocks{};               ///< part of a message that its sender stands still for
  double overlap_cost = 0.0;           ///< x: at what speed 1 / (1 + x) both run
  double host_smoothness = 1.0;        ///< q
  double retry_share = 0.0;            ///< of a pass, that the allocator waits for the device
};

}  // namespace cubicbench::sim
