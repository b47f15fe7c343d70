#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Rows that one party measured of one problem, and how the simulator puts them in order.
struct RankedGroup {
  std::string source;
  std::string group;
  std::int64_t rows = 0;  ///< timed ones
  double tau = 0.0;       ///< Kendall's tau-b of throughput
  /// Measured throughput of the row ranked first (the mean of those that tie), over the best.
  double top1_ratio = 0.0;
};

/// Fewer timed rows do not make a group.
inline constexpr std::size_t group_rows_min = 5;

/// Groups of training runs, in the order in which they first appear. Sizes of a collective are no
/// choices, so collectives have none.
std::vector<RankedGroup> ranked_groups(const Validation& validation);

/// Micro-batches of one layout, of which one fits and one does not.
struct MemoryLadder {
  std::string source;
  std::string layout;
  std::int64_t fits_last = 0;    ///< greatest measured micro-batch that ran
  std::int64_t fails_first = 0;  ///< smallest that ran out of memory
  bool fits_said = false;        ///< whether the simulator says of all runs there what happened
  bool fails_said = false;

  bool right() const { return fits_said && fails_said; }
};

/// In the order in which their layouts first appear.
std::vector<MemoryLadder> memory_ladders(const Validation& validation);

}  // namespace cubicbench::results
