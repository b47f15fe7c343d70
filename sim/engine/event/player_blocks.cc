// One block of a rank, from its first kernel to the end of its launches.
#include <algorithm>

#include "sim/base/numeric.h"
#include "sim/engine/event/player.h"

namespace cubicbench::sim {

void Player::begin_block(std::uint32_t rank, std::uint16_t row) {
  RankState& state = ranks_[rank];
  state.block = row;
  state.block_begin = now_;
  device_.set_computes(rank, true, now_);
  const BlockTimes& times = block(state);
  for (std::size_t i = 0; i < times.kernels_by_part.size(); ++i) {
    if (times.kernels_by_part[i] > SimTime{}) {
      state.parts[i] += stretched(times.kernels_by_part[i], rank);
    }
  }
  state.waits_for_beside = times.hidden.alone() > SimTime{};
  if (state.waits_for_beside) {
    transfers_.join(graph_.ranks[rank].on(Role::tensor), times.hidden, TransferUse::tensor_beside,
                    0, now_);
  }
  state.leg = 0;
  state.leg_beside = 0;
  if (!state.waits_for_beside && !times.experts.beside.empty()) begin_leg_beside(rank);
  const SimTime later = times.tail + times.beside + times.experts.kernels();
  // Shares of a block are rounded one by one.
  until(rank, RankPhase::kernels, stretched(std::max(times.kernels - later, SimTime{}), rank));
}

/// Heads are exchanged for tokens before attention and back after it: here at once.
void Player::kernels_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const Transfer& heads = block(state).heads;
  state.mark = now_;
  if (heads.alone() == SimTime{}) return begin_context(rank);
  state.phase = RankPhase::heads;
  transfers_.join(graph_.ranks[rank].on(Role::context_heads), heads, TransferUse::heads, 0, now_);
}

void Player::begin_context(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  state.add(StepPart::context_communication, now_ - state.mark);
  const BlockTimes& times = block(state);
  if (times.beside == SimTime{}) return exchange_context(rank);
  state.context_open = true;
  transfers_.join(graph_.ranks[rank].on(Role::context), times.context, TransferUse::context, 0,
                  now_);
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
    transfers_.join(graph_.ranks[rank].on(Role::context), times.context, TransferUse::context, 0,
                    now_);
  }
}

void Player::context_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  state.add(StepPart::context_communication, now_ - state.mark);
  const SimTime tail = block(state).tail;
  if (tail == SimTime{}) return tail_done(rank);
  until(rank, RankPhase::tail, stretched(tail, rank));
}

void Player::tail_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  state.mark = now_;
  if (state.leg_beside < block(state).experts.beside.size()) {
    state.phase = RankPhase::tokens_beside;
    return;
  }
  to_experts(rank);
}

/// Tokens of another micro-batch travel leg by leg while kernels run, behind the tensor group's
/// traffic: both use the same links.
void Player::begin_leg_beside(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const ExpertLeg& leg = block(state).experts.beside[state.leg_beside];
  state.leg_beside_moves = static_cast<std::uint8_t>(leg.transfers.size());
  for (const RoleTransfer& one : leg.transfers) {
    transfers_.join(graph_.ranks[rank].on(one.role), one.transfer, TransferUse::tokens_beside, 0,
                    now_);
  }
}

void Player::leg_beside_moved(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (--state.leg_beside_moves > 0) return;
  if (++state.leg_beside < block(state).experts.beside.size()) return begin_leg_beside(rank);
  if (state.phase != RankPhase::tokens_beside) return;
  state.add(StepPart::expert_communication, now_ - state.mark);
  to_experts(rank);
}

/// The kernels before the next leg.
void Player::to_experts(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const ExpertTimes& experts = block(state).experts;
  state.mark = now_;
  if (state.leg == experts.legs.size()) return experts_done(rank);
  const SimTime time = experts.legs[state.leg].before;
  if (time == SimTime{}) return begin_leg(rank);
  if (is_logged(rank)) spans_->kernels(rank, state, block(state), factor(rank), state.leg, now_);
  until(rank, RankPhase::experts, stretched(time, rank));
}

void Player::begin_leg(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  const ExpertLeg& leg = block(state).experts.legs[state.leg];
  state.mark = now_;
  state.phase = RankPhase::tokens;
  state.leg_moves = static_cast<std::uint8_t>(leg.transfers.size());
  for (const RoleTransfer& one : leg.transfers) {
    transfers_.join(graph_.ranks[rank].on(one.role), one.transfer, TransferUse::tokens, 0, now_);
  }
}

void Player::leg_moved(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (--state.leg_moves > 0) return;
  state.add(StepPart::expert_communication, now_ - state.mark);
  ++state.leg;
  to_experts(rank);
}

void Player::experts_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
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
  transfers_.join(graph_.ranks[rank].on(Role::tensor), bare, TransferUse::tensor_bare, 0, now_);
}

void Player::tensor_done(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (is_logged(rank)) {
    spans_->kernels(rank, state, block(state), factor(rank), 0, state.block_begin);
    spans_->launches(rank, state, stretched(block(state).host, rank));
    spans_->stored(rank, state, block(state), now_);
  }
  state.add(StepPart::tensor_communication, now_ - state.mark);
  const BlockTimes& times = block(state);
  const SimTime elapsed = now_ - state.block_begin;
  const SimTime stored =
      times.stored_beside ? std::max(times.stored - elapsed, SimTime{}) : times.stored;
  const SimTime busy = elapsed + stored;
  const SimTime whole =
      with_launches(state.block, busy, stretched(times.host, rank)) + times.late_hosts;
  state.add(StepPart::expert_storage, stored);
  state.add(StepPart::host, whole - busy);
  if (whole == elapsed) return launched(rank);
  until(rank, RankPhase::launches, whole - elapsed);
}

/// Kernels that wait for their launch and kernels that queue mix in a block, so that the longer of
/// device and host is passed smoothly: the q-norm of both [docs/models.md, Eq. E-2].
SimTime Player::with_launches(std::uint16_t row, SimTime elapsed, SimTime host) {
  if (host == SimTime{} || elapsed == SimTime{}) return elapsed + host;
  Launched& last = launched_[row];
  if (last.elapsed == elapsed && last.host == host) return last.whole;
  const double q = step_.host_smoothness;
  const double longer = picoseconds(std::max(elapsed, host));
  const double shorter = picoseconds(std::min(elapsed, host));
  last = {elapsed, host, rounded(longer * exp(log(1.0 + exp(q * log(shorter / longer))) / q))};
  return last.whole;
}

void Player::launched(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  device_.account(rank, now_);
  device_.owe(state.work);
  if (state.work.debt <= 0.0) return end_block(rank);
  state.phase = RankPhase::slowed;
  state.mark = now_;
  device_.schedule_debts(rank, now_);
}

void Player::end_block(std::uint32_t rank) {
  RankState& state = ranks_[rank];
  if (state.phase == RankPhase::slowed) {
    state.add(StepPart::data_communication, now_ - state.mark);
    if (is_logged(rank)) spans_->slowed(rank, state, block(state), now_);
  }
  ++state.blocks_of_pass;
  state.work = {};
  state.phase = RankPhase::between;
  go_on(rank);
}

}  // namespace cubicbench::sim
