#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/shared_options.h"
#include "datasets/jobs/dataset.h"
#include "datasets/jobs/measured_dataset.h"
#include "datasets/logs/given_columns.h"
#include "predictor/judging/protocol.h"
#include "scenarios/readers/campaign_reader.h"

namespace cubicbench::cli {

/// The jobs that predictors are judged on: those of a dataset, or of a scenario that is sampled.
struct JobsSource {
  std::string name;                              ///< of a scenario or dataset, or a path
  std::vector<datasets::GivenColumn> columns{};  ///< of a dataset that is logs: what they leave out
  bool is_scenario = false;
  std::int64_t rows = scenarios::rows_otherwise;                 ///< of a scenario
  datasets::FeatureSet features = datasets::FeatureSet::launch;  ///< of a dataset

  bool operator==(const JobsSource&) const = default;
};

/// Which predictors are judged, on what and how: one `predict`. Sizes of the training part rise.
struct PredictionRequest : predictor::Protocol {
  JobsSource source;
};

/// The jobs. Those of a scenario are launched on the first instance with hidden constants, so that
/// who asks the nominal simulator knows the form of the truth but not its constants. Throws
/// InputError with everything that is wrong with the scenario or the table.
datasets::Dataset jobs_of(const JobsSource& source, std::uint64_t seed, int threads);

/// The command that judges the same again; of an absolute path it has the last part only.
std::string command_of(const PredictionRequest& request);

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
