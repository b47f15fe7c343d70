#include "cli/requests/prediction_request.h"

#include <filesystem>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/jobs/sampled_dataset.h"
#include "datasets/problem/table_scenario.h"
#include "predictor/learners/registry.h"
#include "results/studies/study_commands.h"
#include "support/joined.h"

namespace cubicbench::cli {
namespace {

constexpr std::uint64_t hidden_instance = 1;

std::string last_part(const std::string& name) {
  const std::filesystem::path path(name);
  return path.is_absolute() ? path.filename().string() : name;
}

}  // namespace

datasets::Dataset jobs_of(const JobsSource& source, std::uint64_t seed, int threads) {
  if (source.is_scenario) {
    datasets::Dataset data = datasets::sampled_dataset(datasets::read_scenario(source.name),
                                                       hidden_instance, source.rows, seed, threads);
    data.file = source.name;
    return data;
  }
  return datasets::measured_dataset(datasets::find_measurements(source.name, "DATASET"),
                                    source.features);
}

std::string command_of(const PredictionRequest& request) {
  std::string command = "cubicbench predict " + results::shell_word(last_part(request.source.name));
  if (request.source.is_scenario) {
    command += " --rows " + std::to_string(request.source.rows);
  } else if (request.source.features != datasets::FeatureSet::launch) {
    command += " --features measured-fabric";
  }
  command += " --predictor " +
             support::joined(request.predictors, ",", &predictor::PredictorEntry::name) +
             " --split " + std::string(datasets::name_of(request.split)) + " --train " +
             support::joined(request.train, ",", [](std::int64_t n) { return std::to_string(n); }) +
             " --repeats " + std::to_string(request.repeats);
  if (request.seed != 0) command += " --seed " + std::to_string(request.seed);
  return command;
}

}  // namespace cubicbench::cli
