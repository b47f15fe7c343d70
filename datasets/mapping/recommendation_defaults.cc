#include "datasets/mapping/recommendation_defaults.h"

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

#include "datasets/mapping/measured_json.h"
#include "scenarios/object_reader.h"
#include "scenarios/strict_json.h"

namespace cubicbench::datasets {
namespace {

using scenarios::ObjectReader;
using scenarios::ValueReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.measured_recommendation/1"};
constexpr std::string_view shipped = "recommendation.json";
constexpr std::int64_t size_max = std::numeric_limits<std::int32_t>::max();

std::vector<AssumedSetting> read_settings(ObjectReader& in) {
  std::vector<AssumedSetting> settings;
  for (const ValueReader& entry : in.array("settings")) {
    ObjectReader one = entry.object();
    settings.push_back({.name = non_empty(one, "name"),
                        .value = non_empty(one, "value"),
                        .why = non_empty(one, "why")});
    one.finish();
  }
  return settings;
}

sim::TableGroup read_group(ObjectReader in) {
  const sim::TableGroup group{.tables = in.integer("tables", 1, size_max),
                              .rows = in.integer("rows", 1, size_max),
                              .dim = in.integer("dim", 1, size_max),
                              .pooling = in.number("pooling", scenarios::above_zero, 1e6)};
  in.finish();
  return group;
}

KnownTables read_tables(ObjectReader in) {
  KnownTables tables{
      .contains = non_empty(in, "contains"), .groups = {}, .why = non_empty(in, "why")};
  for (const ValueReader& group : in.array("groups")) {
    tables.groups.push_back(read_group(group.object()));
  }
  if (tables.groups.size() > sim::table_groups_max) {
    in.problem("groups", "expected at most " + std::to_string(sim::table_groups_max) +
                             " groups, got " + std::to_string(tables.groups.size()));
  }
  in.finish();
  return tables;
}

sim::DenseArch read_arch(ObjectReader in, bool has_inputs) {
  const sim::DenseArch arch{.inputs = has_inputs ? in.integer("inputs", 1, size_max) : 1,
                            .layers = in.integer("layers", 1, size_max),
                            .width = in.integer("width", 1, size_max),
                            .ffn_hidden = in.integer("ffn_hidden", 1, size_max)};
  in.finish();
  return arch;
}

KnownArchs read_archs(ObjectReader in) {
  KnownArchs archs{.contains = non_empty(in, "contains"),
                   .dense = read_arch(in.object("dense"), true),
                   .over = read_arch(in.object("over"), false),
                   .why = non_empty(in, "why")};
  in.finish();
  return archs;
}

KnownFramework read_framework(ObjectReader in) {
  KnownFramework framework{.contains = in.string("contains"),
                           .stack = non_empty(in, "stack"),
                           .settings = read_settings(in),
                           .why = non_empty(in, "why")};
  in.finish();
  return framework;
}

KnownPrecision read_precision(ObjectReader in) {
  KnownPrecision precision{.contains = non_empty(in, "contains"), .settings = read_settings(in)};
  in.finish();
  return precision;
}

}  // namespace

RecommendationDefaults read_recommendation_defaults(std::string_view text,
                                                    const std::string& file) {
  const nlohmann::ordered_json json = scenarios::parse_json(text, file);
  std::vector<scenarios::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  RecommendationDefaults read;
  for (const ValueReader& entry : in.array("tables")) {
    read.tables.push_back(read_tables(entry.object()));
  }
  for (const ValueReader& entry : in.array("archs")) {
    read.archs.push_back(read_archs(entry.object()));
  }
  for (const ValueReader& entry : in.array("frameworks")) {
    read.frameworks.push_back(read_framework(entry.object()));
  }
  for (const ValueReader& entry : in.array("precisions")) {
    read.precisions.push_back(read_precision(entry.object()));
  }
  in.finish();
  scenarios::throw_if_any(problems);
  return read;
}

const RecommendationDefaults& recommendation_defaults() {
  static const RecommendationDefaults read =
      read_recommendation_defaults(measured_json(shipped), measured_json_path(shipped));
  return read;
}

}  // namespace cubicbench::datasets
