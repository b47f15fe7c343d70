#pragma once

#include <string>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// Where a figure on predictions stands.
struct FigurePlace {
  std::string figure_id;  ///< prefix of the ids in its drawing
  std::string file_stem;  ///< of its files: STEM.svg and STEM.csv
  FigureShape shape = FigureShape::square;
  std::string heading{};         ///< above it, where others stand beside it
  std::vector<double> beside{};  ///< scatter_values() of those, which its axes hold too
};

/// Predicted against measured on the test jobs of the first repeat of `shown`, which is of `data`:
/// CubicML's Fig. 2(b) and 3. Whole jobs, both divided by the median of the measured ones; of
/// scores, which order jobs and have no unit, only the measured values are. Coloured by number of
/// GPUs where there are several; on logarithmic axes with the line on which both are equal, scores
/// on a linear one.
Drawing scatter_drawing(const datasets::Dataset& data, const predictor::JudgedDataset& judged,
                        const predictor::Judgement& shown, const FigurePlace& place);

/// The values that the figure has on both axes; none of scores.
std::vector<double> scatter_values(const datasets::Dataset& data,
                                   const predictor::Judgement& shown);

/// Kendall's tau over the test part against the number of training jobs, a line a predictor, in a
/// band of two standard deviations over the repeats to either side: CubicML's Fig. 4, right. Where
/// the noise ceiling is known it is a level.
void add_learning_curves(const predictor::JudgedDataset& judged, const FigurePlace& place,
                         Document& document);

/// Jobs in the order of their launch against their number of GPUs: CubicML's Fig. 4, left. Time
/// runs from 0, the first launch, to 1, the last.
void add_job_times(const datasets::Dataset& data, const FigurePlace& place, Document& document);

/// What a job comes to as the paper plots it: its value, of a target per GPU the whole job's.
double whole_job(const datasets::Dataset& data, const datasets::Job& job, double value);

/// The unit of whole_job(): "tokens/s", "samples/s", or the target's own name.
std::string whole_job_unit(const datasets::Dataset& data);

/// The target for people: "tokens/s per GPU".
std::string target_text(const datasets::Dataset& data);

}  // namespace cubicbench::results
