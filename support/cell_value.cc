#include "support/cell_value.h"

#include <charconv>
#include <cmath>
#include <system_error>

namespace cubicbench::support {
namespace {

template <typename Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

std::optional<double> number_of(std::string_view text) { return parsed<double>(text); }

std::optional<std::int64_t> integer_of(std::string_view text) {
  // Tables with empty cells are often written by programs that turn their integers into decimals.
  if (text.ends_with(".0")) text.remove_suffix(2);
  return parsed<std::int64_t>(text);
}

std::string set_cell_value(std::string_view text, std::string& value) {
  value = text;
  return "";
}

std::string set_cell_value(std::string_view text, std::optional<std::int64_t>& value) {
  const std::optional<std::int64_t> count = integer_of(text);
  if (!count || *count < 1) return "an integer of at least 1";
  value = count;
  return "";
}

std::string set_cell_value(std::string_view text, std::optional<double>& value) {
  const std::optional<double> number = number_of(text);
  if (!number || !std::isfinite(*number) || *number <= 0.0) return "a number above 0";
  value = number;
  return "";
}

}  // namespace cubicbench::support
