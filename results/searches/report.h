#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "results/document/document.h"
#include "results/regret/known_spaces.h"
#include "results/studies/searcher_curves.h"

namespace cubicbench::results {

struct ReportOptions {
  CurveOptions curves;
  KnownSpaces spaces{};  ///< what regret is measured by
};

/// The page OUT.html on searches: what was asked for, a section per scenario and instance, and how
/// to make it again. Its files are, for each scenario and instance, OUT.SCENARIO.svg and .csv, and
/// where the optimum is known OUT.SCENARIO.regret.svg and .csv; where a scenario has several
/// instances theirs follows it. Equal studies, options and names of folders and file give equal
/// bytes.
Document report_document(const StudySet& set, const std::filesystem::path& out_html,
                         const ReportOptions& options = {});

/// `problems` of `report --json`: every scenario and instance with its optimum, or why it is not
/// known, and a row of series_fields() per series.
nlohmann::ordered_json problems_json(const StudySet& set, const ReportOptions& options = {});

}  // namespace cubicbench::results
