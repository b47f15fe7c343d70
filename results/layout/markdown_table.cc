#include "results/layout/markdown_table.h"

#include <cstddef>

#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + markdown_escaped(cell) + " |";
  return line + "\n";
}

}  // namespace

std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view markup = "\\`*[]<>|";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (markup.find(c) != std::string_view::npos) result += '\\';
    result += byte < 0x20 || byte == 0x7f ? ' ' : c;
  }
  return result;
}

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
