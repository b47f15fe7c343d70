#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/requests/paper_request.h"
#include "cli/requests/prediction_request.h"
#include "results/document/document.h"
#include "scenarios/readers/campaign_reader.h"

namespace cubicbench::cli {

/// Runs the studies of a campaign, or goes on with them. Returns what they came to, for the
/// terminal, and adds to `list` what --json says of each. Throws InputError, OutputError
/// and Interrupted.
results::Document search_all(const scenarios::Campaign& campaign, const PaperRequest& request,
                             nlohmann::ordered_json& list);

/// One prediction of the campaign and what came of it.
struct PaperPredicted {
  std::string name;
  PredictionRequest request;
  std::shared_ptr<const datasets::Dataset> data;
  predictor::JudgedDataset judged;
};

/// Judges all of them anew. Throws InputError and Interrupted.
std::vector<PaperPredicted> predict_all(const scenarios::Campaign& campaign,
                                        const PaperRequest& paper);

}  // namespace cubicbench::cli
