#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace cubicbench::results {

/// `value` in that form with so many digits, in the C locale.
std::string formatted(double value, std::chars_format format, int digits);

/// `value` with that many digits after the point, in the C locale: "12.30".
std::string fixed(double value, int digits);

/// Four significant digits with k, M, G or T, for rates and counts: "4.068 M"; "12.3" below 1000
/// and "0.9856" below 1.
std::string scaled(double value);

/// "16,384". Of signed counts too, which must not be below zero.
std::string grouped(std::uint64_t count);
std::string grouped(std::signed_integral auto count) {
  return grouped(static_cast<std::uint64_t>(count));
}

/// "1 run", "16,384 runs".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many);
std::string counted(std::signed_integral auto count, std::string_view one, std::string_view many) {
  return counted(static_cast<std::uint64_t>(count), one, many);
}

/// "79.11 GiB".
std::string gib(sim::Bytes bytes);

/// Three or four significant digits: "4.128 s", "81.20 ms".
std::string duration(sim::Seconds time);

/// "41.2 %".
std::string percent(double share);

}  // namespace cubicbench::results
