#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace cubicbench::support {

/// The whole of `text` as a number: an integer of digits, or a decimal with or without an exponent.
/// Nothing where there is more, such as white space or a sign +, or where it does not fit.
template <typename Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace cubicbench::support
