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

/// All of `text` so, but for line feeds and tabs: what somebody else wrote, on its way to a
/// terminal. JSON stays JSON with the same values, provided that it is valid UTF-8.
std::string terminal_text(std::string_view text);

}  // namespace cubicbench::support
