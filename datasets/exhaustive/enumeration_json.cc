#include "datasets/exhaustive/enumeration_json.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/value_sketch.h"
#include "scenarios/readers/objective_reader.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;
using support::ValueReader;
using Json = nlohmann::ordered_json;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double finite_max = std::numeric_limits<double>::max();
constexpr std::int64_t integer_max = std::numeric_limits<std::int64_t>::max();

// Members, each written and read ---------------------------------------------------------------

/// A count of up to 2^64 - 1.
std::uint64_t read_count(ObjectReader& in, std::string_view key) {
  const Json* const value = in.raw(key);
  if (value != nullptr && value->is_number_unsigned()) return value->get<std::uint64_t>();
  return static_cast<std::uint64_t>(in.integer(key, 0, integer_max));
}

std::optional<double> read_number_if_any(ObjectReader& in, std::string_view key) {
  if (in.raw(key) == nullptr) return std::nullopt;
  return in.number(key, -infinite, infinite);
}

/// Null where it is not known or infinite.
Json number_or_null(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? Json(*number) : Json();
}

std::vector<double> numbers_of(const std::vector<ValueReader>& values) {
  std::vector<double> numbers;
  for (const ValueReader& value : values) numbers.push_back(value.number(-infinite, infinite));
  return numbers;
}

Json head_json(const char* kind, const Enumeration& of) {
  Json document = support::new_document(kind);
  document["scenario"] = of.scenario;
  document["scenario_sha256"] = of.scenario_sha256;
  document["truth_sha256"] = of.truth_sha256;
  document["instance"] = of.instance;
  if (!of.salt_sha256.empty()) document["salt_sha256"] = of.salt_sha256;
  document["configurations"] = of.configurations;
  document["rejected_by"] = Json::object();
  for (const auto& [name, count] : of.rejected_by) document["rejected_by"][name] = count;
  if (of.sketched) document["sketch"] = {{"relative_error", ValueSketch::relative_error}};
  return document;
}

/// Throws the problem if the document is of another kind: nothing else is worth saying then.
std::string read_version(ObjectReader& in, std::string_view kind) {
  const std::string schema = support::new_document(kind)["schema"];
  const std::size_t before = in.problems().size();
  const std::string found = in.string("schema");
  if (in.problems().size() == before && found != schema) {
    in.problem("schema", "expected \"" + schema + "\", got " + support::shown(Json(found)));
  }
  support::throw_if_any(in.problems());
  return in.string("version");
}

/// Is there one? It is as exact as ours.
bool read_sketch(ObjectReader& in) {
  if (!in.has("sketch")) return false;
  ObjectReader object = in.object("sketch");
  constexpr double error = ValueSketch::relative_error;
  object.number("relative_error", error, error);
  object.finish();
  return true;
}

Enumeration read_head(ObjectReader& in) {
  Enumeration head;
  head.scenario = in.string("scenario");
  head.scenario_sha256 = in.string("scenario_sha256");
  head.truth_sha256 = in.string("truth_sha256");
  head.instance = in.integer("instance", 0, integer_max);
  head.salt_sha256 = in.string("salt_sha256", "");
  head.configurations = read_count(in, "configurations");
  ObjectReader rejected = in.object("rejected_by");
  for (const std::string& name : rejected.keys()) {
    head.rejected_by.emplace_back(name, read_count(rejected, name));
  }
  rejected.finish();
  head.sketched = read_sketch(in);
  return head;
}

scenarios::Objective read_objective(ObjectReader& in) {
  ObjectReader object = in.object("objective");
  const scenarios::Objective objective = scenarios::read_objective(object);
  object.finish();
  return objective;
}

Json baseline_json(const BaselineRank& baseline) {
  if (!baseline.stated) return nullptr;
  return {{"value", number_or_null(baseline.value)}};
}

/// Shards have no share: each knows a part of the space.
BaselineRank read_baseline(ObjectReader& in, bool with_share) {
  std::optional<ObjectReader> object = in.optional_object("baseline");
  if (!object) return {.stated = false, .value = {}, .share_better = {}};
  BaselineRank rank{.value = read_number_if_any(*object, "value"), .share_better = {}};
  if (with_share && object->raw("share_better") != nullptr) {
    rank.share_better = object->number("share_better", 0.0, 1.0);
  }
  object->finish();
  return rank;
}

Json failures_json(const FailureCounts& failures) {
  Json object = Json::object();
  for (const auto& [reason, count] : failures) object[std::string(name_of(reason))] = count;
  return object;
}

/// At most `configurations` in all.
FailureCounts read_failures(ObjectReader failures, std::uint64_t configurations) {
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

Json configs_json(const std::vector<scenarios::ConfigText>& configs) {
  Json list = Json::array();
  for (const scenarios::ConfigText& config : configs) {
    list.push_back(Json::object());
    for (const auto& [name, value] : config) list.back()[name] = support::parse_json(value, name);
  }
  return list;
}

std::vector<scenarios::ConfigText> read_configs(ObjectReader& in) {
  std::vector<scenarios::ConfigText> configs;
  for (const ValueReader& config : in.array("configs")) {
    config.object();  // complains when it is none
    if (config.raw() == nullptr || !config.raw()->is_object()) continue;
    configs.emplace_back();
    for (const auto& [name, value] : config.raw()->items()) {
      configs.back().emplace_back(name, value.dump());
    }
  }
  return configs;
}

// The whole ------------------------------------------------------------------------------------

Json optimum_json(const std::optional<Optimum>& optimum) {
  if (!optimum) return nullptr;
  return {{"value", optimum->count > 0 ? Json(optimum->value) : Json()},
          {"configs", configs_json(optimum->configs)},
          {"count", optimum->count},
          {"certified", optimum->certified},
          {"bound", number_or_null(optimum->bound)}};
}

/// A bound that is null is the best infinity.
std::optional<Optimum> read_optimum(ObjectReader& in, scenarios::Direction direction) {
  std::optional<ObjectReader> object = in.optional_object("optimum");
  if (!object) return std::nullopt;
  Optimum optimum;
  const std::optional<double> value = read_number_if_any(*object, "value");
  optimum.value = value.value_or(0.0);
  optimum.configs = read_configs(*object);
  optimum.count = read_count(*object, "count");
  optimum.certified = object->boolean("certified");
  optimum.bound = read_number_if_any(*object, "bound")
                      .value_or(direction == scenarios::Direction::maximize ? infinite : -infinite);
  if (value.has_value() != (optimum.count > 0)) {
    object->problem("value", "expected a number exactly when the count is not 0");
  }
  if (optimum.configs.size() > optimum.count) {
    object->problem("configs", "expected no more than the count");
  }
  if (optimum.certified && optimum.bound != optimum.value) {
    object->problem("bound", "expected the value, as it is certified");
  }
  object->finish();
  return optimum;
}

std::vector<double> read_quantiles(ObjectReader& in) {
  std::vector<double> quantiles = numbers_of(in.optional_array("quantiles"));
  if (!quantiles.empty() && quantiles.size() != quantile_count) {
    in.problem("quantiles", "expected " + std::to_string(quantile_count) + " values, got " +
                                std::to_string(quantiles.size()));
  }
  if (!std::ranges::is_sorted(quantiles)) in.problem("quantiles", "expected values that ascend");
  return quantiles;
}

Json best_of_k_json(const std::vector<BestOfK>& best_of_k) {
  Json list = Json::array();
  for (const BestOfK& best : best_of_k) {
    list.push_back({{"k", best.k},
                    {"with_replacement", best.with_replacement},
                    {"without_replacement", best.without_replacement}});
    const auto add = [&](const char* key, const std::optional<BestQuantiles>& of) {
      if (of) list.back()[key] = {of->p05, of->p25, of->p75, of->p95};
    };
    add("with_quantiles", best.with_quantiles);
    add("without_quantiles", best.without_quantiles);
  }
  return list;
}

/// Nothing in files of earlier versions.
std::optional<BestQuantiles> read_quantiles_of_best(ObjectReader& in, std::string_view key) {
  if (!in.has(key)) return std::nullopt;
  const std::vector<double> values = numbers_of(in.array(key));
  if (values.size() == 4) {
    return BestQuantiles{.p05 = values[0], .p25 = values[1], .p75 = values[2], .p95 = values[3]};
  }
  in.problem(key, "expected 4 values, got " + std::to_string(values.size()));
  return std::nullopt;
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

/// A number of each entry, in columns: there are hundreds of entries.
struct CurveColumn {
  std::string_view key;
  std::optional<double> (*of)(const RandomAfter&);
  void (*set)(RandomAfter&, double);
};

template <auto member>
std::optional<double> number_of(const RandomAfter& after) {
  return after.*member;
}
template <auto member>
void set_number(RandomAfter& after, double value) {
  after.*member = value;
}
template <auto band, auto edge>
std::optional<double> edge_of(const RandomAfter& after) {
  return after.*band.*edge;
}
template <auto band, auto edge>
void set_edge(RandomAfter& after, double value) {
  after.*band.*edge = value;
}

constexpr CurveColumn curve_columns[] = {
    {"failing", number_of<&RandomAfter::failing>, set_number<&RandomAfter::failing>},
    {"mean", number_of<&RandomAfter::mean>, set_number<&RandomAfter::mean>},
    {"error", number_of<&RandomAfter::error>, set_number<&RandomAfter::error>},
    {"half_worse", edge_of<&RandomAfter::half, &RandomBand::worse>,
     set_edge<&RandomAfter::half, &RandomBand::worse>},
    {"half_better", edge_of<&RandomAfter::half, &RandomBand::better>,
     set_edge<&RandomAfter::half, &RandomBand::better>},
    {"nine_tenths_worse", edge_of<&RandomAfter::nine_tenths, &RandomBand::worse>,
     set_edge<&RandomAfter::nine_tenths, &RandomBand::worse>},
    {"nine_tenths_better", edge_of<&RandomAfter::nine_tenths, &RandomBand::better>,
     set_edge<&RandomAfter::nine_tenths, &RandomBand::better>}};

/// What fails is null.
Json curve_json(const std::vector<RandomAfter>& curve) {
  Json columns = Json::object();
  for (const CurveColumn& column : curve_columns) {
    Json& numbers = columns[std::string(column.key)] = Json::array();
    for (const RandomAfter& after : curve) numbers.push_back(number_or_null(column.of(after)));
  }
  return columns;
}

/// Null where random search was not simulated.
Json random_search_json(const RandomSearchCurves& curves) {
  if (curves.studies == 0) return nullptr;
  return {{"studies", curves.studies},
          {"from_baseline", curve_json(curves.from_baseline)},
          {"from_nothing", curve_json(curves.from_nothing)}};
}

std::vector<RandomAfter> read_curve(ObjectReader& in, std::string_view key) {
  std::vector<RandomAfter> curve;
  ObjectReader columns = in.object(key);
  for (const CurveColumn& column : curve_columns) {
    const std::vector<ValueReader> numbers = columns.array(column.key);
    if (column.key == curve_columns[0].key) curve.resize(numbers.size());
    if (numbers.size() != curve.size()) {
      columns.problem(column.key, "expected as many numbers as \"failing\" has");
      continue;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool fails = numbers[i].raw() != nullptr && numbers[i].raw()->is_null();
      if (!fails) column.set(curve[i], numbers[i].number(-infinite, infinite));
    }
  }
  columns.finish();
  return curve;
}

/// None in files of earlier versions.
RandomSearchCurves read_random_search(ObjectReader& in) {
  std::optional<ObjectReader> object = in.optional_object("random_search");
  if (!object) return {};
  RandomSearchCurves curves{.studies = object->integer("studies", 1, integer_max),
                            .from_baseline = read_curve(*object, "from_baseline"),
                            .from_nothing = read_curve(*object, "from_nothing")};
  object->finish();
  return curves;
}

// A shard --------------------------------------------------------------------------------------

void read_shard_number(ObjectReader& in, EnumerationShard& shard) {
  ObjectReader object = in.object("shard");
  shard.of = object.integer("of", 1, shards_max);
  shard.index = object.integer("index", 1, shard.of);
  object.finish();
}

Json best_json(const EnumerationShard& shard) {
  if (shard.best.count == 0) return nullptr;
  return {{"value", shard.best.value},
          {"configs", configs_json(shard.best_configs)},
          {"numbers", shard.best.numbers},
          {"count", shard.best.count}};
}

void read_best(ObjectReader& in, EnumerationShard& shard) {
  std::optional<ObjectReader> object = in.optional_object("best");
  if (!object) return;
  shard.best.value = object->number("value", 0.0, finite_max);
  shard.best_configs = read_configs(*object);
  for (const ValueReader& number : object->array("numbers")) {
    shard.best.numbers.push_back(static_cast<std::uint64_t>(number.integer(0, integer_max)));
  }
  shard.best.count = read_count(*object, "count");
  if (shard.best.count == 0 || shard.best.numbers.empty() ||
      shard.best.numbers.size() != shard.best_configs.size() ||
      shard.best.numbers.size() > optima_listed_max) {
    object->problem("numbers", "expected as many as there are configs, and a count that is not 0");
  }
  object->finish();
}

Json values_json(const EnumerationShard& shard) {
  if (shard.file) {
    return {
        {"file", shard.file->name}, {"sha256", shard.file->sha256}, {"bytes", shard.file->bytes}};
  }
  Json runs = Json::array();
  for (const ValueRun& run : shard.runs) {
    runs.push_back({{"value", run.value}, {"count", run.count}});
  }
  return {{"runs", std::move(runs)}};
}

void read_runs(ObjectReader& values, EnumerationShard& shard) {
  double last = -1.0;
  for (const ValueReader& element : values.array("runs")) {
    ObjectReader object = element.object();
    const ValueRun run{.value = object.number("value", 0.0, finite_max),
                       .count = read_count(object, "count")};
    if (run.value <= last || run.count == 0) {
      object.problem("value", "expected values that ascend, each with a count that is not 0");
    }
    last = run.value;
    object.finish();
    shard.runs.push_back(run);
  }
}

void read_values(ObjectReader& in, EnumerationShard& shard) {
  ObjectReader values = in.object("values");
  if (values.has("file")) {
    shard.file = ValuesFile{.name = values.string("file"),
                            .sha256 = values.string("sha256"),
                            .bytes = read_count(values, "bytes")};
    if (std::filesystem::path(shard.file->name).filename() != shard.file->name) {
      values.problem("file", "expected the name of a file in this folder");
    }
  } else {
    read_runs(values, shard);
  }
  values.finish();
}

void require_our_version(ObjectReader& in, const std::string& version) {
  const std::string ours = support::new_document("enumeration_shard")["version"];
  if (version != ours) {
    in.problem("version", "expected " + ours + ", the version of this program, got \"" +
                              support::shortened(version) + "\"");
  }
  support::throw_if_any(in.problems());
}

}  // namespace

Json enumeration_json(const Enumeration& of) {
  Json document = head_json("enumeration", of);
  document["failures"] = of.exhaustive ? failures_json(of.failures) : Json();
  document["optimum"] = optimum_json(of.optimum);
  document["baseline"] = baseline_json(of.baseline);
  if (of.baseline.stated) {
    document["baseline"]["share_better"] = number_or_null(of.baseline.share_better);
  }
  document["quantiles"] = of.exhaustive ? Json(of.quantiles) : Json();
  document["best_of_k"] = of.exhaustive ? best_of_k_json(of.best_of_k) : Json();
  document["random_search"] = random_search_json(of.random_search);
  document["objective"] = scenarios::objective_json(of.objective);
  document["valued"] = of.valued;
  return document;
}

Enumeration enumeration_of(const Json& document, const std::string& file) {
  std::vector<support::Problem> problems;
  ObjectReader in(document, file, "", problems);
  read_version(in, "enumeration");
  Enumeration all = read_head(in);
  if (std::optional<ObjectReader> failures = in.optional_object("failures")) {
    all.failures = read_failures(std::move(*failures), all.configurations);
  } else {
    all.exhaustive = false;
  }
  all.objective = read_objective(in);
  all.optimum = read_optimum(in, all.objective.direction);
  all.baseline = read_baseline(in, true);
  all.quantiles = read_quantiles(in);
  all.best_of_k = read_best_of_k(in);
  all.random_search = read_random_search(in);
  all.valued = read_count(in, "valued");
  if (all.valued > all.configurations) {
    in.problem("valued", "expected no more than there are configurations");
  }
  in.finish();
  support::throw_if_any(problems);
  return all;
}

Enumeration read_enumeration(const std::string& path) {
  return enumeration_of(support::parse_json(support::read_file(path), path), path);
}

Json enumeration_shard_json(const EnumerationShard& shard) {
  Json document = head_json("enumeration_shard", shard.head);
  document["objective"] = scenarios::objective_json(shard.head.objective);
  document["baseline"] = baseline_json(shard.head.baseline);
  document["best_of"] = shard.k_max;
  document["shard"] = {{"index", shard.index}, {"of", shard.of}};
  document["failures"] = failures_json(failures_of(shard.failures));
  document["best"] = best_json(shard);
  document["random_search"] = random_search_json(shard.head.random_search);
  document["values"] = values_json(shard);
  return document;
}

EnumerationShard enumeration_shard_of(const Json& document, const std::string& file) {
  std::vector<support::Problem> problems;
  ObjectReader in(document, file, "", problems);
  EnumerationShard shard;
  shard.version = read_version(in, "enumeration_shard");
  require_our_version(in, shard.version);
  shard.head = read_head(in);
  shard.head.objective = read_objective(in);
  shard.head.baseline = read_baseline(in, false);
  shard.k_max = in.integer("best_of", 1, k_limit);
  read_shard_number(in, shard);
  const std::uint64_t count =
      range_of_shard(shard.head.configurations, shard.index, shard.of).count;
  for (const auto& [reason, n] : read_failures(in.object("failures"), count)) {
    shard.failures[static_cast<std::size_t>(reason)] += n;
  }
  read_best(in, shard);
  shard.head.random_search = read_random_search(in);
  read_values(in, shard);
  in.finish();
  support::throw_if_any(problems);
  return shard;
}

}  // namespace cubicbench::datasets
