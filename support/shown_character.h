#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// A character of `text` as a person may be shown it.
struct ShownCharacter {
  std::size_t bytes = 1;  ///< of `text`
  std::string text;       ///< valid UTF-8
  std::size_t width = 1;  ///< characters of it
};

/// The character at the start of `text`, which is not empty. What a terminal would obey is written
/// as `\u001b`, a byte that is no UTF-8 as `\xff`.
ShownCharacter shown_character(std::string_view text);

/// `text` as it may be printed on a terminal: every character as shown_character() has it, except
/// line feeds and tabs. JSON in valid UTF-8 stays JSON with the same values.
std::string terminal_text(std::string_view text);

}  // namespace cubicbench::support
