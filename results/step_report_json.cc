#include "results/step_report_json.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "results/part_names.h"
#include "scenarios/evaluate.h"
#include "scenarios/json_document.h"
#include "sim/memory/oom_probability.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

Json config_json(const Simulation& simulation) {
  Json config = Json::object();
  for (const scenarios::Assignment& assignment : simulation.config) {
    config[std::string(assignment.setting->name)] =
        scenarios::json_of(*assignment.setting, assignment.value);
  }
  return config;
}

/// Adds step_time_s up to objective.
void add_rates(const Simulation& simulation, Json& document) {
  const scenarios::Scenario& scenario = simulation.scenario;
  const std::string_view metric = scenarios::name_of(scenario.objective.metric);
  if (simulation.report.status != sim::StepStatus::ok) {
    for (const char* key : {"step_time_s", "samples_per_s", "tokens_per_s", "tokens_per_s_per_gpu",
                            "mfu", "mfu_6n"}) {
      document[key] = nullptr;
    }
    document["objective"] = {{"metric", metric}, {"value", nullptr}};
    return;
  }
  const sim::Plan& plan = scenario.baseline;
  const sim::Seconds step = simulation.report.step;
  const std::optional<double> tokens = scenarios::tokens_per_s(scenario, plan, step);
  document["step_time_s"] = step.value;
  document["samples_per_s"] = scenarios::samples_per_s(scenario, plan, step);
  document["tokens_per_s"] = tokens ? Json(*tokens) : Json(nullptr);
  document["tokens_per_s_per_gpu"] = tokens ? Json(*tokens / scenario.cluster.gpus) : Json(nullptr);
  document["mfu"] = scenarios::mfu(scenario, plan, step);
  document["mfu_6n"] = scenarios::mfu_6n(scenario, plan, step);
  document["objective"] = {
      {"metric", metric},
      {"value", simulation.truth.reason == scenarios::Reason::none ? Json(simulation.truth.value)
                                                                   : Json(nullptr)}};
}

Json breakdown_json(const sim::StepReport& report) {
  Json parts = Json::array();
  if (report.status != sim::StepStatus::ok) {
    return parts;
  }
  for (std::size_t i = 0; i < report.parts.size(); ++i) {
    if (report.parts[i].value != 0.0) {
      parts.push_back(
          {{"name", name_of(static_cast<sim::StepPart>(i))}, {"seconds", report.parts[i].value}});
    }
  }
  return parts;
}

std::int64_t whole(sim::Bytes bytes) { return static_cast<std::int64_t>(bytes.value); }

Json memory_json(const sim::StepReport& report) {
  if (report.status == sim::StepStatus::invalid) {
    return nullptr;
  }
  const sim::MemoryReport& memory = report.memory;
  Json parts = Json::array();
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    if (memory.parts[i].value != 0.0) {
      parts.push_back(
          {{"name", name_of(static_cast<sim::MemoryPart>(i))}, {"bytes", whole(memory.parts[i])}});
    }
  }
  return {{"capacity_bytes", whole(memory.capacity)},
          {"allocated_bytes", whole(memory.allocated)},
          {"reserved_bytes", whole(memory.reserved)},
          {"demand_bytes", whole(max(memory.demand, memory.demand_at_start))},
          {"margin_bytes", whole(margin(memory))},
          {"oom_probability", oom_probability(memory)},
          {"parts", parts}};
}

}  // namespace

nlohmann::ordered_json step_report_json(const Simulation& simulation) {
  const auto why = reason(simulation);
  const auto bound = bound_by(simulation.report);
  Json document = scenarios::new_document("simulate");
  document["scenario"] = simulation.scenario.name;
  document["scenario_sha256"] = simulation.scenario.sha256;
  document["engine"] = "analytical";
  document["config"] = config_json(simulation);
  document["in_space"] = simulation.in_space;
  document["status"] = name_of(simulation.report.status);
  document["why"] = why ? Json(*why) : Json(nullptr);
  add_rates(simulation, document);
  document["breakdown"] = breakdown_json(simulation.report);
  document["bound_by"] = bound ? Json(name_of(*bound)) : Json(nullptr);
  document["memory"] = memory_json(simulation.report);
  document["extrapolated"] = Json::array();
  document["event"] = nullptr;
  return document;
}

}  // namespace cubicbench::results
