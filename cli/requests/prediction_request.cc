#include "cli/requests/prediction_request.h"

#include <algorithm>
#include <set>

#include "cli/options/column_option.h"
#include "cli/options/readers.h"
#include "datasets/catalog/measured_catalog.h"
#include "datasets/jobs/sampled_dataset.h"
#include "datasets/problem/table_scenario.h"
#include "predictor/learners/registry.h"
#include "results/studies/study_commands.h"
#include "scenarios/catalog.h"
#include "scenarios/family/member_name.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;
using Entry = const predictor::PredictorEntry*;

constexpr std::uint64_t hidden_instance = 1;

std::string last_part(const std::string& name) {
  const std::filesystem::path path(name);
  return path.is_absolute() ? path.filename().string() : name;
}

/// Is it a scenario rather than a dataset? A name of both is a scenario's; a path is a dataset's
/// when it ends in .csv, is a folder, or is a log that does not end in .json.
bool names_scenario(const std::string& name, const std::string& where) {
  if (name.ends_with(".csv")) return false;
  if (datasets::names_logs(name) && !name.ends_with(".json")) return false;
  if (name.find('/') != std::string::npos || scenarios::is_member_name(name)) return true;
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

/// What is wrong with the source is said before the rest.
constexpr int of_source = -1;

void declare_source(Options& options, JobsSource& source) {
  const auto name = [&source](const std::string& text, const std::string& where) {
    source.is_scenario = names_scenario(text, where);
    return text;
  };
  options
      .argument("SCENARIO|DATASET",
                "A scenario, which is sampled, or a dataset: a name, or\nthe path of a "
                "scenario's JSON, a table's CSV or a folder\nof logs",
                source.name, name)
      .required()
      .in_turn(of_source);
}

/// A scenario is drawn from, a dataset has features; of what has no name nothing is known.
void settle_source(PredictAsked& asked) {
  JobsSource& source = asked.request.source;
  Problems problems;
  if (asked.rows && !source.name.empty() && !source.is_scenario) {
    problems.push_back(
        {"--rows", "expected with a scenario only: a dataset has the rows that it has"});
  }
  if (asked.features && !source.name.empty() && source.is_scenario) {
    problems.push_back(
        {"--features", "expected with a dataset only: a scenario's are its parameters"});
  }
  support::throw_if_any(problems);
  source.rows = asked.rows.value_or(source.rows);
  source.features = asked.features.value_or(source.features);
}

void declare_predictors(Options& options, std::vector<Entry>& predictors) {
  for (const predictor::PredictorEntry& entry : predictor::predictors()) {
    predictors.push_back(&entry);
  }
  const auto find = [seen = std::set<std::string>()](const std::string& name,
                                                     const std::string& where) mutable {
    const Entry found = &predictor::find_predictor(name, where);
    if (seen.insert(name).second) return found;
    throw InputError(where, "expected each once, got \"" + name + "\" again");
  };
  options.words("--predictor", "NAME[,..]",
                "Predictors (default: all); see cubicbench list\npredictors", predictors, find);
}

/// In rising order: a learning curve goes from left to right.
void sort_train(std::vector<std::int64_t>& train) {
  std::ranges::sort(train);
  const auto twice = std::ranges::adjacent_find(train);
  if (twice == train.end()) return;
  throw InputError("--train", "expected each once, got " + std::to_string(*twice) + " again");
}

}  // namespace

datasets::Dataset jobs_of(const JobsSource& source, std::uint64_t seed, int threads) {
  if (source.is_scenario) {
    datasets::Dataset data = datasets::sampled_dataset(datasets::read_scenario(source.name),
                                                       hidden_instance, source.rows, seed, threads);
    data.file = source.name;
    return data;
  }
  return datasets::measured_dataset(
      datasets::find_measurements(source.name, "DATASET", threads, source.columns),
      source.features);
}

std::string command_of(const PredictionRequest& request) {
  std::string command = "cubicbench predict " + results::shell_word(last_part(request.source.name));
  if (request.source.is_scenario) {
    command += " --rows " + std::to_string(request.source.rows);
  } else if (request.source.features != datasets::FeatureSet::launch) {
    command += " --features measured-fabric";
  }
  command += column_words(request.source.columns);
  command += " --predictor " +
             support::joined(request.predictors, ",", &predictor::PredictorEntry::name) +
             " --split " + std::string(datasets::name_of(request.split)) + " --train " +
             support::joined(request.train, ",", [](std::int64_t n) { return std::to_string(n); }) +
             " --repeats " + std::to_string(request.repeats);
  if (request.seed != 0) command += " --seed " + std::to_string(request.seed);
  return command;
}

void declare_predict(Options& options, PredictAsked& asked) {
  PredictionRequest& request = asked.request;
  request.train = {40, 150, 300};
  declare_source(options, request.source);
  declare_columns(options, request.source.columns).check([&request] {
    if (!request.source.name.empty()) require_log(request.source.columns, {request.source.name});
  });
  declare_predictors(options, request.predictors);
  options.value("--split", "S",
                "How jobs are split into training and test sets: random\n(default), time, scale, "
                "workload, cluster or searcher",
                request.split, Choice<datasets::SplitKind>{datasets::split_names()});
  options
      .words("--train", "N[,N..]", "Jobs to learn from (default: 40,150,300)", request.train,
             Integer{1, scenarios::rows_max})
      .check([&request] { sort_train(request.train); });
  options.value("--repeats", "K", "Random draws of those jobs (default: 10)", request.repeats,
                Integer{1, scenarios::repeats_max});
  options
      .value("--features", "F",
             "What is known of a dataset's jobs: launch (default), or\nmeasured-fabric, with "
             "what they measured of their links",
             asked.features, Choice<datasets::FeatureSet>{scenarios::prediction_features()})
      .in_turn(of_source);
  declare_page(options, asked.out);
  options
      .value("--rows", "N", "Configurations to draw of a scenario (default: 1000)", asked.rows,
             Integer{scenarios::rows_min, scenarios::rows_max})
      .in_turn(of_source);
  options.value("--seed", "S", "Random seed for sampling and training (default: 0)", request.seed,
                any_index);
  options.check(of_source, [&asked] { settle_source(asked); });
}

}  // namespace cubicbench::cli
