#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "results/document/document.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// What problems were made with.
struct ReportOptions {
  CurveOptions curves;
  GivenSpaces given{};
};

/// The page OUT.html on searches: what was asked for, a section per scenario and instance, and how
/// to make it again. Its files are, for each scenario and instance, OUT.SCENARIO.svg and .csv, and
/// where the optimum is known OUT.SCENARIO.regret.svg and .csv; where a scenario has several
/// instances theirs follows it. Equal studies, options and names of folders and file give equal
/// bytes. `problems` are those of the set.
Document report_document(const StudySet& set, const std::vector<SearchedProblem>& problems,
                         const std::filesystem::path& out_html, const ReportOptions& options);

/// `problems` of `report --json`: every scenario and instance with its optimum, or why it is not
/// known, and a row of series_fields() per series.
nlohmann::ordered_json problems_json(const std::vector<SearchedProblem>& problems);

}  // namespace cubicbench::results
