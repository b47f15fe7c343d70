#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::scenarios {

/// One search of a campaign: every searcher on the scenario, with `seeds` seeds on each of
/// `instances` instances.
struct CampaignStudies {
  std::string name;      ///< of its folder below the campaign's: "search" unless said
  std::string scenario;  ///< a name of the library, or a path from the working folder
  std::vector<std::string> searchers;
  std::int64_t trials = 0;  ///< launches a study
  std::int64_t seeds = 1;
  std::int64_t instances = 1;
  std::int64_t slots = 1;
  bool permute = false;             ///< searchers see each space in an order of their seed
  std::int64_t permutations = 100;  ///< random orders that random search is averaged over
  std::int64_t bootstrap = 0;       ///< resamples of the seeds for bands; 0: quartiles instead

  bool operator==(const CampaignStudies&) const = default;
};

/// Predictors that are judged on jobs: those of a dataset, or of a scenario that is sampled.
struct CampaignPrediction {
  std::string name;      ///< of its files; letters, digits and '-'
  std::string dataset;   ///< a name that ships, or a path from the working folder; "" with scenario
  std::string scenario;  ///< likewise; "" with dataset
  std::int64_t rows = 0;  ///< configurations to draw of a scenario; 0 with dataset
  std::vector<std::string> predictors;
  std::string split = "random";
  std::vector<std::int64_t> train;  ///< sizes of the training part, rising
  std::int64_t repeats = 10;
  std::string features = "launch";  ///< or "measured-fabric", of datasets

  bool operator==(const CampaignPrediction&) const = default;
};

/// A figure that campaigns may ask for.
struct CampaignFigure {
  std::string_view name;
  std::string_view prediction;  ///< that it is drawn from; "": from the studies
  bool needs_dataset = false;   ///< of the prediction: a scenario's jobs do not do
};

/// Searches, predictions and the figures that are drawn from them: what one command makes from end
/// to end.
struct Campaign {
  std::string name;
  std::string summary;
  std::vector<CampaignStudies> studies;
  std::vector<CampaignPrediction> predictions;
  std::vector<std::string> figures;  ///< each at most once

  bool operator==(const Campaign&) const = default;
};

/// Bounds of a study, the same for a campaign and for the options of `search`.
inline constexpr std::int64_t trials_max = 1'000'000'000;
inline constexpr std::int64_t seeds_max = 1'000'000;
inline constexpr std::int64_t instances_max = 1'000'000;
inline constexpr std::int64_t slots_max = 65'536;
inline constexpr std::int64_t permutations_max = 1'000'000;
inline constexpr std::int64_t bootstrap_max = 1'000'000;

/// Bounds of a prediction, the same for a campaign and for the options of `predict`.
inline constexpr std::int64_t rows_min = 2;
inline constexpr std::int64_t rows_max = 1'000'000;
inline constexpr std::int64_t rows_otherwise = 1000;
inline constexpr std::int64_t repeats_max = 10'000;
inline constexpr std::int64_t repeats_otherwise = 10;

/// How a dataset may be split, as files and options name it: in the order of datasets::SplitKind.
inline constexpr std::array<std::string_view, 6> prediction_splits{
    "random", "time", "scale", "workload", "cluster", "searcher"};
/// What may be known of its jobs: in the order of datasets::FeatureSet.
std::span<const std::string_view> prediction_features();

/// Reads a campaign by its name in the library, or by path when the text holds a '/'. Searchers,
/// predictors and datasets are not looked up here: this room does not know them. `figures` are
/// those that exist; a campaign that names none has all that can be drawn. Throws InputError with
/// every problem found.
Campaign read_campaign(const std::string& name_or_path, std::span<const CampaignFigure> figures);

}  // namespace cubicbench::scenarios
