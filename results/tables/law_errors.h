#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "predictor/calibration/law_fit.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// How far laws are off the runs of each source, of those that they were fitted to and by fits to
/// all other sources, and at the end of all runs together.
Table law_errors_table(const std::vector<predictor::LawErrors>& sources);
nlohmann::ordered_json law_errors_json(const std::vector<predictor::LawErrors>& sources);

}  // namespace cubicbench::results
