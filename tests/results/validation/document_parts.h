#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "results/document/cell_text.h"
#include "results/document/document.h"
#include "results/document/html.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"

namespace cubicbench::results {

/// Table `number` of the section with this id; an empty one, and a failure, without such a table.
inline Table table_under(const Document& document, std::string_view id, std::size_t number = 0) {
  bool inside = false;
  for (const Block& block : document.blocks) {
    if (const auto* heading = std::get_if<Heading>(&block.content);
        heading && heading->level == 2) {
      inside = heading->id == id;
    }
    const auto* const table = std::get_if<Table>(&block.content);
    if (inside && table && number-- == 0) return *table;
  }
  ADD_FAILURE() << "no such table under " << id;
  return {};
}

/// What people read in a row: only columns that they see.
inline std::vector<std::string> texts_of(const Table& table, std::size_t row) {
  std::vector<std::string> texts;
  if (row >= table.rows.size()) return texts;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (column.heading.empty()) continue;
    texts.push_back(cell_text(table.rows[row][i], column.show, Spacing::roomy));
  }
  return texts;
}

/// What people read in a column.
inline std::vector<std::string> column_of(const Table& table, std::string_view key) {
  const auto found = std::ranges::find(table.columns, key, &Column::key);
  EXPECT_NE(found, table.columns.end()) << key;
  if (found == table.columns.end()) return {};
  std::vector<std::string> texts;
  for (const std::vector<Cell>& row : table.rows) {
    const Cell& cell = row[static_cast<std::size_t>(found - table.columns.begin())];
    texts.push_back(cell_text(cell, found->show, Spacing::roomy));
  }
  return texts;
}

inline Drawing drawing_of(const Document& document, std::string_view stem) {
  for (const Block& block : document.blocks) {
    const auto* const drawing = std::get_if<Drawing>(&block.content);
    if (drawing && drawing->stem == stem) return *drawing;
    const auto* const gallery = std::get_if<Gallery>(&block.content);
    if (!gallery) continue;
    const auto found = std::ranges::find(gallery->drawings, stem, &Drawing::stem);
    if (found != gallery->drawings.end()) return *found;
  }
  ADD_FAILURE() << "no drawing " << stem;
  return {};
}

/// A file beside the page that no figure has.
inline std::string file_of(const Document& document, std::string_view name) {
  for (const Block& block : document.blocks) {
    const auto* const links = std::get_if<Links>(&block.content);
    if (!links) continue;
    for (const Links::File& of : links->files) {
      if (of.file.name == name) return of.file.text;
    }
  }
  ADD_FAILURE() << "no file " << name;
  return "";
}

}  // namespace cubicbench::results
