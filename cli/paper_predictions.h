#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/requests/paper_request.h"
#include "cli/requests/prediction_request.h"
#include "scenarios/readers/campaign_reader.h"
#include "support/interruption.h"

namespace cubicbench::cli {

/// One prediction of the campaign and what came of it.
struct PaperPredicted {
  std::string name;
  PredictionRequest request;
  std::shared_ptr<const datasets::Dataset> data;
  predictor::JudgedDataset judged;
};

/// Judges all of them anew. Throws InputError and Interrupted.
std::vector<PaperPredicted> predict_all(const scenarios::Campaign& campaign,
                                        const PaperRequest& paper,
                                        const support::InterruptionWatch& watch);

}  // namespace cubicbench::cli
