// What a rank's communication streams do, and what its transfers tell it.
#include <algorithm>

#include "sim/engine/event/player.h"

namespace cubicbench::sim {

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
  const std::uint32_t communicator = graph_.ranks[rank].on(operation.role);
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
    if (operation.slows) device_.set_moves(member, stream, true, now_);
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
    const std::size_t edge = edge_of(graph_.communicators[communicator].role);
    const auto& incoming = graph_.ranks[receiver].incoming;
    const auto slot = static_cast<std::size_t>(
        std::distance(incoming.begin(), std::ranges::find(incoming, communicator)));
    const std::uint32_t number = ranks_[receiver].arrived[slot]++;
    if (spans_ != nullptr) {
      spans_->message({.from = members.front(), .to = receiver, .edge = edge, .slot = slot},
                      step_.messages[edge % 2], number, began, now_);
    }
    return stop_waiting(receiver);
  }
  for (const std::uint32_t rank : members) {
    const bool failed = ranks_[rank].phase == RankPhase::failed;
    if (use != TransferUse::stream && !failed && is_logged(rank)) {
      spans_->collective(rank, ranks_[rank], use, token_name(rank, communicator, use), transfer,
                         began, now_);
    }
    member_done(rank, use, stream);
  }
}

/// Of traffic of tokens; of other collectives none.
const char* Player::token_name(std::uint32_t rank, std::uint32_t communicator,
                               TransferUse use) const {
  const RankState& state = ranks_[rank];
  const ExpertTimes& experts = block(state).experts;
  if (use != TransferUse::tokens && use != TransferUse::tokens_beside) return nullptr;
  const bool beside = use == TransferUse::tokens_beside;
  const ExpertLeg& leg = beside ? experts.beside[state.leg_beside] : experts.legs[state.leg];
  const Role role = graph_.communicators[communicator].role;
  return std::ranges::find(leg.transfers, role, &RoleTransfer::role)->name;
}

void Player::member_done(std::uint32_t rank, TransferUse use, std::size_t stream) {
  RankState& state = ranks_[rank];
  if (state.phase == RankPhase::failed) return;
  switch (use) {
    case TransferUse::tensor_beside:
      state.waits_for_beside = false;
      if (!block(state).experts.beside.empty()) begin_leg_beside(rank);
      if (state.phase == RankPhase::tensor_beside) beside_done(rank);
      return;
    case TransferUse::tensor_bare:
      return tensor_done(rank);
    case TransferUse::heads:
      return begin_context(rank);
    case TransferUse::context:
      state.context_open = false;
      if (state.phase == RankPhase::context) context_done(rank);
      return;
    case TransferUse::tokens_beside:
      return leg_beside_moved(rank);
    case TransferUse::tokens:
      return leg_moved(rank);
    case TransferUse::stream:
      return operation_moved(rank, stream);
    case TransferUse::message:
      return;
  }
}

void Player::operation_moved(std::uint32_t rank, std::size_t stream) {
  StreamState& state = ranks_[rank].streams[stream];
  device_.account(rank, now_);
  device_.owe(state.work);
  if (state.work.debt <= 0.0) return operation_done(rank, stream);
  device_.schedule_debts(rank, now_);
}

void Player::stream_ready(std::uint32_t rank, std::size_t stream) {
  if (ranks_[rank].phase == RankPhase::failed) return;
  device_.account(rank, now_);
  operation_done(rank, stream);
}

void Player::operation_done(std::uint32_t rank, std::size_t stream) {
  StreamState& state = ranks_[rank].streams[stream];
  device_.set_moves(rank, stream, false, now_);
  const StreamOperation& operation = script(rank).streams[stream][state.done];
  const Transfer& transfer = step_.transfers[operation.transfer];
  if (is_logged(rank) && transfer.alone() > SimTime{}) {
    spans_->operation(rank, stream, operation, transfer, state.began, now_);
  }
  state.work = {};
  state.busy = false;
  ++state.done;
  if (operation.then >= 0) issue(rank, static_cast<std::size_t>(operation.then));
  if (!state.busy && state.done < state.issued) begin_operation(rank, stream);
  stop_waiting(rank);
}

}  // namespace cubicbench::sim
