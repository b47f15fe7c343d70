#pragma once

#include <string>

#include "predictor/judging/protocol.h"

namespace cubicbench::results {

/// The same for a terminal: a table with a line a predictor and size of the training part, and
/// notes on what its columns cannot say. No line passes `text_columns`.
std::string predict_text(const predictor::JudgedDataset& judged);

}  // namespace cubicbench::results
