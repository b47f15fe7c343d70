#include "results/leaderboard/leaderboard.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "results/comparison/compared_side.h"
#include "results/comparison/reference_side.h"
#include "results/document/html.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"
#include "results/leaderboard/board_document.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using results::ComparedSide;

struct LeaderboardAsked {
  std::vector<std::string> entries;
  bool only = false;
  std::optional<fs::path> out;
  std::optional<fs::path> markdown;
  GlobalOptions global;
};

void declare_leaderboard(Options& options, LeaderboardAsked& asked) {
  options.arguments("ENTRY",
                    "Folders of searches, all their searchers, or references\nas compare reads "
                    "them; beside the references that ship",
                    asked.entries);
  options.flag("--only", "Leave out the references that ship", asked.only);
  options
      .value("--out", "FILE.html", "Also write a page, with its figures beside it", asked.out,
             FileEnding{".html"})
      .writes(Output::file_with_folder);
  options
      .value("--markdown", "FILE.md",
             "Also write it as Markdown, with its figures in a folder\nbeside it", asked.markdown,
             FileEnding{".md"})
      .writes(Output::markdown_page);
}

void add_entries(const std::string& entry, int threads, std::vector<ComparedSide>& sides) {
  if (results::is_reference(entry)) {
    sides.push_back(results::read_reference(entry));
    return;
  }
  for (const std::string& searcher : results::searchers_in(entry)) {
    sides.push_back(
        results::read_side({.folder = entry, .searcher = searcher, .threads = threads}, {}));
    if (!sides.back().is_warm) continue;
    throw support::InputError(
        entry, "expected a search that was told nothing before, got one with --warm-start");
  }
}

/// One leaderboard per start that an entry has; the one from the baseline comes first.
std::vector<results::Leaderboard> boards_of(const LeaderboardAsked& asked) {
  std::vector<ComparedSide> named;
  for (const std::string& entry : asked.entries) add_entries(entry, asked.global.threads, named);
  std::vector<results::Leaderboard> boards;
  for (const std::string start : {"baseline", "none"}) {
    std::vector<ComparedSide> sides;
    if (!asked.only) sides = results::shipped_references(start);
    for (const ComparedSide& side : named) {
      if (side.start == start) sides.push_back(side);
    }
    if (!sides.empty()) boards.push_back(results::leaderboard_of(sides));
  }
  if (boards.empty()) {
    throw support::InputError("leaderboard", "expected an ENTRY beside --only, got none");
  }
  return boards;
}

Reply answer(const LeaderboardAsked& asked, const results::Screen& screen) {
  const std::vector<results::Leaderboard> boards = boards_of(asked);
  const results::Document document = results::board_document(boards);
  if (asked.out) results::write_page(document, *asked.out);
  if (asked.markdown) {
    const fs::path folder = asked.markdown->parent_path() / asked.markdown->stem();
    support::write_file_atomic(*asked.markdown, results::markdown_page(document, folder));
  }
  return asked.global.json ? support::document_text(results::board_json(boards))
                           : results::terminal_text(document, screen);
}

}  // namespace

Command leaderboard_command() { return command(words::leaderboard, declare_leaderboard, answer); }

}  // namespace cubicbench::cli
