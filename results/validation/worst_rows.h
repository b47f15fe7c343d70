#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// The `most` timed training runs that the simulator is furthest off on, either way, the worst
/// first: by |log(simulated / measured)|, and equally bad ones in the order of the rows.
std::vector<const ValidatedRow*> worst_rows(const Validation& validation, std::size_t most);

/// All that is_hung() holds for, in the same order.
std::vector<const ValidatedRow*> hung_rows(const Validation& validation);

/// The rows with their times and a bar of where the simulated step goes, as HTML. A
/// star behind the ratio marks those that is_hung() holds for.
std::string worst_rows_table(const std::vector<const ValidatedRow*>& rows);

/// What the colours of those bars mean, as an HTML paragraph.
std::string worst_rows_legend();

/// id, source, group, times, ratio, hung (0 or 1) and the seconds of every part of the step.
std::string worst_rows_csv(const std::vector<const ValidatedRow*>& rows);

}  // namespace cubicbench::results
