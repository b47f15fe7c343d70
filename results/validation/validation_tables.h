#pragma once

#include <string>
#include <vector>

#include "results/document/cell_text.h"
#include "results/layout/html_table.h"
#include "results/validation/crossovers.h"
#include "results/validation/row_groups.h"
#include "results/validation/summary.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// A table of plain text, for a page and for Markdown alike.
struct ReportTable {
  std::vector<HtmlColumn> columns;
  std::vector<std::vector<std::string>> rows;
};

/// What stands in a cell without a figure: an en dash.
inline constexpr const char* no_figure = "\xE2\x80\x93";

/// Whether a source is none of the tables that ship, so that nothing was fitted to it.
bool has_own_sources(const Summaries& summaries);

/// Errors of step times, a line a source of training runs, and one of all runs. Whether constants
/// were fitted to its rows stands beside each.
ReportTable sources_table(const Validation& validation, const Summaries& summaries);
/// The same of the named parts; where a source is one's own, nothing is said of what was fitted.
ReportTable parts_table(const Validation& validation, const Summaries& summaries);
/// Errors of collectives by size, a line a source, and one of all; no line without a
/// source.
ReportTable collectives_table(const Validation& validation, const Summaries& summaries);
/// Where collectives change from latency to bandwidth, a line a curve, the one that is furthest off
/// first.
ReportTable crossovers_table(const std::vector<Crossover>& crossovers);
/// Verdicts on memory, and errors of memory: a line a source that says something of either.
ReportTable verdicts_table(const Summaries& summaries);
ReportTable memory_table(const Summaries& summaries);
/// Runs slower than three times the simulation, a line a source with how many and how slow.
ReportTable hung_table(const Validation& validation);
/// Why rows are skipped, the most frequent reason first, with the sources.
ReportTable skipped_table(const Validation& validation);
/// Why rows are not wanted.
ReportTable excluded_table(const Validation& validation);
/// How well runs are ordered: a line a source with groups, and one of all.
ReportTable ranks_table(const Summaries& summaries);
/// A line a group, see ranked_groups(); the one with the least tau first.
ReportTable groups_table(const std::vector<RankedGroup>& groups);

}  // namespace cubicbench::results
