#pragma once

#include <string>
#include <vector>

#include "results/document/figure.h"

namespace cubicbench::results {

/// How far to either side of equal values the band of a figure reaches, as a share.
inline constexpr double agreement_band = 0.1;

/// Simulated against measured values on equal logarithmic axes, with the line on which they are
/// equal and a band of 10 % to either side. The points of `marks` are (measured, simulated); of
/// those of one look that would cover one another one is drawn. `quantity` names the axes: "time,
/// s"; `name` prefixes the SVG's ids.
Figure agreement_figure(const std::string& name, const std::string& quantity,
                        std::vector<Series> marks);

}  // namespace cubicbench::results
