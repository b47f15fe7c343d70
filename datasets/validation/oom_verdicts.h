#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/validation/validated_row.h"

namespace cubicbench::datasets {

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
std::vector<MemoryLadder> memory_ladders(RowSpan rows);

/// Simulated verdicts against measured ones; positive is out of memory.
struct OomSummary {
  std::int64_t tp = 0, fp = 0, tn = 0, fn = 0;
  std::optional<double> balanced_accuracy;
  /// Of demand over limit: the probability that a run that failed for memory has a larger one than
  /// a run that did not; equal ones count half. Nothing when one of the kinds is missing.
  std::optional<double> auroc;
  std::optional<double> ladder_edges;  ///< share of ladders that are right(); nothing without one

  bool any() const { return tp + fp + tn + fn > 0; }
};

/// Collectives have none, nor runs of software of whose memory nothing is known.
OomSummary oom_verdicts(RowSpan rows);

}  // namespace cubicbench::datasets
