#pragma once

#include <string>

#include "predictor/judging/protocol.h"

namespace cubicbench::results {

/// Every number of the judgement as CSV. The column `repeat` says what a row is: "mean" or "sd"
/// over the repeats, with every figure of merit, or the number of a repeat, from 0, of which
/// Kendall's tau is kept. What does not apply is empty; numbers are in the shortest form that reads
/// back.
std::string predict_csv(const predictor::JudgedDataset& judged);

}  // namespace cubicbench::results
