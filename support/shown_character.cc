#include "support/shown_character.h"

#include <algorithm>
#include <utility>

#include "support/characters.h"

namespace cubicbench::support {
namespace {

/// The Unicode scalar value of a whole UTF-8 character [RFC 3629, section 3] below U+10000, in four
/// hexadecimal digits.
std::string code_point(std::string_view character) {
  const auto bits = [&](std::size_t at, unsigned mask) {
    return static_cast<unsigned char>(character[at]) & mask;
  };
  const unsigned value = character.size() == 1 ? bits(0, 0x7F)
                         : character.size() == 2
                             ? bits(0, 0x1F) << 6 | bits(1, 0x3F)
                             : bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
  return hex_of(static_cast<char>(value >> 8)) + hex_of(static_cast<char>(value & 0xFF));
}

bool is_shown(char c) {
  return c == '\n' || c == '\t' || (static_cast<unsigned char>(c) < 0x80 && !is_control(c));
}

}  // namespace

ShownCharacter shown_character(std::string_view text) {
  const auto escaped = [](std::size_t bytes, std::string escape) {
    const std::size_t width = escape.size();
    return ShownCharacter{.bytes = bytes, .text = std::move(escape), .width = width};
  };
  const std::size_t bytes = utf8_character(text);
  if (bytes == 0) return escaped(1, "\\x" + hex_of(text.front()));
  const std::string_view character = text.substr(0, bytes);
  if (is_obeyed(character)) return escaped(bytes, "\\u" + code_point(character));
  return {.bytes = bytes, .text = std::string(character)};
}

std::string terminal_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const std::size_t plain =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_shown) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return out;
    const ShownCharacter shown = shown_character(text);
    out += shown.text;
    text.remove_prefix(shown.bytes);
  }
}

}  // namespace cubicbench::support
