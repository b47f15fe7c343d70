#include <algorithm>
#include <utility>

#include "cli/options/readers.h"
#include "cli/paper.h"
#include "cli/terminal/watched.h"
#include "predictor/learners/registry.h"

namespace cubicbench::cli {
namespace {

/// What a prediction of a campaign asks for. Throws InputError for predictors that do not ship.
PredictionRequest request_of(const scenarios::CampaignPrediction& prediction) {
  const std::string where = "campaign";
  PredictionRequest request;
  request.source.is_scenario = !prediction.scenario.empty();
  request.source.name = request.source.is_scenario ? prediction.scenario : prediction.dataset;
  request.source.rows = prediction.rows;
  request.source.features =
      Choice<datasets::FeatureSet>{scenarios::prediction_features()}(prediction.features, where);
  Problems problems;
  for (const std::string& name : prediction.predictors) {
    request.predictors.push_back(
        gathered(problems, [&] { return &predictor::find_predictor(name, where); }));
  }
  support::throw_if_any(problems);
  request.split = Choice<datasets::SplitKind>{datasets::split_names()}(prediction.split, where);
  request.train = prediction.train;
  request.repeats = prediction.repeats;
  return request;
}

/// The jobs of the request: those that an earlier prediction has read, if it had the same.
std::shared_ptr<const datasets::Dataset> shared_jobs(const PredictionRequest& request,
                                                     const std::vector<PaperPredicted>& earlier,
                                                     int threads) {
  const auto same = [&](const PaperPredicted& other) {
    return other.request.source == request.source && other.request.seed == request.seed;
  };
  const auto found = std::ranges::find_if(earlier, same);
  return found != earlier.end() ? found->data
                                : std::make_shared<const datasets::Dataset>(
                                      jobs_of(request.source, request.seed, threads));
}

}  // namespace

std::vector<PaperPredicted> predict_all(const scenarios::Campaign& campaign,
                                        const PaperRequest& paper) {
  const int threads = paper.global.threads;
  std::vector<PaperPredicted> predicted;
  for (const scenarios::CampaignPrediction& prediction : campaign.predictions) {
    PredictionRequest request = request_of(prediction);
    request.repeats = paper.repeats.value_or(request.repeats);
    const PredictionRun run{.threads = threads,
                            .quiet = paper.global.quiet,
                            .of = "fits of " + prediction.name + " (" +
                                  std::to_string(predicted.size() + 1) + "/" +
                                  std::to_string(campaign.predictions.size()) + ")"};
    auto data = shared_jobs(request, predicted, threads);
    predictor::JudgedDataset judged = judge_watched(*data, request, run);
    predicted.push_back({.name = prediction.name,
                         .request = std::move(request),
                         .data = std::move(data),
                         .judged = std::move(judged)});
  }
  return predicted;
}

}  // namespace cubicbench::cli
