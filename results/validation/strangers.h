#pragma once

#include <optional>
#include <span>
#include <string>

#include "datasets/catalog/measured_table.h"
#include "datasets/validation/validate_tables.h"
#include "results/validation/summary.h"

namespace cubicbench::results {

/// What to expect of software that no constants were fitted to: the runs of the same tables played
/// in other ways.
struct Strangers {
  std::string stack;                  ///< whose constants `one_for_all` has
  Summaries in_sample;                ///< as `validate` plays them
  Summaries one_for_all;              ///< as with --stack
  Summaries unnamed;                  ///< as with --unnamed
  std::optional<Summaries> left_out;  ///< as with --leave-out source
};

/// Plays the runs among `tables`; without each source in turn only where it is asked for, as
/// constants are fitted again. Uses up to `threads` threads (0: all cores), which change no bit.
Strangers strangers_of(std::span<const datasets::MeasuredTable> tables,
                       const datasets::WantedRows& wanted, bool with_left_out, int threads = 0);

}  // namespace cubicbench::results
