#pragma once

#include <string>
#include <vector>

#include "results/validation/crossovers.h"
#include "results/validation/row_groups.h"
#include "results/validation/summary.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Every row beside what the simulator says of it, as `validate --json` has it.
std::string rows_csv(const Validation& validation);
/// Every skipped row and why.
std::string skipped_csv(const Validation& validation);
/// The figures of every summary: level (overall, source, part, family), name, n, ...
std::string summaries_csv(const Summaries& summaries);
std::string groups_csv(const std::vector<RankedGroup>& groups);
std::string crossovers_csv(const std::vector<Crossover>& crossovers);
std::string ladders_csv(const std::vector<MemoryLadder>& ladders);

}  // namespace cubicbench::results
