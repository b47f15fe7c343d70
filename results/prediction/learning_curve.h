#pragma once

#include <string>

#include "predictor/judging/protocol.h"
#include "results/document/figure.h"

namespace cubicbench::results {

/// Kendall's tau over the test part against the number of training jobs, a line a predictor, in a
/// band of two standard deviations over the repeats to either side: CubicML's Fig. 4, right. Where
/// the noise ceiling is known it is a level. `name` prefixes the ids of the SVG.
Figure learning_curve_figure(const predictor::JudgedDataset& judged, const std::string& name);

/// The same numbers, a row a predictor and size, and one with the noise ceiling.
std::string learning_curve_csv(const predictor::JudgedDataset& judged);

/// What the figure shows, a few sentences of plain text.
std::string learning_curve_caption(const predictor::JudgedDataset& judged);

}  // namespace cubicbench::results
