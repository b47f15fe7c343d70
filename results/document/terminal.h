#pragma once

#include <string>

#include "results/document/document.h"

namespace cubicbench::results {

/// The document as lines of a terminal of `text_columns` columns: an empty line between blocks, but
/// for a heading and what follows it, and for a command and what it follows. The title is left out.
std::string terminal_text(const Document& document, Ink ink = Ink::blocks);

/// The table alone, its columns two spaces apart: headings of several words take several lines,
/// texts are wrapped where the table would be too wide, numbers stand to the right.
std::string terminal_text(const Table& table);

}  // namespace cubicbench::results
