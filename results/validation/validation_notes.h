#pragma once

#include <string>
#include <vector>

#include "results/validation/crossovers.h"
#include "results/validation/summary.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

// Sentences of plain text that the page and docs/validation.md share.

/// How many rows there are, and how far off the simulator is on all of them.
std::string validation_head(const Validation& validation, const Summaries& summaries);
/// How to read the columns of the tables of errors, and those of the order within groups.
std::string errors_note();
std::string order_note();
std::string collectives_note();
std::string crossovers_note(const std::vector<Crossover>& crossovers);
std::string verdicts_note();
std::string memory_note();
std::string ranks_note();
std::string hung_note(const Summaries& summaries);
std::string peers_note();
std::string skipped_note();

/// What was fitted to which source and part, a line each of those that are known: "vtrain: yes,
/// ...". Of parts only where all sources ship.
std::vector<std::string> in_sample_lines(const Summaries& summaries);

// Which sections of a page have something to say.

/// Whether a training run is wanted, and not only collectives.
bool has_runs(const Validation& validation);
/// Whether a run has a verdict on memory or a peak beside it.
bool has_memory_figures(const Summaries& summaries);

}  // namespace cubicbench::results
