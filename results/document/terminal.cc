#include "results/document/terminal.h"

#include <algorithm>
#include <cstddef>

#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t gap = 2;            ///< between columns
constexpr std::size_t wrapped_min = 16;   ///< a text column is not made narrower, nor than a word
constexpr std::size_t fact_columns = 12;  ///< of the names of facts

/// A column of texts: its heading first, then a cell a row.
struct TextColumn {
  bool left = true;
  std::vector<std::string> cells;
  std::size_t width = 0;  ///< of the widest cell, or of the widest word of the heading
  std::size_t width_min = wrapped_min;
};

/// Columns of the longest word, which has a line of its own where the rest is wrapped.
std::size_t word_columns(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& word : wrapped(text, 1)) longest = std::max(longest, columns_of(word));
  return longest;
}

TextColumn text_column(const Table& table, std::size_t place, std::size_t rows) {
  const Column& column = table.columns[place];
  TextColumn text{.left = place == 0 || column.show == Show::text, .cells = {}};
  text.cells.push_back(heading_text(column));
  text.width = word_columns(text.cells.front());
  for (std::size_t i = 0; i < rows; ++i) {
    text.cells.push_back(cell_text(table.rows[i][place], column.show, Spacing::compact));
    text.width = std::max(text.width, columns_of(text.cells.back()));
    // What the last column cannot hold moves nothing.
    if (place + 1 == table.columns.size()) continue;
    text.width_min = std::max(text.width_min, word_columns(text.cells.back()));
  }
  return text;
}

/// Makes the widest text columns narrower until the table fits, or until none can be.
void fit(std::vector<TextColumn>& columns, std::size_t screen_columns) {
  std::size_t total = 0;
  for (const TextColumn& column : columns) total += column.width + gap;
  while (total > screen_columns + gap) {
    TextColumn* widest = nullptr;
    for (TextColumn& column : columns) {
      const bool can = column.left && column.width > column.width_min;
      if (can && (widest == nullptr || column.width > widest->width)) widest = &column;
    }
    if (widest == nullptr) return;
    --widest->width;
    --total;
  }
}

/// Row `row` of the columns, as many lines as its tallest cell.
std::string row_text(const std::vector<TextColumn>& columns, std::size_t row, bool heading) {
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 1;
  for (const TextColumn& column : columns) {
    cells.push_back(wrapped(column.cells[row], column.width));
    lines = std::max(lines, cells.back().size());
  }
  std::string text;
  for (std::size_t at = 0; at < lines; ++at) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      // Headings stand above their columns, so that short ones begin further down.
      const std::size_t skipped = heading ? lines - cells[i].size() : 0;
      const bool here = at >= skipped && at - skipped < cells[i].size();
      const std::string word = here ? cells[i][at - skipped] : "";
      const std::string blank = padding(word, columns[i].width);
      line += std::string(i == 0 ? 0 : gap, ' ') + (columns[i].left ? word + blank : blank + word);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

/// The last block that was written decides what stands before the next.
class Terminal {
 public:
  explicit Terminal(const Screen& screen) : screen_(screen) {}

  void add(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (includes(block.media, Media::terminal)) {
        std::visit([this](const auto& content) { write(content); }, block.content);
      }
    }
  }

  const std::string& text() const { return text_; }

 private:
  /// `close`: without an empty line before it.
  void append(const std::string& lines, bool close = false) {
    if (lines.empty()) return;
    if (!text_.empty() && !close && !after_heading_) text_ += "\n";
    text_ += lines;
    after_heading_ = false;
  }

  void write(const Heading& heading) {
    append(paragraph("", 0, heading.text));
    after_heading_ = true;
  }
  void write(const Paragraph& of) {
    if (!of.text.empty()) append(paragraph("", 0, of.text));
  }
  void write(const Command& command) { append(indented(command.text, 2), true); }
  void write(const Bullets& bullets) {
    std::string lines;
    for (const std::string& item : bullets.items) lines += paragraph("-", 2, item);
    append(lines);
  }
  void write(const Facts& facts) {
    std::string lines;
    for (const auto& [name, text] : facts.items) lines += paragraph(name, fact_columns, text);
    append(lines);
  }
  void write(const Bars& bars) { append(bar_rows(bars.rows, screen_.ink)); }
  void write(const Table& table) {
    if (!table.rows.empty()) append(terminal_text(table, screen_.columns));
  }
  void write(const auto& /*figures, links*/) {}
  void write(const Folded& folded) {
    append(paragraph("", 0, folded.summary));
    after_heading_ = true;
    add(folded.blocks);
  }

  Screen screen_;
  std::string text_;
  bool after_heading_ = false;
};

}  // namespace

std::string terminal_text(const Table& table, int columns_max) {
  const std::size_t rows = std::min(table.rows.size(), table.shown);
  std::vector<TextColumn> columns;
  for (const std::size_t i : shown_columns(table)) columns.push_back(text_column(table, i, rows));
  fit(columns, static_cast<std::size_t>(columns_max));
  std::string text;
  for (std::size_t row = 0; row <= rows; ++row) text += row_text(columns, row, row == 0);
  const std::size_t rest = table.rows.size() - rows;
  return rest == 0 ? text : text + "and " + grouped(rest) + " more\n";
}

std::string terminal_text(const Document& document, const Screen& screen) {
  Terminal terminal(screen);
  terminal.add(document.blocks);
  return terminal.text();
}

}  // namespace cubicbench::results
