#pragma once

#include <cstdint>

namespace cubicbench::datasets {

/// May random search draw a configuration again? The suite's `random` does not unless told.
enum class Replacement { without, with };

/// The rank, from 1 for the worst, of the quantile of the best of k draws: the smallest i <= count
/// with P(all k of count ranks <= i) >= share. That probability is C(i, k) / C(count, k) without
/// replacement and (i / count)^k with it. More draws than there are ranks find the best without
/// replacement. Requires k >= 1, count >= 1 and a share in (0, 1).
std::uint64_t best_rank(std::uint64_t count, std::uint64_t k, double share,
                        Replacement replacement);

}  // namespace cubicbench::datasets
