#include "results/enumeration_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scenarios/files.h"
#include "scenarios/input_error.h"
#include "scenarios/json_document.h"
#include "scenarios/object_reader.h"
#include "scenarios/objective_reader.h"
#include "scenarios/strict_json.h"

namespace cubicbench::results {
namespace {

using datasets::BestOfK;
using datasets::Enumeration;
using datasets::Optimum;
using scenarios::ObjectReader;
using scenarios::ValueReader;
using Json = nlohmann::ordered_json;

constexpr const char* schema = "cubicbench.enumeration/1";
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::int64_t integer_max = std::numeric_limits<std::int64_t>::max();

// Writing --------------------------------------------------------------------------------------

Json number(std::optional<double> value) { return value ? Json(*value) : Json(); }

Json rejected_json(const Enumeration& enumeration) {
  Json rejected = Json::object();
  for (const auto& [name, count] : enumeration.rejected_by) rejected[name] = count;
  return rejected;
}

Json failures_json(const Enumeration& enumeration) {
  if (!enumeration.exhaustive()) return nullptr;
  Json failures = Json::object();
  for (const auto& [reason, count] : enumeration.failures) {
    failures[std::string(name_of(reason))] = count;
  }
  return failures;
}

Json optimum_json(const std::optional<Optimum>& optimum) {
  if (!optimum) return nullptr;
  Json configs = Json::array();
  for (const datasets::NamedSettings& config : optimum->configs) {
    configs.push_back(settings_json(config));
  }
  return {{"value", optimum->count > 0 ? Json(optimum->value) : Json()},
          {"configs", std::move(configs)},
          {"count", optimum->count},
          {"certified", optimum->certified},
          {"bound", optimum->bound}};
}

Json best_of_k_json(const std::vector<BestOfK>& best_of_k) {
  Json list = Json::array();
  for (const BestOfK& best : best_of_k) {
    list.push_back({{"k", best.k},
                    {"with_replacement", best.with_replacement},
                    {"without_replacement", best.without_replacement}});
  }
  return list;
}

// Reading --------------------------------------------------------------------------------------

/// Counts go up to 2^64 - 1.
std::uint64_t read_count(ObjectReader& in, std::string_view key) {
  const Json* const value = in.raw(key);
  if (value != nullptr && value->is_number_unsigned()) return value->get<std::uint64_t>();
  return static_cast<std::uint64_t>(in.integer(key, 0, integer_max));
}

std::optional<double> optional_number(ObjectReader& in, std::string_view key, double min,
                                      double max) {
  if (in.has(key)) return in.number(key, min, max);
  in.allow(key);
  return std::nullopt;
}

void check_schema(ObjectReader& in) {
  const std::size_t before = in.problems().size();
  const std::string found = in.string("schema");
  if (in.problems().size() == before && found != schema) {
    in.problem("schema",
               "expected \"" + std::string(schema) + "\", got " + scenarios::shown(Json(found)));
  }
}

void read_rejected(ObjectReader& in, Enumeration& enumeration) {
  ObjectReader rejected = in.object("rejected_by");
  for (const std::string& name : rejected.keys()) {
    enumeration.rejected_by.emplace_back(name, read_count(rejected, name));
  }
  rejected.finish();
}

void read_failures(ObjectReader& in, Enumeration& enumeration) {
  std::optional<ObjectReader> failures = in.optional_object("failures");
  if (!failures) {
    if (enumeration.exhaustive()) in.problem("failures", "expected an object, got nothing");
    return;
  }
  std::uint64_t left = enumeration.configurations;
  bool too_many = false;
  for (const std::string& name : failures->keys()) {
    const std::uint64_t count = read_count(*failures, name);
    const std::optional<scenarios::Reason> reason = scenarios::reason_of(name);
    if (reason && *reason != scenarios::Reason::none) {
      enumeration.failures.emplace_back(*reason, count);
    } else {
      failures->problem(name, "unknown reason");
    }
    too_many = too_many || count > left;
    left -= std::min(count, left);
  }
  failures->finish();
  if (too_many) {
    in.problem("failures", "expected no more than there are configurations");
  }
}

std::optional<Optimum> read_optimum(ObjectReader& in) {
  std::optional<ObjectReader> object = in.optional_object("optimum");
  if (!object) return std::nullopt;
  Optimum optimum;
  const std::optional<double> value = optional_number(*object, "value", -infinite, infinite);
  for (const ValueReader& config : object->array("configs")) {
    config.object();  // complains when it is none
    if (config.raw() != nullptr && config.raw()->is_object()) {
      optimum.configs.push_back(settings_of(*config.raw()));
    }
  }
  optimum.count = read_count(*object, "count");
  optimum.certified = object->boolean("certified");
  optimum.bound = object->number("bound", -infinite, infinite);
  if (value.has_value() != (optimum.count > 0)) {
    object->problem("value", "expected a number exactly when the count is not 0");
  }
  if (optimum.configs.size() > optimum.count) {
    object->problem("configs", "expected no more than the count");
  }
  optimum.value = value.value_or(0.0);
  if (optimum.certified && optimum.bound != optimum.value) {
    object->problem("bound", "expected the value, as it is certified");
  }
  object->finish();
  return optimum;
}

datasets::BaselineRank read_baseline(ObjectReader& in) {
  ObjectReader object = in.object("baseline");
  const datasets::BaselineRank rank{
      .value = optional_number(object, "value", -infinite, infinite),
      .share_better = optional_number(object, "share_better", 0.0, 1.0)};
  object.finish();
  return rank;
}

std::vector<double> read_quantiles(ObjectReader& in) {
  std::vector<double> quantiles;
  for (const ValueReader& value : in.optional_array("quantiles")) {
    quantiles.push_back(value.number(-infinite, infinite));
  }
  if (!quantiles.empty() && quantiles.size() != datasets::quantile_count) {
    in.problem("quantiles", "expected " + std::to_string(datasets::quantile_count) +
                                " values, got " + std::to_string(quantiles.size()));
  }
  if (!std::is_sorted(quantiles.begin(), quantiles.end())) {
    in.problem("quantiles", "expected values that ascend");
  }
  return quantiles;
}

std::vector<BestOfK> read_best_of_k(ObjectReader& in) {
  std::vector<BestOfK> list;
  for (const ValueReader& value : in.optional_array("best_of_k")) {
    ObjectReader object = value.object();
    const auto k = static_cast<std::int64_t>(list.size()) + 1;
    list.push_back(
        {.k = object.integer("k", k, k),
         .with_replacement = object.number("with_replacement", -infinite, infinite),
         .without_replacement = object.number("without_replacement", -infinite, infinite)});
    object.finish();
  }
  return list;
}

scenarios::Objective read_objective_of(ObjectReader& in) {
  ObjectReader object = in.object("objective");
  const scenarios::Objective objective = scenarios::read_objective(object);
  object.finish();
  return objective;
}

}  // namespace

Json settings_json(const datasets::NamedSettings& settings) {
  Json object = Json::object();
  for (const auto& [name, value] : settings) object[name] = scenarios::parse_json(value, name);
  return object;
}

datasets::NamedSettings settings_of(const Json& object) {
  datasets::NamedSettings settings;
  for (const auto& [name, value] : object.items()) settings.emplace_back(name, value.dump());
  return settings;
}

Json enumeration_json(const Enumeration& enumeration) {
  const bool exhaustive = enumeration.exhaustive();
  Json document = scenarios::new_document("enumeration");
  document["scenario"] = enumeration.scenario;
  document["scenario_sha256"] = enumeration.scenario_sha256;
  document["truth_sha256"] = enumeration.truth_sha256;
  document["instance"] = enumeration.instance;
  document["configurations"] = enumeration.configurations;
  document["rejected_by"] = rejected_json(enumeration);
  document["failures"] = failures_json(enumeration);
  document["optimum"] = optimum_json(enumeration.optimum);
  document["baseline"] = {{"value", number(enumeration.baseline.value)},
                          {"share_better", number(enumeration.baseline.share_better)}};
  document["quantiles"] = exhaustive ? Json(enumeration.quantiles) : Json();
  document["best_of_k"] = exhaustive ? best_of_k_json(enumeration.best_of_k) : Json();
  document["objective"] = {{"metric", name_of(enumeration.objective.metric)},
                           {"percentile", enumeration.objective.percentile},
                           {"direction", name_of(enumeration.objective.direction)}};
  document["valued"] = enumeration.valued;
  return document;
}

Enumeration enumeration_of(const Json& document, const std::string& file) {
  std::vector<scenarios::Problem> problems;
  ObjectReader in(document, file, "", problems);
  check_schema(in);
  scenarios::throw_if_any(problems);  // of another document nothing else is worth saying
  in.string("version");
  Enumeration enumeration;
  enumeration.scenario = in.string("scenario");
  enumeration.scenario_sha256 = in.string("scenario_sha256");
  enumeration.truth_sha256 = in.string("truth_sha256");
  enumeration.instance = in.integer("instance", 0, integer_max);
  enumeration.configurations = read_count(in, "configurations");
  enumeration.valued = read_count(in, "valued");
  read_rejected(in, enumeration);
  read_failures(in, enumeration);
  enumeration.optimum = read_optimum(in);
  enumeration.baseline = read_baseline(in);
  enumeration.quantiles = read_quantiles(in);
  enumeration.best_of_k = read_best_of_k(in);
  enumeration.objective = read_objective_of(in);
  if (enumeration.valued > enumeration.configurations) {
    in.problem("valued", "expected no more than there are configurations");
  }
  in.finish();
  scenarios::throw_if_any(problems);
  return enumeration;
}

Enumeration read_enumeration(const std::string& path) {
  return enumeration_of(scenarios::parse_json(scenarios::read_file(path), path), path);
}

}  // namespace cubicbench::results
