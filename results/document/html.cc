#include "results/document/html.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "results/document/small_multiples.h"
#include "results/document/tooltips.h"
#include "sim/base/check.h"
#include "support/characters.h"
#include "support/files.h"

namespace cubicbench::results {
namespace {

std::string tagged(std::string_view tag, std::string_view text) {
  return "<" + std::string(tag) + ">" + escaped(text) + "</" + std::string(tag) + ">";
}

/// A number and its per cent sign stay together, which a space that breaks lines would part.
std::string prose(std::string_view text) {
  constexpr std::string_view no_break_space = "\xC2\xA0";
  std::string html = escaped(text);
  for (std::size_t at = 1; (at = html.find(" %", at)) != std::string::npos; ++at) {
    if (support::is_digit(html[at - 1])) html.replace(at, 1, no_break_space);
  }
  return html;
}

std::string link(std::string_view target, std::string_view words) {
  return "<a href=\"" + escaped(target) + "\">" + escaped(words) + "</a>";
}

/// Parts of one group stand beside one another, in the order in which groups first come.
std::string bar_html(const ShareBar& bar) {
  std::vector<std::string_view> groups;
  for (const ShareBar::Part& part : bar.parts) {
    if (std::ranges::find(groups, part.group) == groups.end()) groups.push_back(part.group);
  }
  std::string rects;
  double at = 0.0;
  for (const std::string_view group : groups) {
    for (const ShareBar::Part& part : bar.parts) {
      if (part.group != group) continue;
      rects += "<rect x=\"" + fixed(100.0 * at, 2) + "\" y=\"0\" width=\"" +
               fixed(100.0 * part.share, 2) + "\" height=\"6\" fill=\"" + escaped(part.color) +
               "\">" + tagged("title", part.label + " " + percent(part.share)) + "</rect>";
      at += part.share;
    }
  }
  if (rects.empty()) return escaped(bar.words);
  return "<svg viewBox=\"0 0 100 6\" role=\"img\" aria-label=\"shares\">" + rects + "</svg>" +
         escaped(bar.words);
}

/// Of a text that is read as a number, what stands behind it in brackets is set apart.
std::string figure_html(const std::string& text) {
  const std::size_t at = text.find(" (");
  if (at == std::string::npos || at == 0 || !text.ends_with(')')) return escaped(text);
  return "<span>" + escaped(text.substr(0, at)) + "</span> <small>" + escaped(text.substr(at + 1)) +
         "</small>";
}

/// Has it a word that may break anywhere, so that it does not cut other columns off?
bool has_long_word(std::string_view text) {
  constexpr std::size_t long_columns = 21;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (columns_of(text.substr(at, end - at)) > long_columns) return true;
    at = end + 1;
  }
  return false;
}

std::string cell_html(const Column& column, const Cell& cell, bool best) {
  if (const auto* const bar = std::get_if<ShareBar>(&cell.value())) {
    return "<td class=\"shares\">" + bar_html(*bar) + "</td>";
  }
  const std::string text = cell_text(cell, column.show, Spacing::roomy);
  const std::string html = column.show == Show::figure ? figure_html(text) : escaped(text);
  const std::string text_cell = has_long_word(text) ? "<td class=\"long\">" : "<td>";
  return (column.show == Show::text ? text_cell : "<td class=\"number\">") +
         (best ? "<b>" + html + "</b>" : html) + "</td>";
}

std::string heading_html(const Column& column) {
  std::string html = column.show == Show::text ? "<th" : "<th class=\"number\"";
  if (!column.help.empty()) html += " title=\"" + escaped(column.help) + "\"";
  return html + ">" + prose(heading_text(column)) + "</th>";
}

std::string rows_html(const Table& table, std::size_t begin, std::size_t end) {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr>";
  const std::vector<std::size_t> columns = shown_columns(table);
  std::vector<std::vector<std::size_t>> best(table.columns.size());
  for (const std::size_t i : columns) {
    html += heading_html(table.columns[i]);
    best[i] = best_rows(table, i);
  }
  html += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = begin; row < end; ++row) {
    SIM_ASSERT(table.rows[row].size() == table.columns.size(), row);
    html += "<tr>";
    for (const std::size_t i : columns) {
      const bool is_best = std::ranges::find(best[i], row) != best[i].end();
      html += cell_html(table.columns[i], table.rows[row][i], is_best);
    }
    html += "</tr>\n";
  }
  return html + "</tbody></table></div>\n";
}

/// What the colours of a table's bars mean; "" where there are none.
std::string legend_html(const Table& table) {
  std::map<std::string_view, std::string_view> colors;
  for (const std::vector<Cell>& row : table.rows) {
    for (const Cell& cell : row) {
      const auto* const bar = std::get_if<ShareBar>(&cell.value());
      if (bar == nullptr) continue;
      for (const ShareBar::Part& part : bar->parts) colors.emplace(part.group, part.color);
    }
  }
  if (colors.empty()) return "";
  std::string html = "<p class=\"note\">Colours:";
  for (const auto& [group, color] : colors) {
    html += " <span class=\"swatch\" style=\"background:" + escaped(color) + "\"></span> " +
            escaped(group);
  }
  return html + "</p>\n";
}

std::string table_html(const Table& table) {
  const std::size_t shown = std::min(table.rows.size(), table.shown);
  std::string html = legend_html(table) + rows_html(table, 0, shown);
  if (shown == table.rows.size()) return html;
  return html + "<details>\n<summary>" + grouped(table.rows.size() - shown) + " more</summary>\n" +
         rows_html(table, shown, table.rows.size()) + "</details>\n";
}

/// The SVG as part of a page: without the XML declaration, and with a name for those who listen.
std::string inlined(std::string_view svg, std::string_view label) {
  const std::size_t at = svg.find("<svg");
  if (at == std::string_view::npos) return "";
  return "<svg role=\"img\" aria-label=\"" + escaped(label) + "\"" +
         std::string(svg.substr(at + 4));
}

/// As a part of an address [RFC 3986, section 2.1]: what ends an attribute or means something
/// there.
std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    if (std::string_view("%#<>\"'&\n").find(c) == std::string_view::npos) {
      encoded += c;
    } else {
      encoded += "%" + support::hex_of(c);
    }
  }
  return encoded;
}

/// The sentences of a caption that fit into what is read at a glance, at least one, and the others.
std::pair<std::string, std::string> caption_parts(const std::string& caption) {
  constexpr std::ptrdiff_t words_max = 60;
  std::size_t end = caption.size();
  for (std::size_t stop = caption.find(". "); stop != std::string::npos;
       stop = caption.find(". ", stop + 1)) {
    if (!std::isupper(static_cast<unsigned char>(caption[stop + 2]))) continue;
    const bool fits =
        std::count(caption.begin(), caption.begin() + static_cast<std::ptrdiff_t>(stop), ' ') <
        words_max;
    if (fits || end == caption.size()) end = stop + 1;
    if (!fits) break;
  }
  if (std::ranges::count(caption, ' ') < words_max || end == caption.size()) return {caption, ""};
  return {caption.substr(0, end), caption.substr(end + 1)};
}

/// By how a figure is scaled and set beside others.
const char* class_of(const Figure& figure) {
  if (needs_panels(figure)) return "grid";
  if (figure.shape == FigureShape::panel) return "panel";
  return figure.shape == FigureShape::square ? "square" : "curves";
}

/// The page under work: blocks add text and files.
class Writer {
 public:
  void add(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      if (includes(block.media, Media::html)) {
        std::visit([this](const auto& content) { write(content); }, block.content);
      }
    }
  }

  void close_section() {
    if (in_section_) body_ += "</section>\n";
    in_section_ = false;
  }

  /// Its `html` is what stands between the title and the end.
  Page page() && { return {.html = std::move(body_), .files = std::move(files_)}; }

 private:
  void write(const Heading& heading) {
    if (heading.level <= 2) close_section();
    if (!heading.id.empty() && heading.level <= 2) {
      body_ += "<section id=\"" + escaped(heading.id) + "\">\n";
      in_section_ = true;
    }
    body_ += tagged("h" + std::to_string(heading.level), heading.text) + "\n";
  }
  void write(const Paragraph& of) {
    if (of.text.empty()) return;
    body_ += (of.note ? "<p class=\"note\">" : "<p>") + prose(of.text) + "</p>\n";
  }
  void write(const Command& command) { body_ += tagged("pre", command.text) + "\n"; }
  void write(const Bullets& bullets) {
    if (bullets.items.empty()) return;
    body_ += "<ul>\n";
    for (const std::string& item : bullets.items) body_ += tagged("li", item) + "\n";
    body_ += "</ul>\n";
  }
  void write(const Facts& facts) {
    body_ += "<dl>\n";
    for (const auto& [name, text] : facts.items)
      body_ += tagged("dt", name) + tagged("dd", text) + "\n";
    body_ += "</dl>\n";
  }
  void write(const Table& table) {
    if (!table.rows.empty()) body_ += table_html(table);
  }
  void write(const Bars& /*bars*/) {}
  void write(const Drawing& drawing) {
    const std::string svg = svg_of(drawing.figure);
    const std::string svg_file = drawing.stem + ".svg";
    const std::string csv_file = drawing.stem + ".csv";
    const auto [first, rest] = caption_parts(drawing.caption);
    // One among others can be linked to; one alone is in a section of its own.
    const std::string id =
        drawing.heading.empty() ? "" : " id=\"" + escaped(drawing.figure.name) + "\"";
    body_ += "<figure" + id + " class=\"" + std::string(class_of(drawing.figure)) + "\">\n" +
             (drawing.heading.empty() ? "" : tagged("h4", drawing.heading) + "\n") +
             "<div class=\"wide\">" +
             inlined(svg, drawing.label.empty() ? drawing.figure.title : drawing.label) +
             "</div>\n<figcaption>" + prose(first) + " " + link(svg_file, "Figure as SVG") + ", " +
             link(csv_file, "every number as CSV") + "." +
             (rest.empty() ? ""
                           : "<details>" + tagged("summary", "How to read this") + prose(rest) +
                                 "</details>") +
             "</figcaption>\n</figure>\n";
    files_.push_back({svg_file, svg});
    files_.push_back({csv_file, drawing.csv, drawing.csv_pieces});
  }
  /// As an image: its style rules are for it alone.
  void write(const Picture& picture) {
    const std::string svg_file = picture.stem + ".svg";
    body_ += "<figure>\n<div class=\"wide\"><img alt=\"" + escaped(picture.label) +
             "\" src=\"data:image/svg+xml," + percent_encoded(picture.svg) +
             "\"/></div>\n<figcaption>" + prose(picture.caption) + " " +
             link(svg_file, "Picture as SVG");
    files_.push_back({svg_file, picture.svg});
    if (!picture.csv.empty()) {
      body_ += ", " + link(picture.stem + ".csv", "every number as CSV");
      files_.push_back({picture.stem + ".csv", picture.csv});
    }
    body_ += ".</figcaption>\n</figure>\n";
  }
  void write(const Gallery& gallery) {
    const bool small = std::ranges::all_of(gallery.drawings, [](const Drawing& drawing) {
      return drawing.figure.shape == FigureShape::panel;
    });
    body_ += small ? "<div class=\"figures panels\">\n" : "<div class=\"figures\">\n";
    for (const Drawing& drawing : gallery.drawings) write(drawing);
    body_ += "</div>\n";
  }
  void write(const Links& links) {
    std::string words;
    for (const Links::File& of : links.files) {
      words += (words.empty() ? "" : ", ") + link(of.file.name, of.words);
      files_.push_back(of.file);
    }
    body_ += "<p>" + escaped(links.lead) + (links.lead.empty() ? "" : " ") + words + "</p>\n";
  }
  void write(const Folded& folded) {
    body_ += "<details>\n" + tagged("summary", folded.summary) + "\n";
    add(folded.blocks);
    body_ += "</details>\n";
  }

  std::string body_;
  std::vector<PageFile> files_;
  bool in_section_ = false;
};

std::string contents_html(const Document& document) {
  std::string html = "<nav><ul>\n";
  for (const Block& block : document.blocks) {
    const auto* const heading = std::get_if<Heading>(&block.content);
    if (heading == nullptr || heading->id.empty() || !includes(block.media, Media::html)) continue;
    html += "<li>" + link("#" + heading->id, heading->text) + "</li>\n";
  }
  return html + "</ul></nav>\n";
}

}  // namespace

std::string escaped(std::string_view text) {
  static const std::map<char, std::string_view> references{
      {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
  std::string result;
  for (const char c : text) {
    if (const auto found = references.find(c); found != references.end()) {
      result += found->second;
    } else if (support::is_control(c) && c != '\n' && c != '\t') {
      result += "\xEF\xBF\xBD";
    } else {
      result += c;
    }
  }
  return result;
}

Page page_part(const Document& document) {
  Writer writer;
  writer.add(document.blocks);
  writer.close_section();
  return std::move(writer).page();
}

std::string page_around(const std::string& title, std::string_view style, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
         "'unsafe-inline'; img-src data:\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n" +
         tagged("title", title) + "\n<style>" + std::string(page_style) + std::string(style) +
         "</style>\n</head>\n<body>\n" + with_tooltips(body) + "</body>\n</html>\n";
}

Page page_of(const Document& document) {
  Page page = page_part(document);
  page.html = page_around(document.title, "",
                          (document.contents ? contents_html(document) : "") + "<main>\n" +
                              tagged("h1", document.title) + "\n" + page.html + "</main>\n");
  return page;
}

void write_file(const std::filesystem::path& path, const PageFile& file) {
  if (!file.pieces) return support::write_file_atomic(path, file.text);
  support::StreamedFile written(path);
  file.pieces([&](std::string_view piece) { written.add(piece); });
  written.keep();
}

std::vector<std::string> write_page(const Document& document, const std::filesystem::path& path) {
  const Page page = page_of(document);
  support::make_folders(path.parent_path());
  std::vector<std::string> written{path.filename().string()};
  for (const PageFile& file : page.files) {
    write_file(path.parent_path() / file.name, file);
    written.push_back(file.name);
  }
  support::write_file_atomic(path, page.html);
  return written;
}

}  // namespace cubicbench::results
