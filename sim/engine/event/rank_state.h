#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/event/event_queue.h"
#include "sim/engine/event/sim_time.h"
#include "sim/engine/event/step_script.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// What a rank is in the middle of.
enum class RankPhase : std::uint8_t {
  between,        ///< actions
  kernels,        ///< of a block
  heads,          ///< waits for the exchange of heads for tokens
  beside,         ///< kernels that run beside the context exchange
  context,        ///< waits for the context exchange
  tail,           ///< the kernels after it
  tokens_beside,  ///< waits for tokens that travel beside its kernels
  tokens,         ///< waits for a leg of their way
  experts,        ///< kernels between two legs
  tensor_beside,  ///< waits for traffic that ran beside its kernels
  tensor_bare,    ///< waits for the rest
  launches,       ///< waits for its host
  slowed,         ///< makes up for what it lost to communication beside it
  waits,          ///< for a stream or a message
  pauses,
  done,
  failed,
};

/// Work that runs slower while something else runs on the same device. Full speed until what it
/// had to move or compute is over, with a note of how long the other ran as well; then it owes
/// x / (1 + x) of that, which it pays at 1 / (1 + x) of full speed while the other still runs.
struct SharedWork {
  double overlap = 0.0;  ///< ps that the other ran beside it so far
  double debt = 0.0;     ///< ps of work left at full speed
  bool pays = false;     ///< its own time is over
};

/// The operations of one communication stream of a rank.
struct StreamState {
  std::uint32_t issued = 0;
  std::uint32_t done = 0;
  bool busy = false;  ///< operation `done` has begun or waits for other ranks
  SimTime began{};
  bool moves = false;  ///< it has begun, and slows compute
  SharedWork work;
  std::uint64_t due = 0;
};

/// Everything that changes about a rank. What every event reads or writes comes first, on two lines
/// of the cache: of many ranks, most of the time goes into fetching them.
struct RankState {
  std::uint32_t action = 0;  ///< the next one
  RankPhase phase = RankPhase::between;
  bool computes = false;          ///< a block is under way, and slows communication
  bool waits_for_beside = false;  ///< traffic beside its kernels is under way
  bool context_open = false;      ///< so is the context exchange
  std::uint8_t leg = 0;           ///< of tokens, under way or next
  std::uint8_t leg_beside = 0;    ///< the same, of those beside its kernels
  std::uint8_t leg_moves = 0;     ///< transfers of the leg under way
  std::uint8_t leg_beside_moves = 0;
  std::uint8_t moving = 0;  ///< streams that slow compute
  bool begun = false;       ///< its first pass
  std::uint16_t block = 0;  ///< under way
  std::uint64_t due = 0;    ///< number of the event that goes on with it
  SimTime block_begin{};
  SimTime mark{};       ///< when the present phase began
  SimTime shared_at{};  ///< when overlaps and debts were as they say
  SharedWork work;
  std::uint32_t blocks_of_pass = 0;  ///< that are over, since the last moment of memory
  std::int16_t layer = -1;           ///< of the block
  std::int32_t micro_batch = -1;     ///< of the pass
  std::uint32_t passes_kept = 0;     ///< whose tensors wait for a backward pass
  std::array<std::uint32_t, edge_count> arrived{};  ///< messages
  std::array<std::uint32_t, edge_count> received{};
  SimTime pass_begin{};
  Moment moment = Moment::startup;
  std::array<SimTime, step_part_count> parts{};
  std::array<StreamState, async_stream_count> streams{};
  std::array<Bytes, moment_count> peaks{};  ///< of live tensors, by moment
  SimTime lead{};                           ///< that it waited before its first pass
  SimTime finish{};

  void add(StepPart part, SimTime time) { parts[static_cast<std::size_t>(part)] += time; }
};

/// The devices of all ranks, whose compute and communication slow each other: while both run, each
/// has 1 / (1 + x) of its speed [docs/models.md, Eq. D-1].
///
/// A block or a collective has a time of its own that others know of, so that it is not stretched
/// while it runs: it owes, at its end, what it lost to the other, and pays that back before its
/// rank goes on.
class SharedDevice {
 public:
  /// `overlap_cost` is x.
  SharedDevice(double overlap_cost, std::vector<RankState>& ranks, EventQueue& queue)
      : x_(overlap_cost), ranks_(ranks), queue_(queue) {}

  /// Brings what a rank's compute and streams owe up to `now`.
  void account(std::uint32_t rank, SimTime now);
  void set_computes(std::uint32_t rank, bool computes, SimTime now);
  void set_moves(std::uint32_t rank, std::size_t stream, bool moves, SimTime now);
  /// Its own time is over: from here on it pays.
  void owe(SharedWork& work) const;
  /// Says anew when a rank and its streams will have paid.
  void schedule_debts(std::uint32_t rank, SimTime now);

 private:
  double x_;
  std::vector<RankState>& ranks_;
  EventQueue& queue_;
};

}  // namespace cubicbench::sim
