#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/validation/validated_row.h"

namespace cubicbench::datasets {

/// Rows that one party measured of one problem, and how the simulator puts them in order: by
/// throughput per GPU, so that neither a larger model nor a larger batch is an easy win
/// [docs/reference/json-documents.md].
struct RankedGroup {
  std::string source;  ///< of its first row
  std::string group;
  std::int64_t rows = 0;  ///< timed ones
  double tau = 0.0;       ///< Kendall's tau-b
  /// Measured throughput of the row that is put first, over the best measured; and whether that is
  /// 90 % of it: 1 or 0. Of rows that tie for the first place each counts as much.
  double top1_ratio = 0.0, top1_good = 0.0;
  double top1_share = 0.0;  ///< top1_ratio, rounded as summaries have it: ratios are taken first
  /// (concordant - discordant) / pairs, over the pairs whose measured throughputs differ by more
  /// than 5 %; nothing of fewer than five such pairs. A pair that ties in simulation is neither.
  std::optional<double> clear_pairs;
};

/// Groups with five or more timed training runs, in the order in which they first appear. Sizes of
/// a collective are no choices, so collectives have none.
std::vector<RankedGroup> ranked_groups(RowSpan rows);

/// Over the groups among `rows`.
struct RankAgreement {
  std::int64_t groups = 0;
  std::optional<double> kendall_median;
  std::optional<double> pair_kendall_5pct;  ///< median; of groups with fewer rows too
  std::optional<double> top1_ratio, top1_share;
};
RankAgreement rank_agreement(RowSpan rows);

}  // namespace cubicbench::datasets
