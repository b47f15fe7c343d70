#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cubicbench::datasets {

/// Which layers have experts.
struct ExpertLayers {
  std::int64_t first_dense = 0;
  std::int64_t period = 1;
};

/// What `NAME=VALUE` in the notes of a run says, up to the next space; "" where the name does not
/// stand there. Megatron's options are told so: "moe-grouped-gemm=True mtp-num-layers=1".
std::string_view flag_in(std::string_view notes, std::string_view name);

/// Nothing where it is no whole number.
std::optional<std::int64_t> count_flag_in(std::string_view notes, std::string_view name);

/// `moe-layer-freq`: a period, or a list such as ([0]*3+[1]*11): the first three layers are dense.
/// Nothing of other lists.
std::optional<ExpertLayers> expert_layers_in(std::string_view notes);

}  // namespace cubicbench::datasets
