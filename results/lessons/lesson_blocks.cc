#include "results/lessons/lesson_blocks.h"

#include <algorithm>
#include <cstddef>

#include "results/document/bars.h"
#include "results/document/paragraph.h"
#include "results/document/series_look.h"
#include "results/lessons/lesson_figure.h"
#include "support/input_error.h"

namespace cubicbench::results {
namespace {

using support::InputError;
using Lines = std::vector<SourceLine>;

constexpr std::string_view fence = "```";

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return std::string(text.substr(begin, text.find_last_not_of(' ') + 1 - begin));
}

/// What opens a line of that kind of block; "" for a paragraph.
std::string_view opening(const std::string& line) {
  for (const std::string_view sign : {"    ", "- ", "> ", "| "}) {
    if (line.starts_with(sign)) return sign;
  }
  return "";
}

std::string joined_text(const Lines& lines, const LessonValues& values, std::size_t skipped) {
  std::string text;
  for (const SourceLine& line : lines) {
    text += (text.empty() ? "" : " ") + trimmed(line.text.substr(skipped));
  }
  return values.filled(text, lines.front().where);
}

Command command_of(const Lines& lines, const LessonValues& values) {
  std::string text;
  for (const SourceLine& line : lines) {
    text += values.filled(line.text.substr(4), line.where) + "\n";
  }
  return {text};
}

Bullets bullets_of(const Lines& lines, const LessonValues& values) {
  Bullets bullets;
  for (std::size_t begin = 0; begin < lines.size();) {
    std::size_t end = begin + 1;
    while (end < lines.size() && !lines[end].text.starts_with("- ")) ++end;
    const Lines item(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                     lines.begin() + static_cast<std::ptrdiff_t>(end));
    bullets.items.push_back(joined_text(item, values, 2));
    begin = end;
  }
  return bullets;
}

std::vector<std::string> cells_in(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 1; at < line.size();) {
    const std::size_t end = std::min(line.find('|', at), line.size());
    cells.push_back(trimmed(std::string_view(line).substr(at, end - at)));
    at = end + 1;
  }
  return cells;
}

Table table_of(const Lines& lines, const LessonValues& values) {
  if (lines.size() < 3) throw InputError(lines.front().where, "expected a table's rule and rows");
  Table table;
  const std::vector<std::string> rules = cells_in(lines[1].text);
  for (const std::string& heading : cells_in(lines[0].text)) {
    if (heading.empty()) throw InputError(lines[0].where, "expected a heading of each column");
    const bool right =
        table.columns.size() < rules.size() && rules[table.columns.size()].ends_with(':');
    table.columns.push_back({.key = heading,
                             .heading = values.filled(heading, lines[0].where),
                             .show = right ? Show::figure : Show::text});
  }
  for (std::size_t i = 2; i < lines.size(); ++i) {
    std::vector<Cell> row;
    for (const std::string& cell : cells_in(lines[i].text)) {
      row.emplace_back(values.filled(cell, lines[i].where));
    }
    if (row.size() != table.columns.size()) {
      throw InputError(lines[i].where, "expected as many cells as the table has columns");
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// Amounts of one kind with a bar each; the longest bar is the largest of them.
struct BarChart {
  struct Row {
    std::string label;
    std::string value;   ///< with its unit
    double share = 0.0;  ///< of the largest
  };
  std::string title;
  std::vector<Row> rows{};
};

BarChart chart_of(const std::string& title, const Lines& lines, const LessonValues& values) {
  BarChart chart{.title = title};
  double greatest = 0.0;
  for (const SourceLine& line : lines) {
    const std::size_t equals = line.text.find(" = ");
    const std::size_t as = line.text.rfind(" as ");
    if (equals == std::string::npos || as == std::string::npos || as < equals) {
      throw InputError(line.where, "expected LABEL = FORMULA as FORMAT");
    }
    const std::string formula = line.text.substr(equals + 3, as - equals - 3);
    const double amount = values.number(formula, line.where);
    chart.rows.push_back(
        {.label = values.filled(line.text.substr(0, equals), line.where),
         .value = LessonValues::shown(amount, line.text.substr(as + 4), line.where),
         .share = amount});
    greatest = std::max(greatest, amount);
  }
  for (BarChart::Row& row : chart.rows) row.share /= greatest > 0.0 ? greatest : 1.0;
  return chart;
}

/// Its lines: a label, a value and a bar each, no wider than a terminal where labels allow it.
std::string chart_text(const BarChart& chart) {
  constexpr int longest_bar = 30;
  constexpr int shortest_bar = 8;
  constexpr int spaces = 6;  ///< between columns, and where the lines are set in
  std::size_t label_columns = 0;
  std::size_t value_columns = 0;
  for (const BarChart::Row& row : chart.rows) {
    label_columns = std::max(label_columns, columns_of(row.label));
    value_columns = std::max(value_columns, columns_of(row.value));
  }
  const int left = text_columns - spaces - static_cast<int>(label_columns + value_columns);
  const int bar_columns = std::clamp(left, shortest_bar, longest_bar);
  std::string text;
  for (const BarChart::Row& row : chart.rows) {
    text += row.label + padding(row.label, label_columns) + "  " +
            padding(row.value, value_columns) + row.value + "  " +
            bar(row.share, bar_columns, Ink::plain) + "\n";
  }
  return text;
}

Table chart_table(const BarChart& chart) {
  Table table{
      .columns = {{.key = "label", .heading = "what"}, {.key = "bar", .heading = chart.title}}};
  for (const BarChart::Row& row : chart.rows) {
    const ShareBar bar{.parts = {{.label = row.label,
                                  .group = chart.title,
                                  .color = look_of(0).color,
                                  .share = row.share}},
                       .words = row.value};
    table.rows.push_back({row.label, bar});
  }
  return table;
}

std::vector<Block> chart_blocks(const BarChart& chart) {
  const Paragraph title{.text = chart.title + ":"};
  const Command lines{chart_text(chart)};
  return {{title, Media::terminal},
          {lines, Media::terminal},
          {title, Media::markdown},
          {lines, Media::markdown},
          {chart_table(chart), Media::html}};
}

std::vector<Block> drawing_blocks(const Drawing& drawing) {
  return {{drawing, Media::written}, {points_table(drawing), Media::terminal}};
}

/// What `cubicbench timeline` draws: in a terminal the command. `asked` is a name of the picture,
/// the scenario and its settings; the lines inside are the caption.
std::vector<Block> timeline_blocks(const std::string& asked, const Lines& lines,
                                   const LessonValues& values) {
  const std::size_t space = std::min(asked.find(' '), asked.size());
  const std::string name = asked.substr(0, space);
  const std::string line = "timeline" + asked.substr(space);
  const std::string caption = joined_text(lines, values, 0);
  const Picture picture{
      .svg = values.drawn(line), .label = "Timeline of one step", .caption = caption, .stem = name};
  const Command command{"cubicbench " + line + " --out " + name + ".svg\n"};
  return {{picture, Media::written},
          {Paragraph{.text = caption}, Media::terminal},
          {command, Media::everywhere}};
}

std::vector<Block> fenced(const SourceLine& head, const Lines& lines, const LessonValues& values) {
  const std::string words = head.text.substr(fence.size());
  const std::size_t space = std::min(words.find(' '), words.size());
  const std::string kind = words.substr(0, space);
  const std::string rest = trimmed(std::string_view(words).substr(space));
  if (kind == "bars") {
    return chart_blocks(chart_of(values.filled(rest, head.where), lines, values));
  }
  if (kind == "curves") return drawing_blocks(drawing_of(rest, lines, values));
  if (kind == "timeline") return timeline_blocks(rest, lines, values);
  if (kind != "prints") {
    throw InputError(head.where,
                     "expected bars, curves, timeline or prints, got " + support::in_quotes(kind));
  }
  std::vector<std::string> beginnings;
  for (const SourceLine& line : lines) beginnings.push_back(trimmed(line.text));
  return {{Command{values.printed(rest, beginnings, head.where)}}};
}

BlockContent plain(const Lines& lines, const LessonValues& values) {
  const std::string_view sign = opening(lines.front().text);
  if (sign == "    ") return command_of(lines, values);
  if (sign == "- ") return bullets_of(lines, values);
  if (sign == "| ") return table_of(lines, values);
  return Paragraph{.text = joined_text(lines, values, sign.size()), .note = sign == "> "};
}

}  // namespace

std::vector<Block> blocks_of(const Lines& lines, const LessonValues& values) {
  std::vector<Block> blocks;
  for (std::size_t at = 0; at < lines.size();) {
    if (trimmed(lines[at].text).empty()) {
      ++at;
      continue;
    }
    const bool is_fenced = lines[at].text.starts_with(fence);
    std::size_t end = at + 1;
    while (end < lines.size() &&
           (is_fenced ? lines[end].text != fence : !trimmed(lines[end].text).empty())) {
      ++end;
    }
    if (is_fenced && end == lines.size())
      throw InputError(lines[at].where, "expected a closing ```");
    const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(at);
    const auto stop = lines.begin() + static_cast<std::ptrdiff_t>(end);
    if (is_fenced) {
      const std::vector<Block> of = fenced(*begin, Lines(begin + 1, stop), values);
      blocks.insert(blocks.end(), of.begin(), of.end());
    } else {
      blocks.push_back({plain(Lines(begin, stop), values)});
    }
    at = is_fenced ? end + 1 : end;
  }
  return blocks;
}

}  // namespace cubicbench::results
