#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Sizes of messages that are judged apart: latency, the way between, bandwidth.
inline constexpr std::array<std::string_view, 3> size_classes{"<1MiB", "1-64MiB", ">=64MiB"};

std::string_view size_class_of(double size_bytes);

/// Median, and 90th percentile, over groups (system, collective, n_gpus) of the group's median
/// |simulated / measured - 1|: a long sweep weighs as much as a short one. Classes without timed
/// collectives are absent.
struct SizeErrors {
  std::map<std::string, double> median, p90;
};
SizeErrors size_errors(std::span<const ValidatedRow* const> rows);

}  // namespace cubicbench::results
