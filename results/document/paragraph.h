#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::results {

/// The words of `text` in lines of at most `width` columns; a word that is longer has a line of its
/// own. At least one line. Control characters become '?', since texts from files must not steer a
/// terminal.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

/// `head`, padded to `indent` columns, then the words of `text` as wrapped() breaks them, so that
/// no line passes `text_columns` and every further line starts at `indent`. Ends with a newline.
/// The head should be shorter than the indent.
std::string paragraph(std::string_view head, std::size_t indent, std::string_view text);

/// Columns of a terminal that UTF-8 text takes, one a character.
std::size_t columns_of(std::string_view text);

/// The spaces that fill `text` up to so many columns.
std::string padding(std::string_view text, std::size_t columns);

/// The lines of `text`, each behind so many spaces and with a line feed.
std::string indented(std::string_view text, std::size_t indent);

}  // namespace cubicbench::results
