#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Does the simulator order runs as they were measured? Asked within groups, of throughput per GPU,
/// so that neither a larger model nor a larger batch is an easy win [contracts.md, section 7].
struct RankAgreement {
  /// Groups of five or more timed rows, and the median of their Kendall's tau-b.
  std::int64_t groups = 0;
  std::optional<double> kendall_median;
  /// Median over groups of (concordant - discordant) / pairs, over the pairs whose measured
  /// throughputs differ by more than 5 %, in groups with five or more such pairs. A pair that ties
  /// in simulation is neither.
  std::optional<double> pair_kendall_5pct;
  /// Of the same groups as tau: the measured throughput of the row that the simulator puts first,
  /// over the best measured, on average; and the share of groups in which it reaches 90 %. Of rows
  /// that tie for the first place each counts as much.
  std::optional<double> top1_ratio, top1_share;
};

/// Of the timed rows among `rows`; collectives, whose groups hold sizes and not choices, are left
/// out.
RankAgreement rank_agreement(std::span<const ValidatedRow* const> rows);

}  // namespace cubicbench::results
