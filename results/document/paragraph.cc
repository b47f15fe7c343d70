#include "results/document/paragraph.h"

#include <algorithm>

#include "results/document/bars.h"
#include "support/characters.h"

namespace cubicbench::results {
namespace {

std::string visible(std::string_view word) {
  std::string text(word);
  std::ranges::replace_if(text, support::is_control, '?');
  return text;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padding(std::string_view text, std::size_t columns) {
  return std::string(columns - std::min(columns, columns_of(text)), ' ');
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t columns = columns_of(word);
    if (column > 0 && column + 1 + columns <= width) {
      lines.back() += ' ';
      column += 1 + columns;
    } else {
      if (column > 0) lines.emplace_back();
      column = columns;
    }
    lines.back() += visible(word);
  }
  return lines;
}

std::string paragraph(std::string_view head, std::size_t indent, std::string_view text) {
  std::string out(head);
  std::string before = padding(head, indent);
  for (const std::string& line : wrapped(text, static_cast<std::size_t>(text_columns) - indent)) {
    if (!line.empty()) out += before + line;
    before = "\n" + std::string(indent, ' ');
  }
  return out + "\n";
}

std::string indented(std::string_view text, std::size_t indent) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.append(indent, ' ').append(text.substr(0, end)).append("\n");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

}  // namespace cubicbench::results
