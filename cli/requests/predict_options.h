#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "cli/options/shared_options.h"
#include "cli/requests/prediction_request.h"

namespace cubicbench::cli {

/// What the command line of `predict` asks for.
struct PredictAsked {
  PredictionRequest request;
  std::optional<std::int64_t> rows;              ///< of a scenario
  std::optional<datasets::FeatureSet> features;  ///< of a dataset
  std::optional<std::filesystem::path> out;
  GlobalOptions global;
};

void declare_predict(Options& options, PredictAsked& asked);

}  // namespace cubicbench::cli
