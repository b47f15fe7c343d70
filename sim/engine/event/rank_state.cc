#include "sim/engine/event/rank_state.h"

#include <algorithm>

namespace cubicbench::sim {

void SharedDevice::account(std::uint32_t rank, SimTime now) {
  RankState& state = ranks_[rank];
  const double passed = picoseconds(now - state.shared_at);
  state.shared_at = now;
  if (passed == 0.0 || x_ == 0.0) return;
  const auto run = [&](SharedWork& work, bool beside_other) {
    if (work.pays) {
      work.debt -= passed / (beside_other ? 1.0 + x_ : 1.0);
    } else if (beside_other) {
      work.overlap += passed;
    }
  };
  if (state.computes) run(state.work, state.moving > 0);
  if (state.moving == 0) return;
  for (StreamState& stream : state.streams)
    if (stream.moves) run(stream.work, state.computes);
}

void SharedDevice::set_computes(std::uint32_t rank, bool computes, SimTime now) {
  RankState& state = ranks_[rank];
  if (state.computes == computes) return;
  account(rank, now);
  state.computes = computes;
  if (state.moving > 0) schedule_debts(rank, now);
}

void SharedDevice::set_moves(std::uint32_t rank, std::size_t stream, bool moves, SimTime now) {
  RankState& state = ranks_[rank];
  if (state.streams[stream].moves == moves) return;
  account(rank, now);
  state.streams[stream].moves = moves;
  state.moving = static_cast<std::uint8_t>(state.moving + (moves ? 1 : -1));
  if (state.phase == RankPhase::slowed) schedule_debts(rank, now);
}

void SharedDevice::owe(SharedWork& work) const {
  work.debt = x_ / (1.0 + x_) * work.overlap;
  work.pays = true;
  if (work.debt < 0.5) work.debt = 0.0;  // of a picosecond
}

void SharedDevice::schedule_debts(std::uint32_t rank, SimTime now) {
  RankState& state = ranks_[rank];
  const auto paid = [&](const SharedWork& work, bool beside_other) {
    // What is due at this very moment stays so, in whatever order the moment's events come.
    if (work.debt <= 0.5) return now;
    const double speed = beside_other ? 1.0 + x_ : 1.0;
    return now + rounded(std::max(work.debt, 0.0) * speed);
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
