#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/exhaustive/value_run.h"

namespace cubicbench::datasets {

/// Ascending runs as bytes: of each run the distance of `ordered_bits` from that of the run before
/// (of the first from 0), then the count, both in groups of seven bits, the low ones first, the top
/// bit saying that another group follows. Dense values take a few bytes.
class RunEncoder {
 public:
  /// Appends `run` to `bytes`. Requires a value above that of the run before.
  void add(const ValueRun& run, std::string& bytes);

 private:
  std::uint64_t last_ = 0;
};

/// Inverse of `RunEncoder`, over bytes that come in pieces.
class RunDecoder {
 public:
  /// The run at the start of `bytes`, which is then cut off; nothing where the bytes end before
  /// the run does, or are none of a RunEncoder's: `broken()` tells.
  std::optional<ValueRun> next(std::string_view& bytes);

  bool broken() const { return broken_; }

 private:
  std::uint64_t last_ = 0;
  bool broken_ = false;
};

}  // namespace cubicbench::datasets
