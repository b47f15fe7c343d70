#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "results/document/figure.h"

namespace cubicbench::results {

/// A test job as the scatter plot has it.
struct ScatterPoint {
  const datasets::Job* job = nullptr;
  double measured = 0.0;   ///< divided by the constant
  double predicted = 0.0;  ///< likewise; of a predictor of order alone its score, as it is
};

/// Predicted against measured on the test jobs of the first repeat: CubicML's Fig. 2(b) and 3. A
/// value; the dataset must outlive it.
struct Scatter {
  std::string predictor;
  bool values = true;  ///< false: scores without a unit, which only order the jobs
  /// Of what was measured: whole jobs, see whole_job_unit(). Scores rank the target itself, so
  /// beside them stands what they rank, see target_text().
  std::string unit;
  double constant = 1.0;  ///< median measured value, by which all are divided
  std::vector<ScatterPoint> points;
};

/// `judgement` is of `data`.
Scatter scatter_of(const datasets::Dataset& data, const predictor::Judgement& judgement);

/// The points, coloured by number of GPUs where there are several, on logarithmic axes with the
/// line on which predicted equals measured; scores on a linear axis without it, against measured
/// values on a logarithmic one where they span a decade. `name` prefixes the ids of the SVG.
Figure scatter_figure(const Scatter& scatter, const std::string& name);

/// The points: job, gpus, measured, predicted, both as they were, and divided by the constant.
std::string scatter_csv(const Scatter& scatter);

/// What the figure shows, a few sentences of plain text, with the correlations of its points.
std::string scatter_caption(const datasets::Dataset& data, const predictor::JudgedDataset& judged,
                            const predictor::Judgement& judgement);

}  // namespace cubicbench::results
