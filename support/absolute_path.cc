#include "support/absolute_path.h"

#include <cstddef>

#include "support/characters.h"

namespace cubicbench::support {
namespace {

bool in_name(char c) {
  return is_letter(c) || is_digit(c) ||
         std::string_view("._~*$}").find(c) != std::string_view::npos;
}

/// Does the '/' at `slash` follow a name in a relative path, as in "a-b/c", "../c" and "$HOME/c"?
/// In all doubt not: an option's letter ("-I/c"), an escape ("\\n/c"), a default ("${x-/c}").
bool goes_on(std::string_view command, std::size_t slash) {
  if (slash == 0 || !in_name(command[slash - 1])) return false;
  std::size_t begin = slash;
  while (begin > 0 && (in_name(command[begin - 1]) || command[begin - 1] == '-')) --begin;
  return command[begin] != '-' && (begin == 0 || command[begin - 1] != '\\');
}

}  // namespace

bool has_absolute_path(std::string_view command) {
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == '/' && !goes_on(command, i)) return true;
  }
  return false;
}

}  // namespace cubicbench::support
