#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "results/regret/known_spaces.h"
#include "results/studies/searcher_curves.h"
#include "results/studies/study_set.h"

namespace cubicbench::results {

/// What a page is to look like.
struct ReportOptions {
  CurveOptions curves;
  KnownSpaces spaces{};                 ///< what regret is measured by
  std::string title = "Search report";  ///< its heading
  /// The commands that made the studies; empty: those that search_commands() finds.
  std::vector<std::string> commands;
};

/// Writes the page OUT.html and beside it, for each scenario and instance, the figure and its
/// numbers: OUT.SCENARIO.svg and OUT.SCENARIO.csv, and where the optimum is known those of regret:
/// OUT.SCENARIO.regret.svg and .csv; where a scenario has several instances theirs follows it.
/// Characters of a scenario's name that file names do not have become '-'.
///
/// Equal studies, options and names of folders and file give equal bytes. The folder of the page is
/// made when it is not there. Each file is replaced as a whole, the page last. Returns the names of
/// the files without their folder, the page first. Throws OutputError when a file cannot be written
/// or gnuplot is missing.
std::vector<std::string> write_report(const StudySet& set, const std::filesystem::path& out_html,
                                      const ReportOptions& options = {});

}  // namespace cubicbench::results
