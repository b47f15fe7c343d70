#pragma once

#include <nlohmann/json_fwd.hpp>

#include "predictor/judging/protocol.h"

namespace cubicbench::results {

/// What `predict --json` prints [contracts.md, section 6]: an entry a predictor and size of the
/// training part, in the order asked for. Correlations and errors are {"mean", "sd"} over the
/// repeats, all other figures of merit means. Null is what does not apply: the error of a predictor
/// of order alone, feasibility where nothing ran out of memory, the noise ceiling of real runs.
nlohmann::ordered_json predict_json(const predictor::JudgedDataset& judged);

}  // namespace cubicbench::results
