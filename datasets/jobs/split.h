#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/jobs/dataset.h"

namespace cubicbench::datasets {

/// Which jobs are learnt from and which are predicted.
enum class SplitKind {
  random,    ///< any
  time,      ///< the earlier, the later third
  scale,     ///< the smaller GPU counts, the larger: cut where the halves are nearest in size
  workload,  ///< all workloads but one, that one; repeat r leaves out the r-th
  cluster,   ///< likewise
  searcher,  ///< likewise
};

/// "random", "time", "scale", "workload", "cluster", "searcher", in the order of the enum.
std::span<const std::string_view> split_names();
std::string_view name_of(SplitKind kind);

/// Positions of jobs, sorted.
struct Split {
  std::vector<std::size_t> train;
  std::vector<std::size_t> test;
  /// Jobs that may be learnt from: `train` are drawn from so many.
  std::size_t learnable = 0;
};

/// Splits `jobs` (positions in `data`, sorted). `train` of those that may be learnt from are drawn
/// at random, all when there are fewer; the test part is everything on the other side, of a random
/// split all the rest and at least a tenth of the jobs. Repeats of a configuration never straddle:
/// the drawn part may be short by less than one configuration's repeats, but is never empty, and
/// jobs on the training side that repeat a tested configuration are left out. A pure function of
/// its arguments. Requires train >= 1.
///
/// Throws InputError at `where` for no jobs, "expected jobs with a time", since those are what is
/// split, and when a part would be empty: all jobs of one day, one GPU count, one
/// workload.
Split split_of(const Dataset& data, std::span<const std::size_t> jobs, SplitKind kind,
               std::int64_t train, std::uint64_t repeat, const std::string& where);

}  // namespace cubicbench::datasets
