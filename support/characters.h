#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace cubicbench::support {

// The C library's own depend on the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
constexpr bool is_letter(char c) { return lowered(c) >= 'a' && lowered(c) <= 'z'; }

/// The two hexadecimal digits of a byte, in lower case.
inline std::string hex_of(char byte) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  return {digits[value >> 4], digits[value & 15]};
}

/// Bytes of the UTF-8 character at the start of `text` [RFC 3629, section 4]; 0 when there is none:
/// a stray or missing continuation, an overlong form, a surrogate, a code point above U+10FFFF.
/// Requires a byte.
constexpr std::size_t utf8_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return 0;
  if (!std::ranges::all_of(text.substr(1, bytes - 1), continues)) return 0;
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool no_character = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
  return overlong || no_character ? 0 : bytes;
}

/// Whether a terminal obeys the UTF-8 character instead of showing it: the controls of seven and of
/// eight bits [ECMA-48, 5.2 and 5.3], ends of lines, and what turns the direction of the text that
/// follows [Unicode UAX #9, table of section 2], by which one text can be made to look like
/// another.
constexpr bool is_obeyed(std::string_view character) {
  const auto within = [&](std::string_view first, std::string_view last) {
    return character >= first && character <= last;
  };
  if (character.size() == 1) return is_control(character.front());
  if (character.size() == 2) return within("\xC2\x80", "\xC2\x9F") || character == "\xD8\x9C";
  return character.size() == 3 &&
         (within("\xE2\x80\x8E", "\xE2\x80\x8F") || within("\xE2\x80\xA8", "\xE2\x80\xAE") ||
          within("\xE2\x81\xA6", "\xE2\x81\xA9"));
}

}  // namespace cubicbench::support
