#pragma once

#include <string>

#include "results/document/figure.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Simulated against measured peak memory of runs that fitted, marks by source, on equal
/// logarithmic axes with the line on which they are equal and a band of 10 % to either side. Of
/// rows of a source whose marks would cover one another one is drawn. `name` prefixes the SVG's
/// ids.
Figure peaks_figure(const Validation& validation, const std::string& name);

/// Every row with a measured peak: source, id, memory_kind, measured and simulated GiB.
std::string peaks_csv(const Validation& validation);

/// Share of the runs that were out of memory by their simulated demand over the limit, a mark for
/// each twentieth of it, and the probability that the simulator gives [docs/models.md, Eq. M-9].
/// Demands of more than one and a half limits stand at the right end. Only sources with a measured
/// failure count: the others publish successes alone, which say nothing of odds.
Figure verdicts_figure(const Validation& validation, const std::string& name);

/// Every mark: demand over limit from and to, rows, out of memory, share, probability in the
/// middle.
std::string verdicts_csv(const Validation& validation);

}  // namespace cubicbench::results
