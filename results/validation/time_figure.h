#pragma once

#include <string>

#include "results/document/figure.h"
#include "results/validation/row_errors.h"

namespace cubicbench::results {

/// Simulated against measured time of the rows of one source on equal logarithmic axes, with the
/// line on which they are equal and a band of 10 % to either side. Of rows whose marks would cover
/// one another one is drawn. `name` prefixes the SVG's ids.
Figure time_figure(const SourceRows& source, const std::string& name);

/// Every timed row: id, group, measured, simulated, rel_error.
std::string time_csv(const SourceRows& source);

/// What the figure shows, in plain text, with how many rows are within the band.
std::string time_caption(const SourceRows& source);

}  // namespace cubicbench::results
