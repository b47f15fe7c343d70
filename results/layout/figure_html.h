#pragma once

#include <string>
#include <string_view>

namespace cubicbench::results {

/// A figure as a page shows it.
struct ShownFigure {
  std::string_view svg;       ///< as svg_of() gave it
  std::string_view label;     ///< for those who listen, plain text
  std::string_view caption;   ///< plain text
  std::string_view svg_file;  ///< names of the files that hold it and its numbers
  std::string_view csv_file;
};

/// The drawing itself, its caption and links to its files, as HTML.
std::string figure_html(const ShownFigure& figure);

}  // namespace cubicbench::results
