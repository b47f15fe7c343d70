#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/validation/row_fields.h"
#include "results/validation/validation_sections.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t reasons_shown = 40;

/// Rows that are skipped for one reason.
struct Reason {
  std::int64_t rows = 0;
  std::map<std::string, std::int64_t> sources{};
  std::string first{};  ///< id
};

/// "nccl (32), points (98)"; of one source its name alone.
std::string sources_text(const std::map<std::string, std::int64_t>& sources) {
  if (sources.size() == 1) return sources.begin()->first;
  std::vector<std::string> texts;
  for (const auto& [source, rows] : sources) {
    texts.push_back(source + " (" + grouped(rows) + ")");
  }
  return support::joined(texts, ", ");
}

/// The most frequent reason first. Reasons that differ only after their first colon are one.
Table skipped_table(const Validation& validation) {
  std::map<std::string, Reason> reasons;
  for (const ValidatedRow& row : validation.skipped) {
    Reason& of = reasons[row.reason.substr(0, row.reason.find(": "))];
    if (of.rows++ == 0) of.first = row.id;
    ++of.sources[row.source];
  }
  std::vector<std::pair<std::string, Reason>> order(reasons.begin(), reasons.end());
  std::ranges::stable_sort(order, std::greater{}, [](const auto& of) { return of.second.rows; });
  Table table{.columns = {{"reason", "reason"},
                          {"rows", "rows", Show::count},
                          {"sources", "sources"},
                          {"first", "such as"}},
              .shown = reasons_shown};
  for (const auto& [reason, of] : order) {
    table.rows.push_back({reason, of.rows, sources_text(of.sources), of.first});
  }
  return table;
}

Table excluded_table(const ExcludedRows& of) {
  return {.columns = {{"why", "not wanted"}, {"rows", "rows", Show::count}},
          .rows = {{"fails a check of its own consistency (flag)", of[Exclusion::flag]},
                   {"untuned run", of[Exclusion::untuned]},
                   {"a stated need, not a run (requirement)", of[Exclusion::requirement]},
                   {"failed for another reason than memory", of[Exclusion::other]},
                   {"of a GPU that is not named, or between experts", of[Exclusion::unnamed]},
                   {"the same result again", of[Exclusion::duplicate]}}};
}

}  // namespace

void add_left_out(const Validation& validation, Document& document) {
  document.add(Heading{"What is not covered", "skipped"});
  if (!validation.skipped.empty()) {
    document.add(Paragraph{"Rows that are wanted and cannot be simulated, by reason."});
    document.add(skipped_table(validation));
  }
  document.add(
      Links{{{{"skipped.csv", csv_of(table_of<ValidatedRow>(validation.skipped, skipped_fields()))},
              "Every skipped row as CSV"}}});
  document.add(excluded_table(validation.excluded));
}

}  // namespace cubicbench::results
