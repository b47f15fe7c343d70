#include "cli/message_sizes.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

#include "scenarios/input_error.h"

namespace cubicbench::cli {
namespace {

using scenarios::InputError;

constexpr std::int64_t bytes_max = std::int64_t{1} << 50;
constexpr std::int64_t factor_max = 1 << 20;

struct Unit {
  std::string_view letter;
  std::int64_t binary, decimal;
};

constexpr std::array units{Unit{"K", std::int64_t{1} << 10, 1'000},
                           Unit{"M", std::int64_t{1} << 20, 1'000'000},
                           Unit{"G", std::int64_t{1} << 30, 1'000'000'000},
                           Unit{"T", std::int64_t{1} << 40, 1'000'000'000'000}};

[[noreturn]] void refuse(const std::string& text, const std::string& option) {
  throw InputError(option,
                   "expected a size such as 8M or 1GiB, up to 2^50 bytes, or a range such as 1K:8G "
                   "or 1K:8G:4, got \"" +
                       scenarios::shortened(text) + "\"");
}

/// Nothing (0) where `text` is no unit.
std::int64_t unit_of(std::string_view text) {
  if (text.empty() || text == "B") return 1;
  for (const Unit& unit : units) {
    if (!text.starts_with(unit.letter)) continue;
    const std::string_view rest = text.substr(1);
    if (rest.empty() || rest == "iB") return unit.binary;
    return rest == "B" ? unit.decimal : 0;
  }
  return 0;
}

struct Number {
  std::int64_t value = 0;
  std::string_view rest;
};

Number number_of(std::string_view text, const std::string& all, const std::string& option) {
  Number number;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number.value);
  if (error != std::errc{} || number.value <= 0) refuse(all, option);
  number.rest = text.substr(static_cast<std::size_t>(stop - text.data()));
  return number;
}

std::int64_t bytes_of(std::string_view text, const std::string& all, const std::string& option) {
  const Number number = number_of(text, all, option);
  const std::int64_t unit = unit_of(number.rest);
  if (unit == 0 || number.value > bytes_max / unit) refuse(all, option);
  return number.value * unit;
}

}  // namespace

std::vector<double> message_sizes(const std::string& text, const std::string& option) {
  const std::string_view all = text;
  const std::size_t first = all.find(':');
  const std::int64_t begin = bytes_of(all.substr(0, first), text, option);
  if (first == std::string_view::npos) return {static_cast<double>(begin)};
  const std::string_view rest = all.substr(first + 1);
  const std::size_t second = rest.find(':');
  const std::int64_t end = bytes_of(rest.substr(0, second), text, option);
  std::int64_t factor = 2;
  if (second != std::string_view::npos) {
    const Number number = number_of(rest.substr(second + 1), text, option);
    if (!number.rest.empty() || number.value < 2 || number.value > factor_max) refuse(text, option);
    factor = number.value;
  }
  if (end < begin) refuse(text, option);
  std::vector<double> sizes;
  for (std::int64_t size = begin; size <= end; size *= factor) {
    sizes.push_back(static_cast<double>(size));
    if (size > bytes_max / factor) break;
  }
  return sizes;
}

}  // namespace cubicbench::cli
