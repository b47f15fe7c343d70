#pragma once

#include <string>

#include "results/validation/summary.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

// Sentences of plain text that the page and docs/validation.md share.

/// How many rows there are, and how far off the simulator is on all of them.
std::string validation_head(const Validation& validation, const Summaries& summaries);
/// How to read the columns of the tables of errors.
std::string errors_note();
std::string collectives_note();
std::string verdicts_note();
std::string memory_note();
std::string ranks_note();
std::string hung_note(const Summaries& summaries);
std::string peers_note();
std::string skipped_note();

}  // namespace cubicbench::results
