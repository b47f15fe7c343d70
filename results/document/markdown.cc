#include "results/document/markdown.h"

#include <algorithm>

#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "support/characters.h"
#include "support/files.h"

namespace cubicbench::results {
namespace {

std::string table_line(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + markdown_escaped(cell) + " |";
  return line + "\n";
}

std::string table_text(const Table& table) {
  std::vector<std::string> cells;
  std::string rule = "|";
  const std::vector<std::size_t> columns = shown_columns(table);
  for (const std::size_t i : columns) {
    cells.push_back(heading_text(table.columns[i]));
    rule += table.columns[i].show == Show::text ? "---|" : "---:|";
  }
  std::string text = table_line(cells) + rule + "\n";
  const std::size_t rows = std::min(table.rows.size(), table.shown);
  for (std::size_t row = 0; row < rows; ++row) {
    cells.clear();
    for (const std::size_t i : columns) {
      cells.push_back(cell_text(table.rows[row][i], table.columns[i].show, Spacing::roomy));
    }
    text += table_line(cells);
  }
  const std::size_t rest = table.rows.size() - rows;
  return rest == 0 ? text : text + "\nand " + grouped(rest) + " more\n";
}

/// Each block as lines that end in a line feed; the caller puts an empty line between them.
struct BlockText {
  std::string operator()(const Heading& heading) const {
    return std::string(static_cast<std::size_t>(heading.level), '#') + " " +
           markdown_escaped(heading.text) + "\n";
  }
  std::string operator()(const Paragraph& of) const {
    return of.text.empty() ? "" : markdown_escaped(of.text) + "\n";
  }
  std::string operator()(const Command& command) const { return indented(command.text, 4); }
  std::string operator()(const Bullets& bullets) const {
    std::string text;
    for (const std::string& item : bullets.items) text += "- " + markdown_escaped(item) + "\n";
    return text;
  }
  std::string operator()(const Facts& facts) const {
    std::string text;
    for (const auto& [name, fact] : facts.items) {
      text += "- **" + markdown_escaped(name) + "**: " + markdown_escaped(fact) + "\n";
    }
    return text;
  }
  std::string operator()(const Table& table) const {
    return table.rows.empty() ? "" : table_text(table);
  }
  std::string operator()(const Drawing& drawing) const {
    if (folder.empty()) return "";
    support::write_file_atomic(folder / (drawing.stem + ".svg"), svg_of(drawing.figure));
    const std::string& label = drawing.label.empty() ? drawing.figure.title : drawing.label;
    return "![" + markdown_escaped(label) + "](" + folder.filename().string() + "/" + drawing.stem +
           ".svg)\n\n" + markdown_escaped(drawing.caption) + "\n";
  }
  std::string operator()(const Picture& picture) const {
    if (folder.empty()) return "";
    support::write_file_atomic(folder / (picture.stem + ".svg"), picture.svg);
    return "![" + markdown_escaped(picture.label) + "](" + folder.filename().string() + "/" +
           picture.stem + ".svg)\n\n" + markdown_escaped(picture.caption) + "\n";
  }
  std::string operator()(const Gallery& gallery) const {
    std::string text;
    for (const Drawing& drawing : gallery.drawings) {
      const std::string one = (*this)(drawing);
      if (!one.empty()) text += (text.empty() ? "" : "\n") + one;
    }
    return text;
  }
  std::string operator()(const auto& /*bars, links*/) const { return ""; }
  std::string operator()(const Folded& folded) const {
    return "### " + markdown_escaped(folded.summary) + "\n\n" + blocks_text(folded.blocks);
  }

  std::string blocks_text(const std::vector<Block>& blocks) const {
    std::string text;
    for (const Block& block : blocks) {
      if (!includes(block.media, Media::markdown)) continue;
      const std::string lines = std::visit(*this, block.content);
      if (!lines.empty()) text += (text.empty() ? "" : "\n") + lines;
    }
    return text;
  }

  std::filesystem::path folder{};  ///< of figures; "": they are left out
};

}  // namespace

std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view markup = "\\`*[]<>|";
  std::string result;
  for (const char c : text) {
    if (markup.find(c) != std::string_view::npos) result += '\\';
    result += support::is_control(c) ? ' ' : c;
  }
  return result;
}

namespace {

std::string page_text(const Document& document, const std::filesystem::path& folder) {
  const std::string text = BlockText{.folder = folder}.blocks_text(document.blocks);
  return document.title.empty() ? text : "# " + markdown_escaped(document.title) + "\n\n" + text;
}

}  // namespace

std::string markdown_text(const Document& document) { return page_text(document, {}); }

std::string markdown_page(const Document& document, const std::filesystem::path& folder) {
  support::make_folders(folder);
  return page_text(document, folder);
}

}  // namespace cubicbench::results
