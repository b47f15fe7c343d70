#include "cli/requests/prediction_request.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "cli/options/problems.h"
#include "cli/options/readers.h"
#include "datasets/catalog/measured_catalog.h"
#include "datasets/jobs/sampled_dataset.h"
#include "datasets/problem/table_scenario.h"
#include "predictor/learners/registry.h"
#include "results/studies/study_commands.h"
#include "scenarios/catalog.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

constexpr std::uint64_t hidden_instance = 1;

std::string last_part(const std::string& name) {
  const std::filesystem::path path(name);
  return path.is_absolute() ? path.filename().string() : name;
}

std::string numbers_text(std::span<const std::int64_t> numbers) {
  std::vector<std::string> words;
  for (const std::int64_t number : numbers) words.push_back(std::to_string(number));
  return support::joined(words, ",");
}

}  // namespace

datasets::SplitKind parse_split(const std::string& name, const std::string& where) {
  return Choice<datasets::SplitKind>{datasets::split_names()}(name, where);
}

datasets::FeatureSet parse_features(const std::string& name, const std::string& where) {
  return Choice<datasets::FeatureSet>{scenarios::prediction_features()}(name, where);
}

bool names_scenario(const std::string& name, const std::string& where) {
  if (name.ends_with(".csv")) return false;
  if (name.find('/') != std::string::npos) return true;
  std::vector<std::string> candidates;
  for (const scenarios::Entry& entry : scenarios::names(scenarios::Kind::scenario)) {
    if (entry.name == name) return true;
    candidates.push_back(entry.name);
  }
  for (const auto& entry : datasets::named_datasets()) {
    if (entry.name == name) return false;
    candidates.emplace_back(entry.name);
  }
  throw InputError(where, "unknown scenario or dataset " + in_quotes(name) +
                              support::did_you_mean(name, candidates));
}

PredictionRequest request_of(const scenarios::CampaignPrediction& prediction) {
  const std::string where = "campaign";
  PredictionRequest request;
  request.source.is_scenario = !prediction.scenario.empty();
  request.source.name = request.source.is_scenario ? prediction.scenario : prediction.dataset;
  request.source.rows = prediction.rows;
  request.source.features = parse_features(prediction.features, where);
  Problems problems;
  for (const std::string& name : prediction.predictors) {
    request.predictors.push_back(
        gathered(problems, [&] { return &predictor::find_predictor(name, where); }));
  }
  support::throw_if_any(problems);
  request.split = parse_split(prediction.split, where);
  request.train = prediction.train;
  request.repeats = prediction.repeats;
  return request;
}

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

predictor::Protocol protocol_of(const PredictionRequest& request) {
  return {.predictors = request.predictors,
          .split = request.split,
          .train = request.train,
          .repeats = request.repeats,
          .seed = request.seed};
}

std::string command_of(const PredictionRequest& request) {
  std::vector<std::string> names;
  for (const predictor::PredictorEntry* entry : request.predictors) names.emplace_back(entry->name);
  std::string command = "cubicbench predict " + results::shell_word(last_part(request.source.name));
  if (request.source.is_scenario) {
    command += " --rows " + std::to_string(request.source.rows);
  } else if (request.source.features != datasets::FeatureSet::launch) {
    command += " --features measured-fabric";
  }
  command += " --predictor " + support::joined(names, ",") + " --split " +
             std::string(datasets::name_of(request.split)) + " --train " +
             numbers_text(request.train) + " --repeats " + std::to_string(request.repeats);
  if (request.seed != 0) command += " --seed " + std::to_string(request.seed);
  return command;
}

}  // namespace cubicbench::cli
