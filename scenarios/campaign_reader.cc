#include "scenarios/campaign_reader.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/description_reader.h"
#include "scenarios/library_entry.h"
#include "scenarios/object_reader.h"
#include "scenarios/strict_json.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, 1> schemas{"cubicbench.campaign/1"};
constexpr std::array<std::string_view, 1> figures{"fig2a"};

void require_some(ObjectReader& in, std::string_view key, bool empty) {
  const auto* const value = in.raw(key);
  if (empty && value != nullptr && value->is_array()) {
    in.problem(key, "expected at least one, got none");
  }
}

std::vector<std::string> read_searchers(ObjectReader& in) {
  std::vector<std::string> searchers;
  for (const ValueReader& value : in.array("searchers")) {
    const std::string searcher = value.string();
    if (value.raw() != nullptr && value.raw()->is_string() && searcher.empty()) {
      value.problem("expected the name of a searcher, got \"\"");
    }
    if (!searcher.empty() && std::ranges::find(searchers, searcher) != searchers.end()) {
      value.problem("expected each searcher once, got \"" + shortened(searcher) + "\" again");
    }
    searchers.push_back(searcher);
  }
  require_some(in, "searchers", searchers.empty());
  return searchers;
}

/// A path in a campaign starts from the campaign's own folder.
std::string read_scenario_name(ObjectReader& in, const std::string& directory) {
  std::string name = in.string("scenario");
  if (in.has("scenario") && in.raw("scenario")->is_string() && name.empty()) {
    in.problem("scenario", "expected a scenario, got \"\"");
  }
  if (!is_path(name)) {
    return name;
  }
  const std::string path = joined(directory, name);
  return is_path(path) ? path : "./" + path;  // the working folder's own file stays a path
}

CampaignStudies read_studies(const ValueReader& value, const std::string& directory) {
  ObjectReader in = value.object();
  CampaignStudies studies;
  studies.name = in.string("name", "search");
  check_name(studies.name, in.where("name"), in.problems());
  studies.scenario = read_scenario_name(in, directory);
  studies.searchers = read_searchers(in);
  studies.trials = in.integer("trials", 1, trials_max);
  studies.seeds = in.integer("seeds", 1, seeds_max, 1);
  studies.instances = in.integer("instances", 1, instances_max, 1);
  studies.slots = in.integer("slots", 1, slots_max, 1);
  in.finish();
  return studies;
}

std::vector<CampaignStudies> read_all_studies(ObjectReader& in, const std::string& directory) {
  std::vector<CampaignStudies> all;
  for (const ValueReader& value : in.array("studies")) {
    const CampaignStudies studies = read_studies(value, directory);
    const auto same_folder = [&](const CampaignStudies& other) {
      return other.name == studies.name;
    };
    if (std::ranges::any_of(all, same_folder)) {
      value.problem("expected a \"name\" of its own, got \"" + shortened(studies.name) +
                    "\" again");
    }
    all.push_back(studies);
  }
  require_some(in, "studies", all.empty());
  return all;
}

}  // namespace

Campaign read_campaign(const std::string& name_or_path) {
  const Document document = find_document(Kind::campaign, name_or_path, "", "campaign");
  const nlohmann::ordered_json json = parse_json(document.text, document.file);
  std::vector<Problem> problems;
  ObjectReader in(json, document.file, "", problems);
  in.one_of("schema", schemas);
  throw_if_any(problems);  // nothing below is ours to judge when it is another schema
  in.allow("version");
  Campaign campaign;
  campaign.name = in.string("name");
  check_name(campaign.name, in.where("name"), problems);
  campaign.summary = in.string("summary", "");
  campaign.studies = read_all_studies(in, document.directory);
  for (const ValueReader& value : in.optional_array("figures")) {
    campaign.figures.emplace_back(figures[value.one_of(figures)]);
  }
  in.finish();
  throw_if_any(problems);
  return campaign;
}

std::vector<std::string> figure_names() { return {figures.begin(), figures.end()}; }

}  // namespace cubicbench::scenarios
