#pragma once

#include <string>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// How well the jobs of `data` are predicted: every predictor on every size of the training part
/// and what the columns mean. A page also has the learning curves, where several sizes were judged,
/// the scatter plot of the best predictor, every number as prediction.csv and `command`, which
/// makes it again ("": left out).
Document prediction_document(const datasets::Dataset& data, const predictor::JudgedDataset& judged,
                             const std::string& command);

}  // namespace cubicbench::results
