#pragma once

#include <string>
#include <vector>

#include "results/document/figure.h"
#include "results/validation/row_errors.h"

namespace cubicbench::results {

/// Share of rows whose step time is off by less than so much: a line a source, on a logarithmic
/// axis of errors, and where half of the rows and nine in ten lie. `name` prefixes the SVG's ids.
Figure error_figure(const std::vector<SourceRows>& sources, const std::string& name);

/// Its lines: source, share, abs_rel_error.
std::string error_csv(const std::vector<SourceRows>& sources);

}  // namespace cubicbench::results
