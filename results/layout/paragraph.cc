#include "results/layout/paragraph.h"

#include <algorithm>

#include "results/layout/bars.h"

namespace cubicbench::results {

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

namespace {

/// Texts from files must not steer a terminal.
void append_visible(std::string_view word, std::string& out) {
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
}

}  // namespace

std::string paragraph(std::string_view head, std::size_t indent, std::string_view text) {
  std::string out(head);
  std::size_t column = columns_of(head);
  bool first_word = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) {
      continue;
    }
    const std::size_t width = columns_of(word);
    const bool fits = column + 1 + width <= static_cast<std::size_t>(text_columns);
    if (first_word) {
      out.append(indent - std::min(indent, column), ' ');
      column = std::max(indent, column);
    } else if (fits) {
      out += ' ';
      ++column;
    } else {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    }
    append_visible(word, out);
    column += width;
    first_word = false;
  }
  return out + "\n";
}

}  // namespace cubicbench::results
