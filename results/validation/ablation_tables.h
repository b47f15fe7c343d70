#pragma once

#include <string>

#include "results/validation/ablation.h"
#include "results/validation/validation_tables.h"

namespace cubicbench::results {

/// How to read the tables of terms, and what they say of all runs together.
std::string ablation_note(const Ablation& ablation);
/// What the runs are, what is fitted again, and which terms they lack.
std::string ablated_note(const AblatedRuns& runs);
/// A line a term that a run has: the whole model first, then the term that matters most. Of all
/// stacks it says what is supposed instead, and in how many stacks a run has the term.
ReportTable ablation_table(const AblatedRuns& runs);
ReportTable ablation_table(const Ablation& ablation);

/// For a terminal: the runs of all stacks together.
std::string ablation_text(const Ablation& ablation);

/// How to read the tables of constants, and how many calibrations stay within the bar.
std::string left_out_note(const Ablation& ablation);
/// A line a calibration: its error, and that of models that were left out of it.
ReportTable left_out_table(const Ablation& ablation);
/// A line a constant: as it ships, fitted again from there, and how well it is known.
ReportTable constants_table(const Ablation& ablation);

}  // namespace cubicbench::results
