#include "scenarios/family/family.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/readers/description_reader.h"
#include "support/json/canonical.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"
#include "support/sha256.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using support::ObjectReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.family/1"};
constexpr double count_max = 1e18;
constexpr double gain_max = 1e6;

Acceptance::Limits read_limits(ObjectReader& in, std::string_view key, double min, double max) {
  const std::vector<support::ValueReader> values = in.array(key);
  if (values.size() != 2) {
    in.problem(key, "expected [least, most]");
    return {.min = min, .max = max};
  }
  const Acceptance::Limits limits{.min = values[0].number(min, max),
                                  .max = values[1].number(min, max)};
  if (limits.max < limits.min) in.problem(key, "expected the least before the most");
  return limits;
}

Acceptance read_acceptance(ObjectReader in) {
  Acceptance accept{.configurations = read_limits(in, "configurations", 1.0, count_max),
                    .runs = read_limits(in, "runs", 0.0, 1.0),
                    .gain = read_limits(in, "gain", 1.0, gain_max),
                    .percentile = read_limits(in, "percentile", 0.0, 100.0)};
  in.finish();
  return accept;
}

/// Words for people change no member.
std::string hash_of(Json json) {
  json.erase("summary");
  json.erase("about");
  return support::sha256_hex(support::canonical(json));
}

}  // namespace

Family read_family(const std::string& name_or_path) {
  const Document document = find_document(Kind::family, name_or_path, "", name_or_path);
  Json json = support::parse_json(document.text, document.file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, document.file, "", problems);
  Family family{.name = "",
                .summary = "",
                .file = document.file,
                .directory = document.directory,
                .sha256 = "",
                .accept = {},
                .json = nullptr};
  in.one_of("schema", schemas);
  family.name = in.string("name");
  check_name(family.name, in.where("name"), problems);
  family.summary = in.string("summary", "");
  for (const char* key : {"about", "sources"}) in.allow(key);
  in.array("draw");
  const ObjectReader scenario = in.object("scenario");
  for (const std::string& key : scenario.keys()) {
    if (key == "schema" || key == "name" || key == "baseline") {
      problems.push_back({scenario.where(key), "expected none: members have one of their own"});
    }
  }
  in.object("baseline");
  family.accept = read_acceptance(in.object("accept"));
  in.finish();
  support::throw_if_any(problems);
  family.sha256 = hash_of(json);
  family.json = std::make_shared<const Json>(std::move(json));
  return family;
}

DrawnMember drawn_member(const Family& family, std::uint64_t number, Audience audience,
                         std::uint64_t seed) {
  const Json& json = *family.json;
  std::vector<support::Problem> problems;
  Json values = drawn_values(json["draw"], family.file, audience, seed, problems);
  values["member"] = number;
  const Json scenario = expanded(json["scenario"], values, family.file, "/scenario", problems);
  const Json baseline = expanded(json["baseline"], values, family.file, "/baseline", problems);
  support::throw_if_any(problems);
  ObjectReader in(baseline, family.file, "/baseline", problems);
  DrawnMember member{.scenario = {}, .baseline = read_ladder(in)};
  support::throw_if_any(problems);
  Json document{{"schema", "cubicbench.scenario/1"},
                {"name", family.name + "@" + std::to_string(number)}};
  document.update(scenario);
  document["baseline"] = Json::object();
  member.scenario = {.file = family.file + "@" + std::to_string(number),
                     .directory = family.directory,
                     .text = document.dump(2) + "\n"};
  return member;
}

Document with_baseline(Document scenario, const std::vector<Assignment>& baseline) {
  Json json = support::parse_json(scenario.text, scenario.file);
  for (const Assignment& a : baseline) {
    json["baseline"][std::string(a.setting->name)] = json_of(*a.setting, a.value);
  }
  scenario.text = json.dump(2) + "\n";
  return scenario;
}

}  // namespace cubicbench::scenarios
