#include "results/enumeration/enumeration_shard_json.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "results/enumeration/enumeration_parts.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"
#include "support/own_version.h"

namespace cubicbench::results {
namespace {

using datasets::EnumerationShard;
using datasets::ValueRun;
using support::ObjectReader;
using support::ValueReader;
using Json = nlohmann::ordered_json;

constexpr const char* schema = "cubicbench.enumeration_shard/1";
constexpr double finite_max = std::numeric_limits<double>::max();
constexpr std::int64_t integer_max = std::numeric_limits<std::int64_t>::max();

// Writing --------------------------------------------------------------------------------------

FailureCounts failures_of(const datasets::ReasonCounts& counts) {
  FailureCounts failures;
  for (std::size_t i = 1; i < counts.size(); ++i) {
    if (counts[i] > 0) failures.emplace_back(static_cast<scenarios::Reason>(i), counts[i]);
  }
  return failures;
}

Json best_json(const EnumerationShard& shard) {
  if (shard.best.count == 0) return nullptr;
  return {{"value", shard.best.value},
          {"configs", configs_of_json(shard.best_configs)},
          {"numbers", shard.best.numbers},
          {"count", shard.best.count}};
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

// Reading --------------------------------------------------------------------------------------

void read_shard_number(ObjectReader& in, EnumerationShard& shard) {
  ObjectReader object = in.object("shard");
  shard.of = object.integer("of", 1, datasets::shards_max);
  shard.index = object.integer("index", 1, shard.of);
  object.finish();
}

void read_best(ObjectReader& in, EnumerationShard& shard) {
  std::optional<ObjectReader> object = in.optional_object("best");
  if (!object) {
    in.allow("best");
    return;
  }
  shard.best.value = object->number("value", 0.0, finite_max);
  shard.best_configs = read_configs(*object);
  for (const ValueReader& number : object->array("numbers")) {
    shard.best.numbers.push_back(static_cast<std::uint64_t>(number.integer(0, integer_max)));
  }
  shard.best.count = read_count(*object, "count");
  if (shard.best.count == 0 || shard.best.numbers.empty() ||
      shard.best.numbers.size() != shard.best_configs.size() ||
      shard.best.numbers.size() > datasets::optima_listed_max) {
    object->problem("numbers", "expected as many as there are configs, and a count that is not 0");
  }
  object->finish();
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
    shard.file = datasets::ValuesFile{.name = values.string("file"),
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

void read_version(ObjectReader& in, EnumerationShard& shard) {
  shard.version = in.string("version");
  if (shard.version != support::own_version()) {
    in.problem("version", support::other_version(shard.version));
  }
  support::throw_if_any(in.problems());
}

}  // namespace

Json enumeration_shard_json(const EnumerationShard& shard) {
  Json document = support::new_document("enumeration_shard");
  write_enumeration_head(shard.head, document);
  document["objective"] = objective_of_json(shard.head.objective);
  document["baseline"] = baseline_of_json(shard.head.baseline);
  document["best_of"] = shard.k_max;
  document["shard"] = {{"index", shard.index}, {"of", shard.of}};
  document["failures"] = failures_of_json(failures_of(shard.failures));
  document["best"] = best_json(shard);
  document["values"] = values_json(shard);
  return document;
}

bool is_enumeration_shard(const Json& document) {
  return document.is_object() && document.contains("schema") && document["schema"] == schema;
}

EnumerationShard enumeration_shard_of(const Json& document, const std::string& file) {
  std::vector<support::Problem> problems;
  ObjectReader in(document, file, "", problems);
  require_schema(in, schema);
  EnumerationShard shard;
  read_version(in, shard);
  read_enumeration_head(in, shard.head);
  shard.head.objective = read_objective_of(in);
  if (auto baseline = stated_baseline(in, shard.head.baseline)) baseline->finish();
  shard.k_max = in.integer("best_of", 1, datasets::k_limit);
  read_shard_number(in, shard);
  const std::uint64_t count =
      datasets::range_of_shard(shard.head.configurations, shard.index, shard.of).count;
  for (const auto& [reason, n] : read_failures_of(in.object("failures"), count)) {
    shard.failures[static_cast<std::size_t>(reason)] += n;
  }
  read_best(in, shard);
  read_values(in, shard);
  in.finish();
  support::throw_if_any(problems);
  return shard;
}

}  // namespace cubicbench::results
