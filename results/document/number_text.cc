#include "results/document/number_text.h"

#include <array>

#include "sim/base/binary_sizes.h"

namespace cubicbench::results {
namespace {

/// Digits after the point that leave four significant ones of a value in [0, 10000).
int digits_of_four(double value) {
  if (value < 10.0) return 3;
  return value < 100.0 ? 2 : 1;
}

}  // namespace

std::string formatted(double value, std::chars_format format, int digits) {
  std::array<char, 400> buffer{};  // the longest double has 309 digits before its point
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, digits);
  return {buffer.data(), end.ptr};
}

std::string fixed(double value, int digits) {
  return formatted(value, std::chars_format::fixed, digits);
}

std::string scaled(double value) {
  if (value > 0.0 && value < 1.0) return fixed(value, 4);
  constexpr std::array<std::string_view, 5> suffixes{"", " k", " M", " G", " T"};
  std::size_t suffix = 0;
  while (value >= 1000.0 && suffix + 1 < suffixes.size()) {
    value /= 1000.0;
    ++suffix;
  }
  const int digits = suffix == 0 ? digits_of_four(value) - 1 : digits_of_four(value);
  return fixed(value, digits) + std::string(suffixes[suffix]);
}

std::string grouped(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t place = text.size(); place > 3;) {
    place -= 3;
    text.insert(place, ",");
  }
  return text;
}

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return grouped(count).append(" ").append(count == 1 ? one : many);
}

std::string gib(sim::Bytes bytes) { return fixed(bytes.value / sim::bytes_per_gib, 2) + " GiB"; }

std::string duration(sim::Seconds time) {
  if (time.value >= 1.0) return fixed(time.value, digits_of_four(time.value)) + " s";
  const double milliseconds = time.value * 1e3;
  return fixed(milliseconds, digits_of_four(milliseconds)) + " ms";
}

std::string percent(double share) { return fixed(100.0 * share, 1) + " %"; }

}  // namespace cubicbench::results
