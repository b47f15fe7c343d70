#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "results/document/document.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// Where a section on searches is.
struct SearchSection {
  std::string id;         ///< of the section on its page, and prefix of the ids in its figures
  std::string heading{};  ///< before the problem's name; "" for the name alone
  std::string file_stem;  ///< of its files: STEM.svg, STEM.csv, STEM.regret.svg and so on
  /// The problem outlives the document, whose files of numbers need then not be held in memory.
  bool streams = false;
};

/// The studies of one scenario and instance: the figure, how each searcher did, regret by what is
/// known of the space, what failures cost, and the best configuration of each.
void add_search_section(const SearchedProblem& problem, const SearchSection& section,
                        Document& document);

/// What problems were made with.
struct ReportOptions {
  CurveOptions curves;
  GivenSpaces given{};
};

/// The page OUT.html on searches: what was asked for, a section per scenario and instance, and how
/// to make it again. Its files are, for each scenario and instance, OUT.SCENARIO.svg and .csv, and
/// where the optimum is known OUT.SCENARIO.regret.svg and .csv; where a scenario has several
/// instances theirs follows it. Equal studies, options and names of folders and file give equal
/// bytes. `problems` are those of the set, and outlive the document.
Document report_document(const search::StudySet& set, const std::vector<SearchedProblem>& problems,
                         const std::filesystem::path& out_html, const ReportOptions& options);

/// `problems` of `report --json`: every scenario and instance with its optimum, or why it is not
/// known, and a row of series_fields() per series.
nlohmann::ordered_json problems_json(const std::vector<SearchedProblem>& problems);

}  // namespace cubicbench::results
