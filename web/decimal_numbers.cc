#include "web/decimal_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace cubicbench::web {
namespace {

/// The digits of a positive number without zeros at either end, and the power of ten of the first.
struct Digits {
  std::string text;
  int exponent = 0;
};

std::string printed(const char* format, int precision, double value) {
  const int length = std::snprintf(nullptr, 0, format, precision, value);
  std::string text(static_cast<std::size_t>(length), '\0');
  std::snprintf(text.data(), text.size() + 1, format, precision, value);
  return text;
}

std::string in_scientific(double value, int digits) { return printed("%.*e", digits - 1, value); }

bool reads_back(const std::string& text, double value) {
  return std::strtod(text.c_str(), nullptr) == value;
}

/// Whatever decimal of fifteen digits there is, a normal double brings it back; a subnormal one has
/// fewer bits.
std::string shortest_scientific(double value) {
  const bool is_normal = value >= std::numeric_limits<double>::min();
  for (int digits = is_normal ? 15 : 1; digits < 17; ++digits) {
    std::string text = in_scientific(value, digits);
    if (reads_back(text, value)) return text;
  }
  return in_scientific(value, 17);
}

Digits shortest_digits(double value) {
  const std::string text = shortest_scientific(value);
  const std::size_t end = text.find('e');
  Digits digits{.text = text.substr(0, end), .exponent = std::atoi(text.c_str() + end + 1)};
  std::erase(digits.text, '.');
  digits.text.resize(std::max<std::size_t>(1, digits.text.find_last_not_of('0') + 1));
  return digits;
}

std::string scientific_form(const Digits& of) {
  std::string text = of.text.substr(0, 1);
  if (of.text.size() > 1) text += "." + of.text.substr(1);
  std::array<char, 8> exponent{};
  std::snprintf(exponent.data(), exponent.size(), "e%+03d", of.exponent);
  return text + exponent.data();
}

/// A whole number has all of its digits, those too that are not needed to read it back.
std::string fixed_form(const Digits& of, double value) {
  const int whole = of.exponent + 1;
  const int count = static_cast<int>(of.text.size());
  if (whole >= count) return printed("%.*f", 0, value);
  if (whole <= 0) return "0." + std::string(static_cast<std::size_t>(-whole), '0') + of.text;
  return of.text.substr(0, static_cast<std::size_t>(whole)) + "." +
         of.text.substr(static_cast<std::size_t>(whole));
}

std::string shortest_text(double value) {
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isnan(value)) return sign + "nan";
  if (std::isinf(value)) return sign + "inf";
  if (value == 0.0) return sign + "0";
  const Digits digits = shortest_digits(std::abs(value));
  const std::string scientific = scientific_form(digits);
  const std::string fixed = fixed_form(digits, std::abs(value));
  return sign + (fixed.size() <= scientific.size() ? fixed : scientific);
}

std::to_chars_result written(char* first, char* last, std::string_view text) {
  if (last - first < static_cast<std::ptrdiff_t>(text.size())) {
    return {last, std::errc::value_too_large};
  }
  return {std::copy(text.begin(), text.end(), first), std::errc{}};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char* after_digits(const char* at, const char* last) {
  return std::find_if_not(at, last, is_digit);
}

/// Behind the longest decimal that begins at `first`: digits with or without a point, then an
/// exponent where the format has one. `first` where there is none.
const char* decimal_end(const char* first, const char* last, std::chars_format format) {
  const char* const begin = first != last && *first == '-' ? first + 1 : first;
  const char* end = after_digits(begin, last);
  std::ptrdiff_t digits = end - begin;
  if (end != last && *end == '.') {
    const char* const fraction = after_digits(end + 1, last);
    digits += fraction - (end + 1);
    if (digits > 0) end = fraction;
  }
  if (digits == 0) return first;
  if (format == std::chars_format::fixed || end == last || (*end != 'e' && *end != 'E')) return end;
  const char* exponent = end + 1;
  if (exponent != last && (*exponent == '+' || *exponent == '-')) ++exponent;
  const char* const behind = after_digits(exponent, last);
  return behind == exponent ? end : behind;
}

}  // namespace

std::to_chars_result shortest_decimal(char* first, char* last, double value) {
  return written(first, last, shortest_text(value));
}

std::to_chars_result rounded_decimal(char* first, char* last, double value,
                                     std::chars_format format, int precision) {
  const char* const form = format == std::chars_format::fixed        ? "%.*f"
                           : format == std::chars_format::scientific ? "%.*e"
                                                                     : "%.*g";
  return written(first, last, printed(form, precision, value));
}

std::from_chars_result read_decimal(const char* first, const char* last, double& value,
                                    std::chars_format format) {
  const char* const end = decimal_end(first, last, format);
  if (end == first) return {first, std::errc::invalid_argument};
  const double read = std::strtod(std::string(first, end).c_str(), nullptr);
  const bool is_zero =
      std::none_of(first, std::find_if(first, end, [](char c) { return c == 'e' || c == 'E'; }),
                   [](char c) { return c >= '1' && c <= '9'; });
  if (std::isinf(read) || (read == 0.0 && !is_zero)) return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc{}};
}

}  // namespace cubicbench::web
