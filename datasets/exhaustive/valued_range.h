#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "datasets/exhaustive/best_found.h"
#include "datasets/exhaustive/run_source.h"
#include "datasets/exhaustive/value_sketch.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

inline constexpr std::size_t reason_count = 7;

/// How many configurations fail, by reason; entry 0 is unused.
using ReasonCounts = std::array<std::uint64_t, reason_count>;

/// How the work is done. Nothing here changes a number.
struct ValuingRun {
  int threads = 0;               ///< 0: all cores
  std::filesystem::path beside;  ///< values that memory does not hold go to a file beside it
  /// Called now and then, by any thread, with how many configurations were valued since the last
  /// call; what it throws ends the work.
  std::function<void(std::uint64_t more)> progress{};
};

/// Configurations first .. first + count - 1.
struct NumberRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  bool operator==(const NumberRange&) const = default;
};

/// What the true values of some configurations came to.
struct ValuedRange {
  ReasonCounts failures{};
  BestFound best;
  std::vector<RunSource> values;  ///< of those that do not fail
};

/// Values every configuration of `range`, in parallel. `kept`, if not empty, gets the answer of
/// each. With a `sketch`, `values` are rounded by it; the best and `kept` never are. Requires a
/// range within the space. Throws OutputError, and what `progress` throws.
ValuedRange valued_range(const scenarios::Instance& instance, NumberRange range,
                         const ValuingRun& run, std::span<scenarios::TrueValue> kept = {},
                         const std::optional<ValueSketch>& sketch = {});

/// Reasons that occurred.
using FailureCounts = std::vector<std::pair<scenarios::Reason, std::uint64_t>>;
FailureCounts failures_of(const ReasonCounts& counts);

/// The sum of `counts`.
std::uint64_t failed_in(const ReasonCounts& counts);

}  // namespace cubicbench::datasets
