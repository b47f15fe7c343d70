#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/workload/transformer.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

inline constexpr std::int64_t layers_max = 10'000;
inline constexpr std::int64_t heads_max = 65'536;
inline constexpr std::int64_t width_max = std::int64_t{1} << 24;
inline constexpr std::int64_t sequence_max = std::int64_t{1} << 24;
inline constexpr std::int64_t experts_max = 65'536;

/// What Megatron-Core calls the products that adapters belong to, in the order of sim::Adapters.
inline constexpr std::array<std::string_view, 4> adapter_modules{"linear_qkv", "linear_proj",
                                                                 "linear_fc1", "linear_fc2"};

/// Reads a `workload` that describes a transformer by its shape, every key of it; with keys of
/// experts too where there are to be `with_experts`. Problems are added to the reader's.
sim::Transformer read_transformer(support::ObjectReader& in, bool with_experts);

/// What a file calls the widths that heads are checked against.
struct TransformerKeys {
  std::string_view hidden;
  std::string_view attention_heads;
  std::string_view kv_heads;
};

/// Derives a head size of 0 as hidden / heads, and checks that heads divide and group evenly.
void complete_heads(sim::Transformer& model, support::ObjectReader& in,
                    const TransformerKeys& keys);

/// What a file calls the sizes of experts that are checked against each other.
struct ExpertKeys {
  std::string_view experts;
  std::string_view per_token;
  std::string_view layers;
  std::string_view first_dense_layers;
  std::string_view period;
};

/// Checks that a token finds its experts and that some layer has them.
void check_experts(const sim::Transformer& model, support::ObjectReader& in,
                   const ExpertKeys& keys);

/// Reads what decides how tokens spread over experts, which no weights tell: `capacity_factor`,
/// `load_deviation`, `nodes_per_token`. What is absent stays as it is in `experts`.
void read_routing(support::ObjectReader& in, sim::Experts& experts);

/// Checks what it read, once it is known how many experts a token has.
void check_routing(support::ObjectReader& in, const sim::Experts& experts);

}  // namespace cubicbench::scenarios
