#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// Ranks that show most of a step, ascending: the first ones of the first, second, middle and last
/// pipeline stage; of a recommendation model those of two nodes.
std::vector<std::int64_t> telling_ranks(const scenarios::Scenario& scenario);

/// The first rank of each of the first `stages` pipeline stages, ascending. Requires a transformer.
std::vector<std::int64_t> first_ranks(const scenarios::Scenario& scenario, std::int64_t stages);

/// "stage 1, rank 8", or "rank 8" where there is one stage, or none.
std::string short_rank_name(const scenarios::Scenario& scenario, std::int64_t rank);

/// "rank 8 (stage 1, data 0, tensor 0)": the place of `rank` in every dimension of the baseline
/// that has more than one; of a recommendation model its node. Requires a plan that divides the
/// GPUs.
std::string traced_rank_name(const scenarios::Scenario& scenario, std::int64_t rank);

}  // namespace cubicbench::results
