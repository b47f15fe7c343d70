#pragma once

#include <functional>
#include <string>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "support/interruption.h"

namespace cubicbench::cli {

/// How predictors are judged while somebody looks on. Nothing here changes a number.
struct PredictionRun {
  int threads = 0;  ///< 0: all cores
  bool quiet = false;
  std::string of = "fits";  ///< what the progress bar counts
  std::string left;         ///< how an early end leaves things, for the message
};

/// Judges as the terminal sees it: a progress bar, and an orderly end when a signal has arrived.
/// Throws Interrupted then, and what judge() throws.
predictor::JudgedDataset judge_watched(const datasets::Dataset& data,
                                       const predictor::Protocol& protocol,
                                       const PredictionRun& run,
                                       const support::InterruptionWatch& watch);

}  // namespace cubicbench::cli
