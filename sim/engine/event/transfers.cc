#include "sim/engine/event/transfers.h"

#include "sim/base/check.h"

namespace cubicbench::sim {
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
  meeting.on_links = links_ != nullptr && links_->carries(communicator, *meeting.transfer);
  if (!meeting.on_links) {
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
  links_->start(communicator, *meeting.transfer);
  unsettled_ = true;
}

void Transfers::finish(std::uint32_t communicator, SimTime now) {
  Meeting& meeting = meetings_[communicator];
  if (meeting.on_links) {
    links_->stop(communicator, *meeting.transfer);
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
  meeting.due =
      queue_.schedule(now + rounded(meeting.left / speed), EventKind::transfer_done, communicator);
}

}  // namespace cubicbench::sim
