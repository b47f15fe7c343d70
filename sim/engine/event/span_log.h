#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/event/sim_time.h"

namespace cubicbench::sim {

/// A row of a rank's timeline.
enum class Track : std::uint8_t {
  schedule,   ///< passes over a stage's chunks, and the update
  host,       ///< launches
  compute,    ///< kernels
  tensor,     ///< collectives of the tensor-parallel group
  context,    ///< of the context-parallel group
  weights,    ///< of data parallelism: gathers and reductions
  pipeline,   ///< messages between stages
  embedding,  ///< pooled rows and their gradients between ranks
  input,      ///< the next batch
  experts,    ///< tokens to the ranks of their experts and back
};
inline constexpr int track_count = 10;

/// Something that a rank did from `begin` to `end`.
struct Span {
  std::int64_t rank = 0;
  Track track = Track::compute;
  const char* name = "";          ///< a literal: "forward", "attention", "all_gather"
  std::int32_t micro_batch = -1;  ///< -1: of none
  std::int32_t layer = -1;
  Bytes bytes{};  ///< that a collective or message moves; zero: none
  SimTime begin{};
  SimTime end{};
  std::uint64_t message = 0;  ///< the same number at the sender and at the receiver; zero: none
  const char* block = "";     ///< what it is a part of: a literal, "forward", "expert backward"
};

/// Live tensors of a rank from `at` on.
struct MemorySample {
  std::int64_t rank = 0;
  SimTime at{};
  Bytes bytes{};
};

/// What chosen ranks did, for a trace. In no order that counts; spans of a track may nest, and
/// cross.
struct SpanLog {
  std::vector<std::int64_t> ranks;  ///< whose spans are wanted, ascending
  std::int32_t layers_max = 2;      ///< of each pass, whose kernels are logged one by one
  std::vector<Span> spans;
  std::vector<MemorySample> memory;
};

}  // namespace cubicbench::sim
