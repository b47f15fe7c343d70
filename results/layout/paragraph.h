#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cubicbench::results {

/// `head`, padded to `indent` columns, then the words of `text`, broken so that no line passes
/// `text_columns` (but a word that is longer alone) and every further line starts at `indent`.
/// Control characters become '?'. Ends with a newline.
std::string paragraph(std::string_view head, std::size_t indent, std::string_view text);

/// Columns of a terminal that UTF-8 text takes, one a character.
std::size_t columns_of(std::string_view text);

}  // namespace cubicbench::results
