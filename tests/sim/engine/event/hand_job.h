#pragma once

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <vector>

#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/player.h"
#include "sim/engine/event/sim_time.h"
#include "sim/engine/event/step_script.h"
#include "sim/engine/event/transfers.h"

namespace cubicbench::sim {

inline SimTime ps(std::int64_t count) { return SimTime{count}; }

/// Bytes that take `busy` picoseconds, after `latency` of them. They are as many as picoseconds:
/// 1 TB/s, so that a rate in bytes per second is exact.
inline Transfer moving(std::int64_t busy, std::int64_t latency = 0) {
  return {.bytes = Bytes{static_cast<double>(busy)}, .latency = ps(latency), .busy = ps(busy)};
}

inline BlockTimes kernels_of(std::int64_t time) {
  BlockTimes block{.name = "block", .kernels = ps(time)};
  block.kernels_by_part[static_cast<std::size_t>(StepPart::gemm)] = ps(time);
  return block;
}

/// A job written by hand: a script without a model, and who talks to whom.
struct HandJob {
  StepScript step;
  JobGraph graph;
  std::vector<RankTemper> tempers;

  /// Adds `ranks` ranks of a new stage, which is returned to be written.
  StageScript& stage(int ranks) {
    for (int i = 0; i < ranks; ++i) {
      JobRank& rank = graph.ranks.emplace_back();
      rank.stage = static_cast<std::uint16_t>(step.stages.size());
      rank.rank = static_cast<std::uint32_t>(graph.ranks.size() - 1);
      rank.communicator.fill(no_communicator);
      rank.incoming.fill(no_communicator);
    }
    return step.stages.emplace_back();
  }

  void join(Role role, const std::vector<std::uint32_t>& members) {
    const auto size = static_cast<std::uint32_t>(members.size());
    for (const std::uint32_t rank : members) {
      graph.ranks[rank].communicator[static_cast<std::size_t>(role)] =
          static_cast<std::uint32_t>(graph.communicators.size());
    }
    graph.communicators.push_back({.role = role,
                                   .first = static_cast<std::uint32_t>(graph.members.size()),
                                   .size = size,
                                   .ranks = size});
    graph.members.insert(graph.members.end(), members.begin(), members.end());
  }

  /// A communicator of all ranks.
  void join_all(Role role) {
    std::vector<std::uint32_t> all(graph.ranks.size());
    std::iota(all.begin(), all.end(), 0U);
    join(role, all);
  }

  void edge(Role role, std::uint32_t from, std::uint32_t to) {
    const auto id = static_cast<std::uint32_t>(graph.communicators.size());
    join(role, {from, to});
    graph.ranks[to].communicator[static_cast<std::size_t>(role)] = no_communicator;
    graph.ranks[to].incoming[role == Role::forward_edge ? 0 : 1] = id;
  }

  Action block(const BlockTimes& times) {
    step.blocks.push_back(times);
    return {.kind = ActionKind::block, .index = static_cast<std::int32_t>(step.blocks.size() - 1)};
  }

  /// Appends an operation to a stream of `stage`.
  void operation(StageScript& stage, AsyncStream stream, const Transfer& transfer,
                 StreamOperation operation = {}) {
    step.transfers.push_back(transfer);
    operation.transfer = static_cast<std::uint32_t>(step.transfers.size() - 1);
    stage.streams[static_cast<std::size_t>(stream)].push_back(operation);
  }

  Player player(LinkTraffic* links = nullptr) const {
    return Player(step, graph, tempers, links, nullptr);
  }
  std::vector<RankState> played(LinkTraffic* links = nullptr) const {
    Player all = player(links);
    all.play();
    return all.ranks();
  }
  /// When each rank is done, in picoseconds.
  std::vector<std::int64_t> finishes(LinkTraffic* links = nullptr) const {
    std::vector<std::int64_t> ends;
    for (const RankState& rank : played(links)) ends.push_back(rank.finish.count());
    return ends;
  }
};

inline Action issue(AsyncStream stream) {
  return {.kind = ActionKind::issue, .which = static_cast<std::uint8_t>(stream)};
}
inline Action await(AsyncStream stream, std::int32_t operations) {
  return {
      .kind = ActionKind::await, .which = static_cast<std::uint8_t>(stream), .index = operations};
}
inline Action send(int edge) {
  return {.kind = ActionKind::send, .which = static_cast<std::uint8_t>(edge)};
}
inline Action receive(int edge) {
  return {.kind = ActionKind::receive, .which = static_cast<std::uint8_t>(edge)};
}
inline Action begin_pass(int which) {
  return {.kind = ActionKind::begin_pass, .which = static_cast<std::uint8_t>(which)};
}
inline Action end_pass(int which) {
  return {.kind = ActionKind::end_pass, .which = static_cast<std::uint8_t>(which)};
}
inline Action at_moment(Moment moment) {
  return {.kind = ActionKind::moment, .which = static_cast<std::uint8_t>(moment)};
}
inline Action keep() { return {.kind = ActionKind::keep}; }
inline Action release() { return {.kind = ActionKind::release}; }
inline Action pause() { return {.kind = ActionKind::pause}; }

inline std::int64_t part_of(const RankState& rank, StepPart part) {
  return rank.parts[static_cast<std::size_t>(part)].count();
}
inline std::int64_t sum_of_parts(const RankState& rank) {
  SimTime sum{};
  for (const SimTime part : rank.parts) sum += part;
  return sum.count();
}

}  // namespace cubicbench::sim
