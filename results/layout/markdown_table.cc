#include "results/layout/markdown_table.h"

#include <cstddef>

#include "results/document/markdown.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + markdown_escaped(cell) + " |";
  return line + "\n";
}

}  // namespace

std::string markdown_table(const std::vector<HtmlColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> headings;
  std::string rule = "|";
  for (const HtmlColumn& column : columns) {
    headings.push_back(column.heading);
    rule += column.number ? "---:|" : "---|";
  }
  std::string text = line_of(headings) + rule + "\n";
  for (const std::vector<std::string>& row : rows) {
    SIM_ASSERT(row.size() == columns.size(), row.size(), columns.size());
    text += line_of(row);
  }
  return text;
}

}  // namespace cubicbench::results
