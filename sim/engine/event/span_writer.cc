#include "sim/engine/event/span_writer.h"

#include <algorithm>
#include <array>

namespace cubicbench::sim {
namespace {

const char* name_of(Collective op) {
  constexpr std::array<const char*, collective_count> names{
      "all_gather", "reduce_scatter", "all_reduce", "all_to_all", "broadcast", "send_receive"};
  return names[static_cast<std::size_t>(op)];
}

Track track_of(std::size_t stream) {
  constexpr std::array<Track, async_stream_count> tracks{
      Track::weights, Track::weights, Track::embedding, Track::input, Track::experts};
  return tracks[stream];
}

Track track_of(TransferUse use) {
  const bool tokens = use == TransferUse::tokens || use == TransferUse::tokens_beside;
  const bool context = use == TransferUse::context || use == TransferUse::heads;
  return tokens ? Track::experts : context ? Track::context : Track::tensor;
}

}  // namespace

SpanWriter::SpanWriter(const JobGraph& whole, const std::vector<std::uint32_t>& player_of,
                       SpanLog& log)
    : whole_(whole), log_(log) {
  std::uint32_t players = 0;
  for (const std::uint32_t player : player_of) players = std::max(players, player + 1);
  ranks_of_.resize(players);
  for (const std::int64_t rank : log.ranks) {
    ranks_of_[player_of[static_cast<std::size_t>(rank)]].push_back(rank);
  }
}

void SpanWriter::add(std::uint32_t player, Span span) {
  for (const std::int64_t rank : ranks_of_[player]) {
    span.rank = rank;
    log_.spans.push_back(span);
  }
}

void SpanWriter::pass(std::uint32_t player, const RankState& state, const Action& action,
                      SimTime end) {
  constexpr std::array<const char*, 5> names{"forward", "backward", "step", "weight gradients",
                                             "forward and backward"};
  add(player, {.track = Track::schedule,
               .name = names[action.which],
               .micro_batch = action.micro_batch,
               .begin = state.pass_begin,
               .end = end});
}

void SpanWriter::add_detail(std::uint32_t player, const RankState& state, Span span) {
  if (!is_detailed(state)) return;
  span.micro_batch = state.micro_batch;
  span.layer = state.layer;
  add(player, span);
}

void SpanWriter::kernels(std::uint32_t player, const RankState& state, const BlockTimes& block,
                         double factor, std::uint8_t leg, SimTime begin) {
  for (const KernelTime& kernel : block.kernel_list) {
    if (kernel.leg != leg) continue;
    const SimTime end = begin + scaled(kernel.time, factor);
    add_detail(player, state,
               {.track = Track::compute,
                .name = kernel.name,
                .begin = begin,
                .end = end,
                .block = block.name});
    begin = end;
  }
}

void SpanWriter::launches(std::uint32_t player, const RankState& state, SimTime host) {
  if (host == SimTime{}) return;
  add_detail(player, state,
             {.track = Track::host,
              .name = "launches",
              .begin = state.block_begin,
              .end = state.block_begin + host});
}

void SpanWriter::stored(std::uint32_t player, const RankState& state, const BlockTimes& block,
                        SimTime now) {
  if (block.stored == SimTime{}) return;
  const SimTime begin = block.stored_beside ? state.block_begin : now;
  add_detail(player, state,
             {.track = Track::experts,
              .name = block.stored_beside ? "next experts from storage" : "experts from storage",
              .begin = begin,
              .end = begin + block.stored});
}

void SpanWriter::pause(std::uint32_t player, const Pause& pause, SimTime begin, SimTime end) {
  if (begin == end) return;
  add(player, {.track = Track::compute, .name = pause.name, .begin = begin, .end = end});
}

void SpanWriter::slowed(std::uint32_t player, const RankState& state, const BlockTimes& block,
                        SimTime end) {
  add_detail(player, state,
             {.track = Track::compute,
              .name = "slower beside communication",
              .begin = state.mark,
              .end = end,
              .block = block.name});
}

void SpanWriter::collective(std::uint32_t player, const RankState& state, TransferUse use,
                            const char* name, const Transfer& transfer, SimTime begin,
                            SimTime end) {
  add_detail(player, state,
             {.track = track_of(use),
              .name = name != nullptr ? name : name_of(transfer.op),
              .bytes = transfer.bytes,
              .begin = begin,
              .end = end});
}

void SpanWriter::operation(std::uint32_t player, std::size_t stream,
                           const StreamOperation& operation, const Transfer& transfer,
                           SimTime begin, SimTime end) {
  add(player, {.track = track_of(stream),
               .name = operation.name,
               .bytes = transfer.bytes,
               .begin = begin,
               .end = end});
}

void SpanWriter::message(const Message& message, const Transfer& transfer, std::uint32_t number,
                         SimTime begin, SimTime end) {
  // A message is known by its sender, its edge and its number.
  const bool forward = message.edge % 2 == 0;
  const auto id = [&](std::uint64_t sender) {
    const std::uint64_t returns = message.edge / 2;
    return 1 + (sender * 2 + message.edge % 2) * 0x1'0000'0000U + returns * 0x8000'0000U + number;
  };
  Span span{.track = Track::pipeline, .bytes = transfer.bytes, .begin = begin, .end = end};
  span.name = forward ? "send activations" : "send gradients";
  for (const std::int64_t rank : ranks_of_[message.from]) {
    span.rank = rank;
    span.message = id(static_cast<std::uint64_t>(rank));
    log_.spans.push_back(span);
  }
  span.name = forward ? "receive activations" : "receive gradients";
  for (const std::int64_t rank : ranks_of_[message.to]) {
    const std::uint32_t edge = whole_.ranks[static_cast<std::size_t>(rank)].incoming[message.slot];
    span.rank = rank;
    span.message = id(whole_.members_of(whole_.communicators[edge]).front());
    log_.spans.push_back(span);
  }
}

void SpanWriter::memory(std::uint32_t player, SimTime at, Bytes bytes) {
  for (const std::int64_t rank : ranks_of_[player]) {
    log_.memory.push_back({.rank = rank, .at = at, .bytes = bytes});
  }
}

}  // namespace cubicbench::sim
