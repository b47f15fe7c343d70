#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cubicbench::datasets {

/// A value and how many configurations have it.
struct ValueRun {
  double value = 0.0;
  std::uint64_t count = 0;

  bool operator==(const ValueRun&) const = default;
};

/// A whole number that ascends with the value, for values that are no NaN and no -0.
inline std::uint64_t ordered_bits(double value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

/// Inverse of `ordered_bits`.
inline double value_of_bits(std::uint64_t ordered) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return std::bit_cast<double>((ordered & sign) != 0 ? ordered & ~sign : ~ordered);
}

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
