#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/event/event_queue.h"
#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/rank_state.h"
#include "sim/engine/event/rank_temper.h"
#include "sim/engine/event/span_writer.h"
#include "sim/engine/event/step_script.h"
#include "sim/engine/event/transfers.h"

namespace cubicbench::sim {

/// Plays the step: takes events in order of time and lets ranks go on.
///
/// A rank plays the actions of its stage one after the other; communication streams run beside it.
/// All that a handler does happens at one moment: what takes time is scheduled.
class Player {
 public:
  Player(const StepScript& step, const JobGraph& graph, const std::vector<RankTemper>& tempers,
         LinkTraffic* links, SpanWriter* spans);

  void play();

  const std::vector<RankState>& ranks() const { return ranks_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t flows() const { return transfers_.flows(); }

 private:
  // A rank and its constant part.
  bool is_logged(std::uint32_t rank) const { return spans_ != nullptr && spans_->wants(rank); }
  const StageScript& script(std::uint32_t rank) const {
    return step_.stages[graph_.ranks[rank].stage];
  }
  const BlockTimes& block(const RankState& rank) const { return step_.blocks[rank.block]; }
  double factor(std::uint32_t rank) const { return tempers_.empty() ? 1.0 : tempers_[rank].factor; }
  SimTime stretched(SimTime time, std::uint32_t rank) const;

  void handle(const Event& event);
  void rank_ready(std::uint32_t rank);
  void stream_ready(std::uint32_t rank, std::size_t stream);
  void transfer_done(std::uint32_t communicator);
  const char* token_name(std::uint32_t rank, std::uint32_t communicator, TransferUse use) const;
  void member_done(std::uint32_t rank, TransferUse use, std::size_t stream);

  // Actions.
  void go_on(std::uint32_t rank);
  bool act(std::uint32_t rank, const Action& action);
  bool end_pass(std::uint32_t rank, const Action& action);
  void note_memory(std::uint32_t rank);
  bool awaits(std::uint32_t rank, const Action& action) const;
  void stop_waiting(std::uint32_t rank);
  void until(std::uint32_t rank, RankPhase phase, SimTime time);

  // One block.
  void begin_block(std::uint32_t rank, std::uint16_t row);
  void kernels_done(std::uint32_t rank);
  void begin_context(std::uint32_t rank);
  void exchange_context(std::uint32_t rank);
  void context_done(std::uint32_t rank);
  void tail_done(std::uint32_t rank);
  void begin_leg_beside(std::uint32_t rank);
  void leg_beside_moved(std::uint32_t rank);
  void to_experts(std::uint32_t rank);
  void begin_leg(std::uint32_t rank);
  void leg_moved(std::uint32_t rank);
  void experts_done(std::uint32_t rank);
  void beside_done(std::uint32_t rank);
  void tensor_done(std::uint32_t rank);
  void launched(std::uint32_t rank);
  void end_block(std::uint32_t rank);
  SimTime with_launches(std::uint16_t row, SimTime elapsed, SimTime host);

  // Streams.
  void issue(std::uint32_t rank, std::size_t stream);
  void begin_operation(std::uint32_t rank, std::size_t stream);
  void operation_moved(std::uint32_t rank, std::size_t stream);
  void operation_done(std::uint32_t rank, std::size_t stream);

  /// How long a block took with its launches: ranks that are alike ask for the same again.
  struct Launched {
    SimTime elapsed{};
    SimTime host{};
    SimTime whole{};
  };

  const StepScript& step_;
  const JobGraph& graph_;
  const std::vector<RankTemper>& tempers_;
  SpanWriter* spans_;
  EventQueue queue_;
  Transfers transfers_;
  std::vector<RankState> ranks_;
  std::vector<Launched> launched_;  ///< the last of each block
  SharedDevice device_;
  SimTime now_{};
  std::uint64_t events_ = 0;
};

}  // namespace cubicbench::sim
