#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "results/document/bars.h"
#include "results/document/figure.h"
#include "results/document/file_pieces.h"
#include "results/document/table.h"

namespace cubicbench::results {

/// Which forms of a document have a block.
enum class Media : std::uint8_t {
  terminal = 1,
  markdown = 2,
  html = 4,
  written = markdown | html,  ///< what is read at leisure
  everywhere = terminal | markdown | html,
};

constexpr bool includes(Media media, Media one) {
  return (static_cast<unsigned>(media) & static_cast<unsigned>(one)) != 0;
}

/// A file beside a page.
struct PageFile {
  std::string name;  ///< without a folder
  std::string text{};
  FilePieces pieces{};  ///< where there are any, the content instead of `text`
};

// Blocks. All texts are plain: renderers escape, wrap and pad them.

struct Heading {
  std::string text;
  std::string id{};  ///< letters, digits, '-'; begins a section that links can lead to
  int level = 2;
};

struct Paragraph {
  std::string text;
  bool note = false;  ///< set apart from what is told
};

/// Lines to be copied into a shell, or other text whose line breaks count.
struct Command {
  std::string text;
};

struct Bullets {
  std::vector<std::string> items;
};

/// Names with what is to be said of each.
struct Facts {
  std::vector<std::pair<std::string, std::string>> items;
};

/// Amounts with a bar each, for terminals.
struct Bars {
  std::vector<BarRow> rows;
};

/// A figure with its drawing and its numbers beside the page, as `stem`.svg and `stem`.csv.
struct Drawing {
  Figure figure;
  std::string heading{};  ///< above it, where figures stand side by side
  std::string label{};    ///< for those who do not see it; "" for the figure's title
  std::string caption;
  std::string stem;
  std::string csv{};
  FilePieces csv_pieces{};  ///< where there are any, the numbers instead of `csv`
};

/// A picture that brings its own colours, light and dark, with its numbers beside the page.
struct Picture {
  std::string svg;
  std::string label;  ///< for those who do not see it
  std::string caption{};
  std::string stem;
  std::string csv{};  ///< "" where there are none
};

/// Figures side by side where there is room.
struct Gallery {
  std::vector<Drawing> drawings;
};

/// Files beside the page, each behind its words.
struct Links {
  struct File {
    PageFile file;
    std::string words;
  };
  std::vector<File> files;
  std::string lead{};  ///< what stands before them
};

struct Folded;

using BlockContent = std::variant<Heading, Paragraph, Command, Bullets, Facts, Bars, Table, Drawing,
                                  Picture, Gallery, Links, Folded>;

struct Block;

/// Blocks that a reader opens by their summary.
struct Folded {
  std::string summary;
  std::vector<Block> blocks;
};

struct Block {
  BlockContent content;
  Media media = Media::everywhere;
};

/// What a command has to say to people: made once, shown in a terminal, as Markdown and as a page.
/// What it says to programs are the same tables, as JSON and CSV.
struct Document {
  std::string title;
  std::vector<Block> blocks{};
  bool contents = false;  ///< a page begins with links to its sections

  void add(BlockContent content, Media media = Media::everywhere);
  void add(const Document& other);
};

}  // namespace cubicbench::results
