#include "sim/engine/event/player.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::sim {
namespace {

constexpr std::size_t slot(Role role) { return static_cast<std::size_t>(role); }
constexpr std::size_t slot(AsyncStream stream) { return static_cast<std::size_t>(stream); }

SimTime rounded(double picoseconds) {
  return SimTime{static_cast<std::int64_t>(std::nearbyint(picoseconds))};
}
double picoseconds(SimTime time) { return static_cast<double>(time.count()); }

/// What a rank that waits for a stream counts it as.
StepPart part_of_stream(std::size_t stream) {
  switch (static_cast<AsyncStream>(stream)) {
    case AsyncStream::exchange:
      return StepPart::embedding_communication;
    case AsyncStream::input:
      return StepPart::input;
    case AsyncStream::weights:
    case AsyncStream::copies:
      break;
  }
  return StepPart::data_communication;
}

void add(RankState& rank, StepPart part, SimTime time) {
  rank.parts[static_cast<std::size_t>(part)] += time;
}

}  // namespace

Player::Player(const StepScript& step, const JobGraph& graph,
               const std::vector<RankTemper>& tempers, LinkTraffic* links, SpanWriter* spans)
    : step_(step),
      graph_(graph),
      tempers_(tempers),
      spans_(spans),
      transfers_(graph, links, queue_),
      ranks_(graph.ranks.size()) {
  queue_.reserve(2 * ranks_.size());
}

void Player::play() {
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
    const RankTemper temper = tempers_.empty() ? RankTemper{} : tempers_[rank];
    if (temper.fails) queue_.schedule(temper.fails_at, EventKind::rank_fails, rank);
    until(rank, RankPhase::pauses, temper.late);
    add(ranks_[rank], StepPart::stragglers, temper.late);
  }
  while (!queue_.empty()) {
    now_ = queue_.next_time();
    while (!queue_.empty() && queue_.next_time() == now_) {
      handle(queue_.pop());
    }
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
      ++events_;
      if (ranks_[subject].phase == RankPhase::done) return;
      ranks_[subject].phase = RankPhase::failed;
      ranks_[subject].due = 0;
      return;
  }
}

SimTime Player::stretched(SimTime time, std::uint32_t rank) const {
  return tempers_.empty() || tempers_[rank].factor == 1.0
             ? time
             : rounded(tempers_[rank].factor * picoseconds(time));
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
    case RankPhase::launches:
      return launched(rank);
    case RankPhase::slowed:
      account(rank);
      return end_block(rank);
    case RankPhase::pauses:
      ranks_[rank].phase = RankPhase::between;
      return go_on(rank);
    default:
      SIM_ASSERT(false, rank);
  }
}

// Actions ------------------------------------------------------------------------------------

void Player::go_on(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const std::vector<Action>& actions = script(rank).actions;
  while (state.action < actions.size()) {
    if (!act(rank, actions[state.action])) return;
  }
  set_computes(rank, false);
  state.phase = RankPhase::done;
  state.finish = now_;
}

/// Whether the rank goes on at once. What it stops at is the next action again, or done by then.
bool Player::act(std::uint32_t rank, const Action& action) {
  RankState& state = ranks_[rank];
  switch (action.kind) {
    case ActionKind::begin_pass:
      state.pass_begin = now_;
      state.micro_batch = action.micro_batch;
      state.blocks_of_pass = 0;
      break;
    case ActionKind::moment:
      state.moment = static_cast<Moment>(action.which);
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
      begin_block(rank, action.which);
      return false;
    case ActionKind::issue:
      issue(rank, action.which);
      break;
    case ActionKind::await:
    case ActionKind::receive:
      if (awaits(rank, action)) {
        set_computes(rank, false);
        state.phase = RankPhase::waits;
        state.mark = now_;
        return false;
      }
      if (action.kind == ActionKind::receive) ++state.received[action.which];
      break;
    case ActionKind::send: {
      const Role role = action.which == 0 ? Role::forward_edge : Role::backward_edge;
      transfers_.send(graph_.ranks[rank].communicator[slot(role)], step_.messages[action.which],
                      now_);
      ++state.action;
      if (step_.send_blocks == SimTime{}) return true;
      set_computes(rank, false);
      add(state, StepPart::pipeline_communication, step_.send_blocks);
      until(rank, RankPhase::pauses, step_.send_blocks);
      return false;
    }
    case ActionKind::pause: {
      const Pause& pause = script(rank).pauses[action.which];
      ++state.action;
      set_computes(rank, false);
      const SimTime time = stretched(pause.time, rank);
      add(state, pause.part, time);
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
  const SimTime copy = action.which < 2 ? script(rank).pass_copy : SimTime{};
  const SimTime late = std::max(copy - elapsed, SimTime{});
  const SimTime stall = rounded(step_.retry_share * picoseconds(elapsed + late));
  if (is_logged(rank)) spans_->pass(rank, state, action, now_ + late + stall);
  if (late + stall == SimTime{}) return true;
  set_computes(rank, false);
  add(state, StepPart::host, late);
  add(state, StepPart::allocator_retries, stall);
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
  add(state, part, now_ - state.mark);
  state.phase = RankPhase::between;
  go_on(rank);
}

// One block ----------------------------------------------------------------------------------

void Player::begin_block(std::uint32_t rank, std::uint8_t which) {
  RankState& state = ranks_[rank];
  state.block = which;
  state.block_begin = now_;
  set_computes(rank, true);
  const BlockTimes& times = block(state);
  for (std::size_t i = 0; i < times.kernels_by_part.size(); ++i) {
    if (times.kernels_by_part[i] > SimTime{}) {
      state.parts[i] += stretched(times.kernels_by_part[i], rank);
    }
  }
  state.waits_for_beside = times.hidden.alone() > SimTime{};
  if (state.waits_for_beside) {
    transfers_.join(graph_.ranks[rank].communicator[slot(Role::tensor)], times.hidden,
                    TransferUse::tensor_beside, 0, now_);
  }
  until(rank, RankPhase::kernels, stretched(times.kernels - times.tail - times.beside, rank));
}

void Player::kernels_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const BlockTimes& times = block(state);
  if (times.beside == SimTime{}) return exchange_context(rank);
  state.context_open = true;
  transfers_.join(graph_.ranks[rank].communicator[slot(Role::context)], times.context,
                  TransferUse::context, 0, now_);
  until(rank, RankPhase::beside, stretched(times.beside, rank));
}

/// Keys and values of the other context ranks: all at once, or what of a ring is left.
void Player::exchange_context(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const BlockTimes& times = block(state);
  state.mark = now_;
  const bool under_way = times.beside > SimTime{};
  if (times.context.alone() == SimTime{} || (under_way && !state.context_open)) {
    return context_done(rank);
  }
  state.phase = RankPhase::context;
  if (!under_way) {
    state.context_open = true;
    transfers_.join(graph_.ranks[rank].communicator[slot(Role::context)], times.context,
                    TransferUse::context, 0, now_);
  }
}

void Player::context_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  add(state, StepPart::context_communication, now_ - state.mark);
  const SimTime tail = block(state).tail;
  if (tail == SimTime{}) return tail_done(rank);
  until(rank, RankPhase::tail, stretched(tail, rank));
}

void Player::tail_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  state.mark = now_;
  if (state.waits_for_beside) {
    state.phase = RankPhase::tensor_beside;
    return;
  }
  beside_done(rank);
}

void Player::beside_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const Transfer& bare = block(state).bare;
  if (bare.alone() == SimTime{}) return tensor_done(rank);
  state.phase = RankPhase::tensor_bare;
  transfers_.join(graph_.ranks[rank].communicator[slot(Role::tensor)], bare,
                  TransferUse::tensor_bare, 0, now_);
}

void Player::tensor_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (is_logged(rank)) {
    spans_->kernels(rank, state, block(state), factor(rank));
    spans_->launches(rank, state, stretched(block(state).host, rank));
  }
  add(state, StepPart::tensor_communication, now_ - state.mark);
  const BlockTimes& times = block(state);
  const SimTime elapsed = now_ - state.block_begin;
  const SimTime whole = with_launches(elapsed, stretched(times.host, rank)) + times.late_hosts;
  add(state, StepPart::host, whole - elapsed);
  if (whole == elapsed) return launched(rank);
  until(rank, RankPhase::launches, whole - elapsed);
}

/// Kernels that wait for their launch and kernels that queue mix in a block, so that the longer of
/// device and host is passed smoothly: the q-norm of both [docs/models.md, Eq. E-2].
SimTime Player::with_launches(SimTime elapsed, SimTime host) const {
  if (host == SimTime{} || elapsed == SimTime{}) return elapsed + host;
  const double q = step_.host_smoothness;
  const double longer = picoseconds(std::max(elapsed, host));
  const double shorter = picoseconds(std::min(elapsed, host));
  return rounded(longer * exp(log(1.0 + exp(q * log(shorter / longer))) / q));
}

void Player::launched(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  account(rank);
  owe(state.work);
  if (state.work.debt <= 0.0) return end_block(rank);
  state.phase = RankPhase::slowed;
  state.mark = now_;
  schedule_debts(rank);
}

void Player::end_block(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (state.phase == RankPhase::slowed) {
    add(state, StepPart::data_communication, now_ - state.mark);
    if (is_logged(rank)) spans_->slowed(rank, state, now_);
  }
  ++state.blocks_of_pass;
  state.work = {};
  state.phase = RankPhase::between;
  go_on(rank);
}

// Streams ------------------------------------------------------------------------------------

void Player::issue(std::uint32_t rank, std::size_t stream) {
  StreamState& state = ranks_[rank].streams[stream];
  ++state.issued;
  if (!state.busy) begin_operation(rank, stream);
}

void Player::begin_operation(std::uint32_t rank, std::size_t stream) {
  StreamState& state = ranks_[rank].streams[stream];
  const StreamOperation& operation = script(rank).streams[stream][state.done];
  const Transfer& transfer = step_.transfers[operation.transfer];
  state.busy = true;
  if (transfer.alone() == SimTime{}) return operation_done(rank, stream);
  const std::uint32_t communicator = graph_.ranks[rank].communicator[slot(operation.role)];
  if (transfer.bytes.value == 0.0) {  // of the rank alone
    state.work = {};
    state.work.pays = true;
    state.began = now_;
    state.due = queue_.schedule(now_ + transfer.alone(), EventKind::stream_ready,
                                static_cast<std::uint32_t>(rank * async_stream_count + stream));
    return;
  }
  const bool begins = transfers_.join(communicator, transfer, TransferUse::stream,
                                      static_cast<std::uint8_t>(stream), now_);
  if (!begins) return;
  for (const std::uint32_t member : graph_.members_of(graph_.communicators[communicator])) {
    ranks_[member].streams[stream].began = now_;
    if (operation.slows) set_moves(member, stream, true);
  }
}

void Player::transfer_done(std::uint32_t communicator) {
  const TransferUse use = transfers_.use(communicator);
  const std::size_t stream = transfers_.stream(communicator);
  const SimTime began = transfers_.began(communicator);
  const Transfer& transfer = transfers_.transfer(communicator);
  transfers_.finish(communicator, now_);
  const auto members = graph_.members_of(graph_.communicators[communicator]);
  if (use == TransferUse::message) {
    const std::uint32_t receiver = members.back();
    const bool forward = graph_.communicators[communicator].role == Role::forward_edge;
    const std::uint32_t number = ranks_[receiver].arrived[forward ? 0 : 1]++;
    if (spans_ != nullptr) {
      spans_->message(members.front(), receiver, forward, step_.messages[forward ? 0 : 1], number,
                      began, now_);
    }
    return stop_waiting(receiver);
  }
  for (const std::uint32_t rank : members) {
    if (use != TransferUse::stream && is_logged(rank)) {
      spans_->collective(rank, ranks_[rank], use, transfer, began, now_);
    }
    member_done(rank, use, stream);
  }
}

void Player::member_done(std::uint32_t rank, TransferUse use, std::size_t stream) {
  RankState& state = ranks_[rank];
  if (state.phase == RankPhase::failed) return;
  switch (use) {
    case TransferUse::tensor_beside:
      state.waits_for_beside = false;
      if (state.phase == RankPhase::tensor_beside) beside_done(rank);
      return;
    case TransferUse::tensor_bare:
      return tensor_done(rank);
    case TransferUse::context:
      state.context_open = false;
      if (state.phase == RankPhase::context) context_done(rank);
      return;
    case TransferUse::stream:
      return operation_moved(rank, stream);
    case TransferUse::message:
      return;
  }
}

void Player::operation_moved(std::uint32_t rank, std::size_t stream) {
  StreamState& state = ranks_[rank].streams[stream];
  account(rank);
  owe(state.work);
  if (state.work.debt <= 0.0) return operation_done(rank, stream);
  schedule_debts(rank);
}

void Player::stream_ready(std::uint32_t rank, std::size_t stream) {
  if (ranks_[rank].phase == RankPhase::failed) return;
  account(rank);
  operation_done(rank, stream);
}

void Player::operation_done(std::uint32_t rank, std::size_t stream) {
  StreamState& state = ranks_[rank].streams[stream];
  set_moves(rank, stream, false);
  const StreamOperation& operation = script(rank).streams[stream][state.done];
  const Transfer& transfer = step_.transfers[operation.transfer];
  if (is_logged(rank) && transfer.alone() > SimTime{}) {
    spans_->operation(rank, stream, operation, transfer, state.began, now_);
  }
  state.work = {};
  state.busy = false;
  ++state.done;
  if (operation.then >= 0) issue(rank, static_cast<std::size_t>(operation.then));
  if (state.done < state.issued) begin_operation(rank, stream);
  stop_waiting(rank);
}

// Work that slows each other -----------------------------------------------------------------

/// Brings overlaps and debts of a rank up to now.
void Player::account(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const double passed = picoseconds(now_ - state.shared_at);
  state.shared_at = now_;
  if (passed == 0.0 || step_.overlap_cost == 0.0) return;
  const auto run = [&](SharedWork& work, bool beside_other) {
    if (work.pays) {
      work.debt -= passed / (beside_other ? 1.0 + step_.overlap_cost : 1.0);
    } else if (beside_other) {
      work.overlap += passed;
    }
  };
  if (state.computes) run(state.work, state.moving > 0);
  for (StreamState& stream : state.streams) {
    if (stream.moves) run(stream.work, state.computes);
  }
}

void Player::set_computes(std::uint32_t rank, bool computes) {
  RankState& state = ranks_[rank];
  if (state.computes == computes) return;
  account(rank);
  state.computes = computes;
  if (state.moving > 0) schedule_debts(rank);
}

void Player::set_moves(std::uint32_t rank, std::size_t stream, bool moves) {
  RankState& state = ranks_[rank];
  if (state.streams[stream].moves == moves) return;
  account(rank);
  state.streams[stream].moves = moves;
  state.moving = static_cast<std::uint8_t>(state.moving + (moves ? 1 : -1));
  if (state.phase == RankPhase::slowed) schedule_debts(rank);
}

/// Its own time is over: from here on it pays.
void Player::owe(SharedWork& work) const {
  const double x = step_.overlap_cost;
  work.debt = x / (1.0 + x) * work.overlap;
  work.pays = true;
  if (work.debt < 0.5) work.debt = 0.0;  // of a picosecond
}

/// Says anew when a rank and its streams will have paid.
void Player::schedule_debts(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const auto paid = [&](const SharedWork& work, bool beside_other) {
    const double speed = beside_other ? 1.0 + step_.overlap_cost : 1.0;
    return now_ + rounded(std::max(work.debt, 0.0) * speed);
  };
  if (state.phase == RankPhase::slowed) {
    state.due = queue_.schedule(paid(state.work, state.moving > 0), EventKind::rank_ready, rank);
  }
  for (std::size_t i = 0; i < state.streams.size(); ++i) {
    StreamState& stream = state.streams[i];
    if (stream.moves && stream.work.pays) {
      stream.due = queue_.schedule(paid(stream.work, state.computes), EventKind::stream_ready,
                                   static_cast<std::uint32_t>(rank * async_stream_count + i));
    }
  }
}

}  // namespace cubicbench::sim
