#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// The `most` timed training runs that the simulator is furthest off on, either way, the worst
/// first; `hung`: of those that hung, else of the others. Equally bad ones in the order of the
/// rows.
std::vector<const ValidatedRow*> worst_rows(const Validation& validation, std::size_t most,
                                            bool hung);

/// The rows with their times and a bar of where the simulated step goes, as HTML.
std::string worst_rows_table(const std::vector<const ValidatedRow*>& rows);

/// What the colours of those bars mean, as an HTML paragraph.
std::string worst_rows_legend();

/// id, source, group, times, ratio and the seconds of every part of the step.
std::string worst_rows_csv(const std::vector<const ValidatedRow*>& rows);

}  // namespace cubicbench::results
