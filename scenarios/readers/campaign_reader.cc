#include "scenarios/readers/campaign_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "scenarios/catalog.h"
#include "scenarios/readers/description_reader.h"
#include "support/json/filled_string.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, 2> feature_sets{"launch", "measured-fabric"};

void require_some(support::ObjectReader& in, std::string_view key, bool empty) {
  const auto* const value = in.raw(key);
  if (empty && value != nullptr && value->is_array()) {
    in.problem(key, "expected at least one, got none");
  }
}

/// Names of searchers or predictors (`noun`): at least one, none of them twice.
std::vector<std::string> read_names(support::ObjectReader& in, std::string_view key,
                                    const std::string& noun) {
  std::vector<std::string> names;
  for (const support::ValueReader& value : in.array(key)) {
    const std::string name = value.string();
    if (value.raw() != nullptr && value.raw()->is_string() && name.empty()) {
      value.problem("expected the name of a " + noun + ", got \"\"");
    }
    if (!name.empty() && std::ranges::find(names, name) != names.end()) {
      value.problem("expected each " + noun + " once, got \"" + support::shortened(name) +
                    "\" again");
    }
    names.push_back(name);
  }
  require_some(in, key, names.empty());
  return names;
}

/// A name or path that must not be empty. A path in a campaign starts from the campaign's own
/// folder.
std::string read_source(support::ObjectReader& in, std::string_view key,
                        const std::string& directory) {
  std::string name = support::filled_string(in, key, "a " + std::string(key));
  if (!is_path(name) && !(key == "dataset" && name.ends_with(".csv"))) return name;
  const std::string path = joined(directory, name);
  return is_path(path) ? path : "./" + path;  // the working folder's own file stays a path
}

CampaignStudies read_studies(const support::ValueReader& value, const std::string& directory) {
  support::ObjectReader in = value.object();
  CampaignStudies studies;
  studies.name = in.string("name", "search");
  check_name(studies.name, in.where("name"), in.problems());
  studies.scenario = read_source(in, "scenario", directory);
  studies.searchers = read_names(in, "searchers", "searcher");
  studies.trials = in.integer("trials", 1, trials_max);
  studies.seeds = in.integer("seeds", 1, seeds_max, 1);
  studies.instances = in.integer("instances", 1, instances_max, 1);
  studies.slots = in.integer("slots", 1, slots_max, 1);
  studies.permute = in.boolean("permute", false);
  studies.permutations = in.integer("permutations", 1, permutations_max, studies.permutations);
  studies.bootstrap = in.integer("bootstrap", 0, bootstrap_max, studies.bootstrap);
  in.finish();
  return studies;
}

/// Studies or predictions: the same name twice would be one file twice.
template <typename Item>
std::vector<Item> read_all(support::ObjectReader& in, std::string_view key,
                           const std::string& directory,
                           Item (*read)(const support::ValueReader&, const std::string&)) {
  std::vector<Item> all;
  for (const support::ValueReader& value : in.optional_array(key)) {
    const Item item = read(value, directory);
    if (!item.name.empty() && std::ranges::find(all, item.name, &Item::name) != all.end()) {
      value.problem("expected a \"name\" of its own, got \"" + support::shortened(item.name) +
                    "\" again");
    }
    all.push_back(item);
  }
  return all;
}

/// The one of "dataset" and "scenario" that there is, and what only it may have.
void read_data(support::ObjectReader& in, const std::string& directory,
               CampaignPrediction& prediction) {
  if (in.has("dataset") == in.has("scenario")) {
    in.allow("dataset");
    in.allow("scenario");
    in.allow("rows");
    in.problem("dataset", in.has("dataset") ? "expected either a dataset or a scenario, got both"
                                            : "expected a dataset or a scenario, got neither");
  } else if (in.has("dataset")) {
    prediction.dataset = read_source(in, "dataset", directory);
    if (in.has("rows")) {
      in.problem("rows", "expected with a scenario only: a dataset has the rows that it has");
      in.allow("rows");
    }
  } else {
    prediction.scenario = read_source(in, "scenario", directory);
    prediction.rows = in.integer("rows", rows_min, rows_max, rows_otherwise);
    if (in.has("features")) {
      in.problem("features", "expected with a dataset only: a scenario's are its parameters");
      in.allow("features");
    }
  }
}

std::vector<std::int64_t> read_sizes(support::ObjectReader& in) {
  std::vector<std::int64_t> sizes;
  for (const support::ValueReader& value : in.array("train")) {
    const std::int64_t size = value.integer(1, rows_max);
    if (!sizes.empty() && size <= sizes.back() && value.raw()->is_number_integer()) {
      value.problem("expected sizes that rise, got " + std::to_string(size) + " after " +
                    std::to_string(sizes.back()));
    }
    sizes.push_back(size);
  }
  require_some(in, "train", sizes.empty());
  return sizes;
}

CampaignPrediction read_prediction(const support::ValueReader& value,
                                   const std::string& directory) {
  support::ObjectReader in = value.object();
  CampaignPrediction prediction;
  prediction.name = in.string("name");
  if (in.has("name")) check_name(prediction.name, in.where("name"), in.problems());
  read_data(in, directory, prediction);
  prediction.predictors = read_names(in, "predictors", "predictor");
  prediction.split = prediction_splits[in.one_of("split", prediction_splits, 0)];
  prediction.train = read_sizes(in);
  prediction.repeats = in.integer("repeats", 1, repeats_max, repeats_otherwise);
  if (prediction.scenario.empty()) {
    prediction.features = feature_sets[in.one_of("features", feature_sets, 0)];
  }
  in.finish();
  return prediction;
}

/// What the figure lacks in the campaign, as a message ends; "" when nothing.
std::string missing_input(const CampaignFigure& figure, const Campaign& campaign) {
  const std::string name(figure.name);
  const std::string needed(figure.prediction);
  if (needed.empty()) {
    return campaign.studies.empty() ? "expected studies to draw " + name + " from, got none" : "";
  }
  const auto found = std::ranges::find(campaign.predictions, needed, &CampaignPrediction::name);
  if (found == campaign.predictions.end()) {
    return "expected a prediction named \"" + needed + "\" to draw " + name + " from, got none";
  }
  if (figure.needs_dataset && found->dataset.empty()) {
    return "expected the prediction \"" + needed + "\" to have a dataset, whose jobs " + name +
           " shows, got a scenario";
  }
  return "";
}

std::vector<std::string> read_figures(support::ObjectReader& in, const Campaign& campaign,
                                      std::span<const CampaignFigure> figures) {
  std::vector<std::string> names;
  if (!in.has("figures")) {
    for (const CampaignFigure& figure : figures) {
      if (missing_input(figure, campaign).empty()) names.emplace_back(figure.name);
    }
    return names;
  }
  std::vector<std::string_view> known;
  for (const CampaignFigure& figure : figures) known.push_back(figure.name);
  for (const support::ValueReader& value : in.array("figures")) {
    const std::size_t before = in.problems().size();
    const CampaignFigure& figure = figures[value.one_of(known)];
    if (in.problems().size() > before) continue;
    const std::string name(figure.name);
    if (std::ranges::find(names, name) != names.end()) {
      value.problem("expected each figure once, got \"" + name + "\" again");
    } else if (const std::string missing = missing_input(figure, campaign); !missing.empty()) {
      value.problem(missing);
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace

Campaign read_campaign(const std::string& name_or_path, std::span<const CampaignFigure> figures) {
  const Document document = find_document(Kind::campaign, name_or_path, "", "campaign");
  const nlohmann::ordered_json json = support::parse_json(document.text, document.file);
  std::vector<support::Problem> problems;
  support::ObjectReader in(json, document.file, "", problems);
  in.one_of("schema", std::array<std::string_view, 1>{"cubicbench.campaign/1"});
  support::throw_if_any(problems);  // nothing below is ours to judge when it is another schema
  in.allow("version");
  Campaign campaign;
  campaign.name = in.string("name");
  check_name(campaign.name, in.where("name"), problems);
  campaign.summary = in.string("summary", "");
  campaign.studies = read_all(in, "studies", document.directory, read_studies);
  campaign.predictions = read_all(in, "predictions", document.directory, read_prediction);
  if (!in.has("studies") && !in.has("predictions")) {
    in.problem("studies", "expected studies or predictions, got neither");
  }
  require_some(in, "studies", campaign.studies.empty());
  require_some(in, "predictions", campaign.predictions.empty());
  campaign.figures = read_figures(in, campaign, figures);
  in.finish();
  support::throw_if_any(problems);
  return campaign;
}

std::span<const std::string_view> prediction_features() { return feature_sets; }

}  // namespace cubicbench::scenarios
