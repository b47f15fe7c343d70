#pragma once

#include <string>

#include "results/document/document.h"

namespace cubicbench::results {

/// What a document is shown on. Sentences and bars are `text_columns` wide on any.
struct Screen {
  Ink ink = Ink::blocks;
  int columns = text_columns;  ///< that tables may take
};

/// The document as lines of a terminal: an empty line between blocks, but
/// for a heading and what follows it, and for a command and what it follows. The title is left out.
std::string terminal_text(const Document& document, const Screen& screen = {});

/// The table alone, its columns two spaces apart: headings of several words take several lines,
/// texts are wrapped where the table would be too wide, numbers stand to the right.
std::string terminal_text(const Table& table, int columns = text_columns);

}  // namespace cubicbench::results
