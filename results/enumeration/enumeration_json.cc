#include "results/enumeration/enumeration_json.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "results/enumeration/enumeration_parts.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::results {
namespace {

using datasets::BestOfK;
using datasets::BestQuantiles;
using datasets::Enumeration;
using datasets::Optimum;
using support::ObjectReader;
using support::ValueReader;
using Json = nlohmann::ordered_json;

constexpr const char* schema = "cubicbench.enumeration/1";
constexpr double infinite = std::numeric_limits<double>::infinity();

// Writing --------------------------------------------------------------------------------------

Json optimum_json(const std::optional<Optimum>& optimum) {
  if (!optimum) return nullptr;
  return {{"value", optimum->count > 0 ? Json(optimum->value) : Json()},
          {"configs", configs_of_json(optimum->configs)},
          {"count", optimum->count},
          {"certified", optimum->certified},
          {"bound", number_or_null(optimum->bound)}};
}

Json quantiles_of_best_json(const BestQuantiles& best) {
  return {best.p05, best.p25, best.p75, best.p95};
}

Json best_of_k_json(const std::vector<BestOfK>& best_of_k) {
  Json list = Json::array();
  for (const BestOfK& best : best_of_k) {
    list.push_back({{"k", best.k},
                    {"with_replacement", best.with_replacement},
                    {"without_replacement", best.without_replacement}});
    if (!best.with_quantiles || !best.without_quantiles) continue;
    list.back()["with_quantiles"] = quantiles_of_best_json(*best.with_quantiles);
    list.back()["without_quantiles"] = quantiles_of_best_json(*best.without_quantiles);
  }
  return list;
}

// Reading --------------------------------------------------------------------------------------

/// A bound that is not there is the best infinity.
std::optional<Optimum> read_optimum(ObjectReader& in, scenarios::Direction direction) {
  std::optional<ObjectReader> object = in.optional_object("optimum");
  if (!object) {
    in.allow("optimum");
    return std::nullopt;
  }
  Optimum optimum;
  const std::optional<double> value = optional_number(*object, "value");
  optimum.configs = read_configs(*object);
  optimum.count = read_count(*object, "count");
  optimum.certified = object->boolean("certified");
  optimum.bound = optional_number(*object, "bound")
                      .value_or(direction == scenarios::Direction::maximize ? infinite : -infinite);
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
  datasets::BaselineRank rank;
  std::optional<ObjectReader> object = stated_baseline(in, rank);
  if (!object) return rank;
  if (object->has("share_better")) rank.share_better = object->number("share_better", 0.0, 1.0);
  object->allow("share_better");
  object->finish();
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

/// Nothing in files of earlier versions.
std::optional<BestQuantiles> read_quantiles_of_best(ObjectReader& in, std::string_view key) {
  if (!in.has(key)) return std::nullopt;
  std::vector<double> values;
  for (const ValueReader& value : in.array(key)) {
    values.push_back(value.number(-infinite, infinite));
  }
  if (values.size() != 4) {
    in.problem(key, "expected 4 values, got " + std::to_string(values.size()));
    return std::nullopt;
  }
  return BestQuantiles{.p05 = values[0], .p25 = values[1], .p75 = values[2], .p95 = values[3]};
}

std::vector<BestOfK> read_best_of_k(ObjectReader& in) {
  std::vector<BestOfK> list;
  for (const ValueReader& value : in.optional_array("best_of_k")) {
    ObjectReader object = value.object();
    const auto k = static_cast<std::int64_t>(list.size()) + 1;
    list.push_back(
        {.k = object.integer("k", k, k),
         .with_replacement = object.number("with_replacement", -infinite, infinite),
         .without_replacement = object.number("without_replacement", -infinite, infinite),
         .with_quantiles = read_quantiles_of_best(object, "with_quantiles"),
         .without_quantiles = read_quantiles_of_best(object, "without_quantiles")});
    if (list.back().with_quantiles.has_value() != list.back().without_quantiles.has_value()) {
      object.problem("with_quantiles", "expected with and without replacement, or neither");
    }
    object.finish();
  }
  return list;
}

void read_failures(ObjectReader& in, Enumeration& enumeration) {
  std::optional<ObjectReader> failures = in.optional_object("failures");
  enumeration.exhaustive = failures.has_value();
  if (failures) {
    enumeration.failures = read_failures_of(std::move(*failures), enumeration.configurations);
  } else {
    in.allow("failures");
  }
}

}  // namespace

Json enumeration_json(const Enumeration& enumeration) {
  const bool exhaustive = enumeration.exhaustive;
  Json document = support::new_document("enumeration");
  write_enumeration_head(enumeration, document);
  document["failures"] = exhaustive ? failures_of_json(enumeration.failures) : Json();
  document["optimum"] = optimum_json(enumeration.optimum);
  document["baseline"] = baseline_of_json(enumeration.baseline);
  if (enumeration.baseline.stated) {
    document["baseline"]["share_better"] = number_or_null(enumeration.baseline.share_better);
  }
  document["quantiles"] = exhaustive ? Json(enumeration.quantiles) : Json();
  document["best_of_k"] = exhaustive ? best_of_k_json(enumeration.best_of_k) : Json();
  document["objective"] = objective_of_json(enumeration.objective);
  document["valued"] = enumeration.valued;
  return document;
}

Enumeration enumeration_of(const Json& document, const std::string& file) {
  std::vector<support::Problem> problems;
  ObjectReader in(document, file, "", problems);
  require_schema(in, schema);
  in.string("version");
  Enumeration enumeration;
  read_enumeration_head(in, enumeration);
  read_failures(in, enumeration);
  enumeration.objective = read_objective_of(in);
  enumeration.optimum = read_optimum(in, enumeration.objective.direction);
  enumeration.baseline = read_baseline(in);
  enumeration.quantiles = read_quantiles(in);
  enumeration.best_of_k = read_best_of_k(in);
  enumeration.valued = read_count(in, "valued");
  if (enumeration.valued > enumeration.configurations) {
    in.problem("valued", "expected no more than there are configurations");
  }
  in.finish();
  support::throw_if_any(problems);
  return enumeration;
}

Enumeration read_enumeration(const std::string& path) {
  return enumeration_of(support::parse_json(support::read_file(path), path), path);
}

}  // namespace cubicbench::results
