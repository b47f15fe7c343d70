#include "sim/engine/event/transfers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// Bytes per second of the largest flow while `transfer` runs alone.
std::int64_t cap_of(const CommunicatorLoad& load, const Transfer& transfer) {
  const double rate = load.flow_bytes * transfer.bytes.value / to_seconds(transfer.busy).value;
  return std::max<std::int64_t>(
      1, std::llround(std::min(rate, 0.5 * static_cast<double>(link_rate_max))));
}

}  // namespace

LinkTraffic::LinkTraffic(const JobGraph& graph, const JobLoads& loads)
    : graph_(graph), loads_(loads), sharing_(loads.capacities) {
  sets_.resize(loads.loads.size());
  std::vector<std::uint32_t> owners;
  for (std::uint32_t i = 0; i < graph.communicators.size(); ++i) {
    const auto rows = loads.loads_of(graph, i);
    for (std::size_t kind = 0; kind < rows.size(); ++kind) {
      const auto uses = loads.uses_of(rows[kind]);
      if (uses.empty()) continue;
      sets_[loads.first_load[i] + kind] = sharing_.add(uses, 1);
      owners.push_back(i);
    }
  }
  caps_ = IdVector<FlowSetId, std::int64_t>(owners.size(), 1);
  communicator_of_ = IdVector<FlowSetId, std::uint32_t>(std::move(owners));
}

std::uint32_t LinkTraffic::row_of(std::uint32_t communicator, const Transfer& transfer) const {
  const auto& kinds = loads_.kinds[slot(graph_.communicators[communicator].role)];
  std::uint32_t kind = 0;
  while (kind < kinds.size() && !kinds[kind].is_of(transfer)) ++kind;
  if (kind == kinds.size() || transfer.busy == SimTime{}) return no_row;
  const std::uint32_t row = loads_.first_load[communicator] + kind;
  return loads_.uses_of(loads_.loads[row]).empty() ? no_row : row;
}

void LinkTraffic::start(std::uint32_t row, const Transfer& transfer) {
  const FlowSetId set = sets_[row];
  caps_[set] = cap_of(loads_.loads[row], transfer);
  sharing_.set_cap(set, caps_[set]);
  sharing_.start(set);
}

void LinkTraffic::stop(std::uint32_t row) { sharing_.stop(sets_[row]); }

std::span<const LinkTraffic::Change> LinkTraffic::settle() {
  changes_.clear();
  for (const FlowSetId set : sharing_.settle()) {
    const double speed = static_cast<double>(sharing_.rate(set)) / static_cast<double>(caps_[set]);
    changes_.push_back({communicator_of_[set], speed});
  }
  return changes_;
}

Transfers::Transfers(const JobGraph& graph, LinkTraffic* links, EventQueue& queue)
    : graph_(graph), links_(links), queue_(queue), meetings_(graph.communicators.size()) {}

bool Transfers::join(std::uint32_t communicator, const Transfer& transfer, TransferUse use,
                     std::uint8_t stream, SimTime now) {
  Meeting& meeting = meetings_[communicator];
  SIM_ASSERT(!meeting.busy, communicator);
  meeting.transfer = &transfer;
  meeting.use = use;
  meeting.stream = stream;
  if (++meeting.joined < graph_.communicators[communicator].size) return false;
  meeting.joined = 0;
  begin(communicator, now);
  return true;
}

void Transfers::send(std::uint32_t communicator, const Transfer& transfer, SimTime now) {
  Meeting& meeting = meetings_[communicator];
  meeting.transfer = &transfer;
  meeting.use = TransferUse::message;
  if (meeting.busy) {
    ++meeting.queued;
  } else {
    begin(communicator, now);
  }
}

void Transfers::begin(std::uint32_t communicator, SimTime now) {
  Meeting& meeting = meetings_[communicator];
  const Communicator& members = graph_.communicators[communicator];
  const bool message = meeting.use == TransferUse::message;
  flows_ += static_cast<std::uint64_t>(members.stands_for) * (message ? 1 : members.ranks);
  meeting.busy = true;
  meeting.began = now;
  meeting.row =
      links_ == nullptr ? LinkTraffic::no_row : links_->row_of(communicator, *meeting.transfer);
  if (meeting.row == LinkTraffic::no_row) {
    meeting.due =
        queue_.schedule(now + meeting.transfer->alone(), EventKind::transfer_done, communicator);
    return;
  }
  meeting.due =
      queue_.schedule(now + meeting.transfer->latency, EventKind::transfer_moves, communicator);
}

void Transfers::begin_moving(std::uint32_t communicator, SimTime now) {
  Meeting& meeting = meetings_[communicator];
  meeting.left = picoseconds(meeting.transfer->busy);
  meeting.since = now;
  meeting.speed = 0.0;
  links_->start(meeting.row, *meeting.transfer);
  unsettled_ = true;
}

void Transfers::finish(std::uint32_t communicator, SimTime now) {
  Meeting& meeting = meetings_[communicator];
  if (meeting.row != LinkTraffic::no_row) {
    links_->stop(meeting.row);
    unsettled_ = true;
  }
  meeting.busy = false;
  if (meeting.queued > 0) {
    --meeting.queued;
    begin(communicator, now);
  }
}

void Transfers::settle(SimTime now) {
  if (!unsettled_) return;
  unsettled_ = false;
  for (const LinkTraffic::Change& change : links_->settle()) {
    reschedule(change.communicator, change.speed, now);
  }
}

void Transfers::reschedule(std::uint32_t communicator, double speed, SimTime now) {
  Meeting& meeting = meetings_[communicator];
  meeting.left -= meeting.speed * picoseconds(now - meeting.since);
  if (meeting.left < 0.0) meeting.left = 0.0;
  meeting.since = now;
  meeting.speed = speed;
  const double time = meeting.left / speed;
  SIM_ASSERT(time < 0x1p62, meeting.left, speed);
  meeting.due = queue_.schedule(now + rounded(time), EventKind::transfer_done, communicator);
}

}  // namespace cubicbench::sim
