#pragma once

#include <cstdint>
#include <string>

#include "datasets/exhaustive/enumeration.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::results {

/// Configurations up to which a report values a whole space by itself.
inline constexpr std::uint64_t small_space_max = 100'000;

/// What `enumerate` says of a small space, with best_of_k for k = 1 .. k_max, 10,000 at most.
/// `truth_sha256` is passed through. Requires count() <= small_space_max and k_max >= 1.
datasets::Enumeration value_small_space(const scenarios::Instance& instance,
                                        const std::string& truth_sha256, std::int64_t k_max);

}  // namespace cubicbench::results
