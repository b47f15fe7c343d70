#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/rank_state.h"
#include "sim/engine/event/span_log.h"
#include "sim/engine/event/step_script.h"
#include "sim/engine/event/transfers.h"

namespace cubicbench::sim {

/// Writes down what players do, for each of the ranks wanted that they stand for.
class SpanWriter {
 public:
  /// `player_of`: of every rank of the job `whole`, the row of who plays it. `log` keeps the spans.
  SpanWriter(const JobGraph& whole, const std::vector<std::uint32_t>& player_of, SpanLog& log);

  bool wants(std::uint32_t player) const { return !ranks_of_[player].empty(); }

  void pass(std::uint32_t player, const RankState& state, const Action& action, SimTime end);
  /// Kernels after the first `leg` legs of tokens, from `begin` on one after the other, each
  /// `factor` times as long.
  void kernels(std::uint32_t player, const RankState& state, const BlockTimes& block, double factor,
               std::uint8_t leg, SimTime begin);
  void launches(std::uint32_t player, const RankState& state, SimTime host);
  /// Experts that come beside the block, or after it from `now` on.
  void stored(std::uint32_t player, const RankState& state, const BlockTimes& block, SimTime now);
  /// The rank stands still for it: an optimizer, a copy.
  void pause(std::uint32_t player, const Pause& pause, SimTime begin, SimTime end);
  /// Compute that made up for what communication beside it took.
  void slowed(std::uint32_t player, const RankState& state, const BlockTimes& block, SimTime end);
  /// A collective inside a block; without a `name` it is called after what it is.
  void collective(std::uint32_t player, const RankState& state, TransferUse use, const char* name,
                  const Transfer& transfer, SimTime begin, SimTime end);
  void operation(std::uint32_t player, std::size_t stream, const StreamOperation& operation,
                 const Transfer& transfer, SimTime begin, SimTime end);
  /// A message from one player to another.
  struct Message {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::size_t edge = 0;  ///< of the sender
    std::size_t slot = 0;  ///< of the receiver's incoming edges
  };
  /// The `number`-th of its edge.
  void message(const Message& message, const Transfer& transfer, std::uint32_t number,
               SimTime begin, SimTime end);
  void memory(std::uint32_t player, SimTime at, Bytes bytes);

 private:
  /// Whether kernels of the block under way are logged one by one.
  bool is_detailed(const RankState& state) const {
    return state.blocks_of_pass < static_cast<std::uint32_t>(log_.layers_max);
  }
  void add(std::uint32_t player, Span span);
  /// Of the block under way, where it is detailed.
  void add_detail(std::uint32_t player, const RankState& state, Span span);

  const JobGraph& whole_;
  SpanLog& log_;
  std::vector<std::vector<std::int64_t>> ranks_of_;  ///< wanted, of each player
};

}  // namespace cubicbench::sim
