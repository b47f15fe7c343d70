#include "results/enumeration/enumeration_parts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "scenarios/readers/objective_reader.h"
#include "support/input_error.h"
#include "support/json/strict_json.h"

namespace cubicbench::results {
namespace {

using datasets::Enumeration;
using support::ObjectReader;
using support::ValueReader;
using Json = nlohmann::ordered_json;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::int64_t integer_max = std::numeric_limits<std::int64_t>::max();

}  // namespace

void write_enumeration_head(const Enumeration& enumeration, Json& document) {
  document["scenario"] = enumeration.scenario;
  document["scenario_sha256"] = enumeration.scenario_sha256;
  document["truth_sha256"] = enumeration.truth_sha256;
  document["instance"] = enumeration.instance;
  if (!enumeration.salt_sha256.empty()) document["salt_sha256"] = enumeration.salt_sha256;
  document["configurations"] = enumeration.configurations;
  Json rejected = Json::object();
  for (const auto& [name, count] : enumeration.rejected_by) rejected[name] = count;
  document["rejected_by"] = std::move(rejected);
}

void read_enumeration_head(ObjectReader& in, Enumeration& enumeration) {
  enumeration.scenario = in.string("scenario");
  enumeration.scenario_sha256 = in.string("scenario_sha256");
  enumeration.truth_sha256 = in.string("truth_sha256");
  enumeration.instance = in.integer("instance", 0, integer_max);
  enumeration.salt_sha256 = in.string("salt_sha256", "");
  enumeration.configurations = read_count(in, "configurations");
  ObjectReader rejected = in.object("rejected_by");
  for (const std::string& name : rejected.keys()) {
    enumeration.rejected_by.emplace_back(name, read_count(rejected, name));
  }
  rejected.finish();
}

void require_schema(ObjectReader& in, std::string_view schema) {
  const std::size_t before = in.problems().size();
  const std::string found = in.string("schema");
  if (in.problems().size() == before && found != schema) {
    in.problem("schema",
               "expected \"" + std::string(schema) + "\", got " + support::shown(Json(found)));
  }
  support::throw_if_any(in.problems());
}

Json objective_of_json(const scenarios::Objective& objective) {
  return {{"metric", name_of(objective.metric)},
          {"percentile", objective.percentile},
          {"direction", name_of(objective.direction)}};
}

scenarios::Objective read_objective_of(ObjectReader& in) {
  ObjectReader object = in.object("objective");
  const scenarios::Objective objective = scenarios::read_objective(object);
  object.finish();
  return objective;
}

Json baseline_of_json(const datasets::BaselineRank& baseline) {
  if (!baseline.stated) return nullptr;
  return {{"value", number_or_null(baseline.value)}};
}

std::optional<ObjectReader> stated_baseline(ObjectReader& in, datasets::BaselineRank& baseline) {
  baseline.stated = in.has("baseline");
  if (!baseline.stated) {
    in.allow("baseline");
    return std::nullopt;
  }
  ObjectReader object = in.object("baseline");
  baseline.value = optional_number(object, "value");
  return object;
}

Json failures_of_json(const FailureCounts& failures) {
  Json object = Json::object();
  for (const auto& [reason, count] : failures) object[std::string(name_of(reason))] = count;
  return object;
}

FailureCounts read_failures_of(ObjectReader failures, std::uint64_t configurations) {
  FailureCounts counts;
  for (const std::string& name : failures.keys()) {
    const std::uint64_t count = read_count(failures, name);
    const std::optional<scenarios::Reason> reason = scenarios::reason_of(name);
    if (reason && *reason != scenarios::Reason::none) {
      counts.emplace_back(*reason, count);
    } else {
      failures.problem(name, "unknown reason");
    }
    if (count > configurations) {
      failures.problem(name, "expected no more failures than there are configurations");
    }
    configurations -= std::min(count, configurations);
  }
  failures.finish();
  return counts;
}

Json configs_of_json(const std::vector<datasets::NamedSettings>& configs) {
  Json list = Json::array();
  for (const datasets::NamedSettings& config : configs) {
    Json object = Json::object();
    for (const auto& [name, value] : config) object[name] = support::parse_json(value, name);
    list.push_back(std::move(object));
  }
  return list;
}

std::vector<datasets::NamedSettings> read_configs(ObjectReader& in) {
  std::vector<datasets::NamedSettings> configs;
  for (const ValueReader& config : in.array("configs")) {
    config.object();  // complains when it is none
    if (config.raw() == nullptr || !config.raw()->is_object()) continue;
    datasets::NamedSettings settings;
    for (const auto& [name, value] : config.raw()->items()) {
      settings.emplace_back(name, value.dump());
    }
    configs.push_back(std::move(settings));
  }
  return configs;
}

std::uint64_t read_count(ObjectReader& in, std::string_view key) {
  const Json* const value = in.raw(key);
  if (value != nullptr && value->is_number_unsigned()) return value->get<std::uint64_t>();
  return static_cast<std::uint64_t>(in.integer(key, 0, integer_max));
}

std::optional<double> optional_number(ObjectReader& in, std::string_view key) {
  if (in.has(key)) return in.number(key, -infinite, infinite);
  in.allow(key);
  return std::nullopt;
}

Json number_or_null(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

}  // namespace cubicbench::results
