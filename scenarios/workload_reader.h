#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "scenarios/object_reader.h"
#include "sim/workload/workload.h"

namespace cubicbench::scenarios {

inline constexpr std::int64_t layers_max = 10'000;
inline constexpr std::int64_t heads_max = 65'536;
inline constexpr std::int64_t width_max = std::int64_t{1} << 24;
inline constexpr std::int64_t sequence_max = std::int64_t{1} << 24;

/// Reads a scenario's `workload`, or the model file that it names; `directory` is where relative
/// paths start. Problems are added to the reader's. Returns false when the workload is of a kind
/// that this version does not read, so that nothing else in the file can be judged.
bool read_workload(ObjectReader& in, const std::string& directory, sim::Workload& workload);

/// What a file calls the widths that heads are checked against.
struct TransformerKeys {
  std::string_view hidden;
  std::string_view attention_heads;
  std::string_view kv_heads;
};

/// Derives a head size of 0 as hidden / heads, and checks that heads divide and group evenly.
void complete_heads(sim::Transformer& model, ObjectReader& in, const TransformerKeys& keys);

}  // namespace cubicbench::scenarios
