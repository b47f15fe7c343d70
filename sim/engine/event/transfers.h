#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/ids.h"
#include "sim/engine/event/event_queue.h"
#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/job_loads.h"
#include "sim/engine/event/step_script.h"
#include "sim/network/link_sharing.h"

namespace cubicbench::sim {

/// How the transfers of a job share the links of its cluster.
class LinkTraffic {
 public:
  struct Change {
    std::uint32_t communicator = 0;
    double speed = 1.0;  ///< of what it has alone, 0 < speed <= 1
  };

  /// `loads` are those of `graph`, whose communicators stand for as many as it says.
  LinkTraffic(const JobGraph& graph, const JobLoads& loads);

  static constexpr std::uint32_t no_row = 0xffff'ffff;

  /// What `communicator` loads while it runs `transfer`: a row to start and stop. None where none
  /// of its links can be full.
  std::uint32_t row_of(std::uint32_t communicator, const Transfer& transfer) const;
  void start(std::uint32_t row, const Transfer& transfer);
  void stop(std::uint32_t row);
  /// After a batch of starts and stops: whose speed changed. Valid until the next call.
  std::span<const Change> settle();

 private:
  const JobGraph& graph_;
  const JobLoads& loads_;
  LinkSharing sharing_;
  std::vector<FlowSetId> sets_;  ///< of loads_.loads; where there are no uses, of no meaning
  IdVector<FlowSetId, std::uint32_t> communicator_of_;
  IdVector<FlowSetId, std::int64_t> caps_;
  std::vector<Change> changes_;
};

/// What the members of a communicator wait for.
enum class TransferUse : std::uint8_t {
  tensor_beside,
  tensor_bare,
  heads,
  context,
  tokens_beside,
  tokens,
  stream,
  message
};

/// Collectives and messages under way. A collective begins when all members have joined it, a
/// message when the one before it on its edge has arrived. Each takes its start-up, then moves its
/// bytes: alone at full speed, else at the share that the links leave it. All of its flows share
/// one fate: it ends for all members at once.
class Transfers {
 public:
  /// Without `links` every transfer runs at full speed.
  Transfers(const JobGraph& graph, LinkTraffic* links, EventQueue& queue);

  /// A member is ready for the next collective. `stream` is its row among the member's streams.
  /// Whether it was the last one, and the collective has begun.
  bool join(std::uint32_t communicator, const Transfer& transfer, TransferUse use,
            std::uint8_t stream, SimTime now);
  /// A message for the receiver of an edge.
  void send(std::uint32_t communicator, const Transfer& transfer, SimTime now);

  /// Whether a transfer_moves or transfer_done event still holds; a later one took its place if
  /// not.
  bool holds(const Event& event) const { return meetings_[event.subject].due == event.order; }
  void begin_moving(std::uint32_t communicator, SimTime now);
  /// The transfer is over; the next message of the edge begins.
  void finish(std::uint32_t communicator, SimTime now);
  /// After all events of one moment: shares the links among what moves, and says anew when it ends.
  void settle(SimTime now);

  TransferUse use(std::uint32_t communicator) const { return meetings_[communicator].use; }
  std::uint8_t stream(std::uint32_t communicator) const { return meetings_[communicator].stream; }
  /// When the transfer that just ended began.
  SimTime began(std::uint32_t communicator) const { return meetings_[communicator].began; }
  const Transfer& transfer(std::uint32_t communicator) const {
    return *meetings_[communicator].transfer;
  }
  std::uint64_t flows() const { return flows_; }

 private:
  /// The transfer that a communicator runs or gathers members for.
  struct Meeting {
    const Transfer* transfer = nullptr;
    std::uint64_t due = 0;  ///< number of the event that goes on with it
    SimTime began{};
    SimTime since{};     ///< when `left` was as it says
    double left = 0.0;   ///< time that the bytes still take at full speed, in ps
    double speed = 0.0;  ///< of full speed
    std::uint32_t joined = 0;
    std::uint32_t queued = 0;                 ///< messages that wait for their edge
    std::uint32_t row = LinkTraffic::no_row;  ///< of its load on links that can be full
    bool busy = false;
    TransferUse use = TransferUse::stream;
    std::uint8_t stream = 0;
  };

  void begin(std::uint32_t communicator, SimTime now);
  void reschedule(std::uint32_t communicator, double speed, SimTime now);

  const JobGraph& graph_;
  LinkTraffic* links_;
  EventQueue& queue_;
  std::vector<Meeting> meetings_;
  std::uint64_t flows_ = 0;
  bool unsettled_ = false;
};

}  // namespace cubicbench::sim
