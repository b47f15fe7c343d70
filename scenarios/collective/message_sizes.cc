#include "scenarios/collective/message_sizes.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "support/input_error.h"

namespace cubicbench::scenarios {
namespace {

using support::InputError;

constexpr double bytes_max = 0x1p50;
constexpr std::int64_t factor_max = 1 << 20;

struct Unit {
  std::string_view letters;
  double binary, decimal;
};

constexpr std::array units{Unit{"Kk", 0x1p10, 1e3}, Unit{"Mm", 0x1p20, 1e6},
                           Unit{"Gg", 0x1p30, 1e9}, Unit{"Tt", 0x1p40, 1e12}};

[[noreturn]] void refuse(const std::string& text, const std::string& where) {
  throw InputError(where,
                   "expected a size such as 8M or 1GiB, up to 2^50 bytes, or a range such as 1K:8G "
                   "or 1K:8G:4, got \"" +
                       support::shortened(text) + "\"");
}

/// Nothing (0) where `text` is no unit.
double unit_of(std::string_view text) {
  const auto is_bytes = [](std::string_view word) { return word == "B" || word == "b"; };
  if (text.empty() || is_bytes(text)) return 1.0;
  for (const Unit& unit : units) {
    if (unit.letters.find(text.front()) == std::string_view::npos) continue;
    const std::string_view rest = text.substr(1);
    if (rest.empty() || rest == "iB" || rest == "ib") return unit.binary;
    return is_bytes(rest) ? unit.decimal : 0.0;
  }
  return 0.0;
}

template <class Value>
struct Number {
  Value value{};
  std::string_view rest;
};

template <class Value>
Number<Value> number_of(std::string_view text, const std::string& all, const std::string& where) {
  Number<Value> number;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number.value);
  if (error != std::errc{}) refuse(all, where);
  number.rest = text.substr(static_cast<std::size_t>(stop - text.data()));
  return number;
}

/// Whole bytes; what is left of a fraction is cut off, as nccl-tests does.
double bytes_of(std::string_view text, const std::string& all, const std::string& where) {
  const auto number = number_of<double>(text, all, where);
  const double bytes = std::floor(number.value * unit_of(number.rest));
  // Also refuses what is not a number.
  if (!(bytes >= 1.0 && bytes <= bytes_max)) refuse(all, where);
  return bytes;
}

}  // namespace

std::vector<double> message_sizes(const std::string& text, const std::string& where) {
  const std::string_view all = text;
  const std::size_t first = all.find(':');
  const double begin = bytes_of(all.substr(0, first), text, where);
  if (first == std::string_view::npos) return {begin};
  const std::string_view rest = all.substr(first + 1);
  const std::size_t second = rest.find(':');
  const double end = bytes_of(rest.substr(0, second), text, where);
  double factor = 2.0;
  if (second != std::string_view::npos) {
    const auto number = number_of<std::int64_t>(rest.substr(second + 1), text, where);
    if (!number.rest.empty() || number.value < 2 || number.value > factor_max) refuse(text, where);
    factor = static_cast<double>(number.value);
  }
  if (end < begin) refuse(text, where);
  std::vector<double> sizes;
  for (double size = begin; size <= end; size *= factor) sizes.push_back(size);
  return sizes;
}

}  // namespace cubicbench::scenarios
