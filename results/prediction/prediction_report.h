#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"

namespace cubicbench::results {

/// What the page of one prediction is to say beside its numbers.
struct PredictionReportOptions {
  std::string title = "Prediction report";  ///< its heading
  std::string command;                      ///< that makes it again; empty: left out
};

/// Writes index.html into `folder`, which is made when it is not there, and beside it
/// prediction.csv (every number), scatter.svg and scatter.csv (the first repeat of the best
/// predictor) and, where several sizes of the training part were judged, training.svg and
/// training.csv (learning curves). `judged` is of `data`.
///
/// Equal arguments give equal bytes. Each file is replaced as a whole, the page last. Returns the
/// names of the files without the folder, the page first. Throws OutputError when a file cannot be
/// written or gnuplot is missing.
std::vector<std::string> write_prediction_report(const datasets::Dataset& data,
                                                 const predictor::JudgedDataset& judged,
                                                 const std::filesystem::path& folder,
                                                 const PredictionReportOptions& options = {});

}  // namespace cubicbench::results
