#include "support/shell_word.h"

#include <algorithm>
#include <string_view>

#include "support/characters.h"

namespace cubicbench::support {
namespace {

bool is_plain(char c) {
  return is_letter(c) || is_digit(c) ||
         std::string_view("-_./:=,+@%").find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(const std::string& word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

}  // namespace cubicbench::support
