#pragma once

namespace cubicbench::support {

// The C library's own depend on the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char lowered(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
constexpr bool is_letter(char c) { return lowered(c) >= 'a' && lowered(c) <= 'z'; }

}  // namespace cubicbench::support
