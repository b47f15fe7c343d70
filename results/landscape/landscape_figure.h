#pragma once

#include <string>

#include "results/document/document.h"
#include "results/landscape/landscape_document.h"

namespace cubicbench::results {

/// The objective of what runs, sorted, with the baseline, the median and the best known as levels:
/// how rare good configurations are. Requires a configuration that runs; `stem` names its files.
Drawing distribution_drawing(const AskedLandscape& of, const std::string& stem);

}  // namespace cubicbench::results
