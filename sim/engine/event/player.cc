#include "sim/engine/event/player.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// What a rank that waits for a stream counts it as.
StepPart part_of_stream(std::size_t stream) {
  constexpr std::array<StepPart, async_stream_count> parts{
      StepPart::data_communication, StepPart::data_communication, StepPart::embedding_communication,
      StepPart::input, StepPart::expert_storage};
  return parts[stream];
}

/// Passes that keep tensors or read them, of those that are under way at once.
std::int64_t copies_beside(const Action& action) {
  const auto name = static_cast<PassName>(action.which);
  return name == PassName::pair ? 2 : name == PassName::forward || name == PassName::backward;
}

}  // namespace

Player::Player(const StepScript& step, const JobGraph& graph,
               const std::vector<RankTemper>& tempers, LinkTraffic* links, SpanWriter* spans)
    : step_(step),
      graph_(graph),
      tempers_(tempers),
      spans_(spans),
      transfers_(graph, links, queue_),
      ranks_(graph.ranks.size()),
      launched_(step.blocks.size()),
      device_(step.overlap_cost, ranks_, queue_) {}

void Player::play() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const RankTemper temper = tempers_.empty() ? RankTemper{} : tempers_[rank];
    if (temper.fails) queue_.schedule(temper.fails_at, EventKind::rank_fails, rank);
    until(rank, RankPhase::pauses, temper.late);
    ranks_[rank].add(StepPart::stragglers, temper.late);
  }
  while (!queue_.empty()) {
    now_ = queue_.next_time();
    while (!queue_.empty() && queue_.next_time() == now_) handle(queue_.pop());
    transfers_.settle(now_);
  }
}

void Player::handle(const Event& event) {
  const std::uint32_t subject = event.subject;
  switch (event.kind) {
    case EventKind::rank_ready:
      if (ranks_[subject].due != event.order) return;
      ++events_;
      return rank_ready(subject);
    case EventKind::stream_ready: {
      const std::uint32_t rank = subject / async_stream_count;
      const std::size_t stream = subject % async_stream_count;
      if (ranks_[rank].streams[stream].due != event.order) return;
      ++events_;
      return stream_ready(rank, stream);
    }
    case EventKind::transfer_moves:
      if (!transfers_.holds(event)) return;
      ++events_;
      return transfers_.begin_moving(subject, now_);
    case EventKind::transfer_done:
      if (!transfers_.holds(event)) return;
      ++events_;
      return transfer_done(subject);
    case EventKind::rank_fails:
      if (ranks_[subject].phase == RankPhase::done) return;
      ++events_;
      ranks_[subject].phase = RankPhase::failed;
      ranks_[subject].due = 0;
      return;
  }
}

SimTime Player::stretched(SimTime time, std::uint32_t rank) const {
  return scaled(time, factor(rank));
}

void Player::until(std::uint32_t rank, RankPhase phase, SimTime time) {
  ranks_[rank].phase = phase;
  ranks_[rank].mark = now_;
  ranks_[rank].due = queue_.schedule(now_ + time, EventKind::rank_ready, rank);
}

void Player::rank_ready(std::uint32_t rank) {
  switch (ranks_[rank].phase) {
    case RankPhase::kernels:
      return kernels_done(rank);
    case RankPhase::beside:
      return exchange_context(rank);
    case RankPhase::tail:
      return tail_done(rank);
    case RankPhase::experts:
      return begin_leg(rank);
    case RankPhase::launches:
      return launched(rank);
    case RankPhase::slowed:
      device_.account(rank, now_);
      return end_block(rank);
    case RankPhase::pauses:
      ranks_[rank].phase = RankPhase::between;
      return go_on(rank);
    default:
      SIM_ASSERT(false, rank);
  }
}

void Player::go_on(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const std::vector<Action>& actions = script(rank).actions;
  while (state.action < actions.size())
    if (!act(rank, actions[state.action])) return;
  device_.set_computes(rank, false, now_);
  state.phase = RankPhase::done;
  state.finish = now_;
}

/// Whether the rank goes on at once. What it stops at is the next action again, or done by then.
bool Player::act(std::uint32_t rank, const Action& action) {
  RankState& state = ranks_[rank];
  switch (action.kind) {
    case ActionKind::begin_pass:
      state.pass_begin = now_;
      state.begun = true;
      state.micro_batch = action.micro_batch;
      state.blocks_of_pass = 0;
      break;
    case ActionKind::moment:
      state.moment = static_cast<Moment>(action.which);
      state.blocks_of_pass = 0;
      note_memory(rank);
      break;
    case ActionKind::keep:
      ++state.passes_kept;
      note_memory(rank);
      break;
    case ActionKind::release:
      --state.passes_kept;
      note_memory(rank);
      break;
    case ActionKind::end_pass:
      ++state.action;
      return end_pass(rank, action);
    case ActionKind::block:
      ++state.action;
      state.layer = action.layer;
      begin_block(rank, static_cast<std::uint16_t>(action.index));
      return false;
    case ActionKind::issue:
      issue(rank, action.which);
      break;
    case ActionKind::await:
    case ActionKind::receive:
      if (awaits(rank, action)) {
        device_.set_computes(rank, false, now_);
        state.phase = RankPhase::waits;
        state.mark = now_;
        return false;
      }
      if (action.kind == ActionKind::receive) ++state.received[action.which];
      break;
    case ActionKind::send: {
      transfers_.send(graph_.ranks[rank].on(edge_role(action.which)),
                      step_.messages[action.which % 2], now_);
      ++state.action;
      if (step_.send_blocks == SimTime{}) return true;
      device_.set_computes(rank, false, now_);
      state.add(StepPart::pipeline_communication, step_.send_blocks);
      until(rank, RankPhase::pauses, step_.send_blocks);
      return false;
    }
    case ActionKind::pause: {
      const Pause& pause = script(rank).pauses[action.which];
      ++state.action;
      device_.set_computes(rank, false, now_);
      const SimTime time = stretched(pause.time, rank);
      if (is_logged(rank)) spans_->pause(rank, pause, now_, now_ + time);
      state.add(pause.part, time);
      until(rank, RankPhase::pauses, time);
      return false;
    }
  }
  ++state.action;
  return true;
}

/// Copies beside the pass may take longer; and an allocator that finds no room waits for the device
/// [docs/models.md, Eq. O-1, M-7].
bool Player::end_pass(std::uint32_t rank, const Action& action) {
  RankState& state = ranks_[rank];
  const SimTime elapsed = now_ - state.pass_begin;
  const SimTime copy = copies_beside(action) * script(rank).pass_copy;
  const SimTime late = std::max(copy - elapsed, SimTime{});
  const SimTime stall = rounded(step_.retry_share * picoseconds(elapsed + late));
  if (is_logged(rank)) spans_->pass(rank, state, action, now_ + late + stall);
  if (late + stall == SimTime{}) return true;
  device_.set_computes(rank, false, now_);
  state.add(StepPart::host, late);
  state.add(StepPart::allocator_retries, stall);
  until(rank, RankPhase::pauses, late + stall);
  return false;
}

/// Live tensors grow and shrink: an event of the allocator.
void Player::note_memory(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const Bytes bytes =
      script(rank).bytes.at_moment(state.moment, static_cast<double>(state.passes_kept));
  Bytes& peak = state.peaks[static_cast<std::size_t>(state.moment)];
  peak = max(peak, bytes);
  if (is_logged(rank)) spans_->memory(rank, now_, bytes);
}

bool Player::awaits(std::uint32_t rank, const Action& action) const {
  const RankState& state = ranks_[rank];
  if (action.kind == ActionKind::receive) {
    return state.arrived[action.which] <= state.received[action.which];
  }
  return state.streams[action.which].done < static_cast<std::uint32_t>(action.index);
}

/// Lets a rank go on that stands at an await or receive, if that is over.
void Player::stop_waiting(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (state.phase != RankPhase::waits) return;
  const Action& action = script(rank).actions[state.action];
  if (awaits(rank, action)) return;
  const StepPart part =
      action.kind == ActionKind::receive ? StepPart::pipeline_bubble : part_of_stream(action.which);
  state.add(part, now_ - state.mark);
  if (!state.begun && action.kind == ActionKind::receive) state.lead += now_ - state.mark;
  state.phase = RankPhase::between;
  go_on(rank);
}

}  // namespace cubicbench::sim
