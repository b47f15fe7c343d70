#include <algorithm>

#include "results/document/csv.h"
#include "results/validation/rank_agreement.h"
#include "results/validation/validation_sections.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t groups_shown = 25;

/// The least tau first; the table of the CSV has them as they first appear.
void add_groups(std::vector<RankedGroup> groups, Document& document) {
  const std::string csv = csv_of(table_of<RankedGroup>(groups, group_fields()));
  if (!groups.empty()) {
    std::ranges::stable_sort(groups, {}, &RankedGroup::tau);
    Table table = table_of<RankedGroup>(groups, group_fields());
    table.shown = groups_shown;
    document.add(Heading{.text = "Group by group", .level = 3}, Media::html);
    document.add(std::move(table), Media::html);
  }
  document.add(Links{{{{"groups.csv", csv}, "Groups as CSV"}}});
}

}  // namespace

void add_ranks(const Validation& validation, const Summaries& summaries, Document& document) {
  if (!summaries.overall.has_runs) return;
  const Table table = summary_table(SummaryTable::ranks, "source", run_lines(summaries));
  document.add(Heading{"Which run is faster", "ranking"});
  if (table.rows.empty()) document.add(Paragraph{"No group has five timed rows."});
  document.add(table);
  document.add(summary_table(SummaryTable::ranks, "part", part_lines(summaries)));
  if (!table.rows.empty()) document.add(Paragraph{help_text(table)});
  add_groups(ranked_groups(all_rows(validation)), document);
}

}  // namespace cubicbench::results
