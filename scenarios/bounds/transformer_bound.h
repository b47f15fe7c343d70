#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "scenarios/truth/instance.h"
#include "sim/workload/transformer.h"

namespace cubicbench::scenarios {

/// ValueBound's answer for a transformer: what its devices would reach if they did nothing but the
/// model's FLOPs (those that MFU counts, each of which is computed), and these as fast as the
/// device's matrix units go: at their peak, or at what the description's efficiencies say where
/// that is more. Reads `dtype` and `global_batch` of a configuration.
///
/// In the direction in which shorter steps are better.
double transformer_bound(const Instance& instance, const sim::Transformer& model,
                         std::span<const std::int64_t> configuration, std::size_t decided);

}  // namespace cubicbench::scenarios
