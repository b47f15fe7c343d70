#include "datasets/mapping/measured_systems.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/text_match.h"
#include "scenarios/object_reader.h"
#include "scenarios/strict_json.h"

namespace cubicbench::datasets {
namespace {

using scenarios::ObjectReader;
using scenarios::ValueReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.measured_systems/1"};
constexpr std::string_view shipped = "systems.json";
constexpr std::int64_t count_max = 1 << 20;

constexpr std::array<std::string_view, 5> operation_names{"all_gather", "all_reduce", "all_to_all",
                                                          "point_to_point", "broadcast"};

GpuRule read_gpu(ObjectReader in) {
  GpuRule rule{.contains = non_empty(in, "contains"),
               .device = in.string("device", ""),
               .needs = in.string("needs", ""),
               .gpus_per_node = in.integer("gpus_per_node", 1, count_max, 8),
               .why = non_empty(in, "why")};
  in.finish();
  return rule;
}

FabricRule read_fabric(ObjectReader in) {
  FabricRule rule{.contains = non_empty(in, "contains"),
                  .fabric = non_empty(in, "fabric"),
                  .takes_rate = in.boolean("takes_rate"),
                  .why = non_empty(in, "why")};
  in.finish();
  return rule;
}

CountRule read_counts(ObjectReader in) {
  CountRule rule{.contains = non_empty(in, "contains"),
                 .nodes = in.integer("n_nodes", 1, count_max),
                 .gpus = in.integer("n_gpus", 1, count_max),
                 .why = non_empty(in, "why")};
  in.finish();
  return rule;
}

OperationRule read_operation(ObjectReader in) {
  OperationRule rule{.begins = non_empty(in, "begins"),
                     .excluded = in.boolean("excluded", false),
                     .needs = in.string("needs", ""),
                     .why = non_empty(in, "why")};
  if (rule.needs.empty() && !rule.excluded) {
    rule.operation = static_cast<CollectiveOperation>(in.one_of("operation", operation_names));
  }
  in.finish();
  return rule;
}

}  // namespace

MeasuredSystems read_measured_systems(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = scenarios::parse_json(text, file);
  std::vector<scenarios::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  MeasuredSystems read;
  for (const ValueReader& rule : in.array("gpus")) {
    read.gpus.push_back(read_gpu(rule.object()));
  }
  for (const ValueReader& rule : in.array("fabrics")) {
    read.fabrics.push_back(read_fabric(rule.object()));
  }
  for (const ValueReader& rule : in.array("counts")) {
    read.counts.push_back(read_counts(rule.object()));
  }
  for (const ValueReader& rule : in.array("operations")) {
    read.operations.push_back(read_operation(rule.object()));
  }
  in.finish();
  scenarios::throw_if_any(problems);
  return read;
}

const MeasuredSystems& measured_systems() {
  static const MeasuredSystems read =
      read_measured_systems(measured_json(shipped), measured_json_path(shipped));
  return read;
}

const GpuRule* find_gpu(std::string_view text) {
  return first_contained(measured_systems().gpus, text);
}

const FabricRule* find_fabric(std::string_view text) {
  return first_contained(measured_systems().fabrics, text);
}

const CountRule* find_counts(std::string_view system) {
  return first_contained(measured_systems().counts, system);
}

const OperationRule* find_operation(std::string_view collective) {
  const auto& rules = measured_systems().operations;
  const auto found = std::ranges::find_if(rules, [&](const OperationRule& rule) {
    return std::ranges::equal(collective.substr(0, rule.begins.size()), rule.begins, {}, lower_case,
                              lower_case);
  });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace cubicbench::datasets
