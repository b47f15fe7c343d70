#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "datasets/exhaustive/run_code.h"
#include "support/files.h"

namespace cubicbench::datasets {

/// Where encoded runs lie in an open file (datasets/exhaustive/run_code.h).
struct RunSegment {
  std::shared_ptr<const support::FileDescriptor> file;
  std::string name;  ///< what messages call the file
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

/// Ascending runs, in memory or in a file, read from the first to the last.
class RunSource {
 public:
  explicit RunSource(std::vector<ValueRun> runs);
  /// Throws InputError, when read, where the file holds something else.
  explicit RunSource(RunSegment segment);

  /// The run that is next, or null at the end.
  const ValueRun* front() const { return at_ < runs_.size() ? &runs_[at_] : nullptr; }
  void pop();

 private:
  std::vector<ValueRun> runs_;  ///< that were read and not yet taken, from `at_` on
  std::size_t at_ = 0;
  std::function<bool(std::vector<ValueRun>&)> read_more_;  ///< false at the end
};

/// All runs of several sources in one ascending row, equal values joined.
class MergedRuns {
 public:
  explicit MergedRuns(std::vector<RunSource> sources);

  /// Replaces `runs` by the next ones, at most `runs_max`; none at the end.
  void read(std::vector<ValueRun>& runs, std::size_t runs_max);

 private:
  bool later(std::size_t a, std::size_t b) const;

  std::vector<RunSource> sources_;
  std::vector<std::size_t> heap_;  ///< sources with a run, the one with the smallest in front
};

}  // namespace cubicbench::datasets
