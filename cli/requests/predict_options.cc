#include "cli/requests/predict_options.h"

#include <algorithm>
#include <set>
#include <string>

#include "cli/options/readers.h"
#include "datasets/catalog/measured_catalog.h"
#include "predictor/learners/registry.h"
#include "scenarios/catalog.h"
#include "scenarios/readers/campaign_reader.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

using support::InputError;
using Entry = const predictor::PredictorEntry*;

/// Is it a scenario rather than a dataset? A name of both is a scenario's; a path is a dataset's
/// when it ends in .csv.
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
                "scenario's JSON or a table's CSV",
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

void declare_predict(Options& options, PredictAsked& asked) {
  PredictionRequest& request = asked.request;
  request.train = {40, 150, 300};
  declare_source(options, request.source);
  declare_predictors(options, request.predictors);
  options.value("--split", "S",
                "What is predicted from what: random (default), time,\nscale, workload, cluster "
                "or searcher",
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
  options.value("--seed", "S", "Of the draws and the learners (default: 0)", request.seed,
                any_index);
  options.check(of_source, [&asked] { settle_source(asked); });
}

}  // namespace cubicbench::cli
