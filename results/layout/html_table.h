#pragma once

#include <string>
#include <vector>

namespace cubicbench::results {

/// One column: its heading, and whether its cells are numbers, which stand to the right.
struct HtmlColumn {
  std::string heading;
  bool number = false;
};

/// A table of plain text, escaped here, that scrolls by itself where it is too wide. Each row has a
/// cell a column.
std::string html_table(const std::vector<HtmlColumn>& columns,
                       const std::vector<std::vector<std::string>>& rows);

}  // namespace cubicbench::results
