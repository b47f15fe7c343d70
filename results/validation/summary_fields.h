#pragma once

#include <span>
#include <string>

#include "results/document/table.h"
#include "results/validation/summary.h"

namespace cubicbench::results {

/// Everything that is shown of a summary, in the order of `validate --json` and summaries.csv. A
/// figure that is added to one of its lists appears in both and in the list's table.
std::span<const Field<Summary>> summary_fields();

/// Tables that set the figures of many summaries side by side.
enum class SummaryTable { times, ranks, verdicts, memory, sizes };

/// What one line of such a table is of.
struct NamedSummary {
  std::string name;
  std::string fitted;  ///< "yes", "partly", "no"; "" where nobody has said
  const Summary* of;
};

/// A line for each summary that has something to say there. `heading` is of the names.
Table summary_table(SummaryTable which, const std::string& heading,
                    std::span<const NamedSummary> lines);

/// All summaries, level by level: overall, source, part, family.
std::string summaries_csv(const Summaries& summaries);

}  // namespace cubicbench::results
