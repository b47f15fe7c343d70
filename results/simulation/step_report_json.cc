#include "results/simulation/step_report_json.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "results/simulation/part_names.h"
#include "results/simulation/peak_moment.h"
#include "scenarios/evaluation/evaluate.h"
#include "sim/memory/oom_probability.h"
#include "support/json/json_document.h"

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
  if (!has_step(simulation)) {
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

Json breakdown_json(const Simulation& simulation) {
  const sim::StepReport& report = simulation.report;
  Json parts = Json::array();
  if (!has_step(simulation)) {
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

Json parts_json(const std::array<sim::Bytes, sim::memory_part_count>& bytes) {
  Json parts = Json::array();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i].value != 0.0) {
      parts.push_back(
          {{"name", name_of(static_cast<sim::MemoryPart>(i))}, {"bytes", whole(bytes[i])}});
    }
  }
  return parts;
}

Json peak_json(const std::optional<scenarios::StageReplay>& replay) {
  if (!replay) return nullptr;
  return {{"operation", name_of(replay->peak.operation)},
          {"stage", replay->stage},
          {"micro_batch", replay->peak.micro_batch},
          {"allocated_bytes", whole(replay->allocated)},
          {"parts", parts_json(replay->peak.parts)}};
}

Json memory_json(const Simulation& simulation) {
  const sim::StepReport& report = simulation.report;
  if (report.status == sim::StepStatus::invalid) {
    return nullptr;
  }
  const sim::MemoryReport& memory = report.memory;
  return {{"capacity_bytes", whole(memory.capacity)},
          {"allocated_bytes", whole(memory.allocated)},
          {"reserved_bytes", whole(reserved_memory(simulation))},
          {"device_bytes", whole(reserved_memory(simulation) + outside_memory(simulation))},
          {"demand_bytes", whole(max(memory.demand, memory.demand_at_start))},
          {"margin_bytes", whole(margin(memory))},
          {"oom_probability", oom_probability(memory)},
          {"parts", parts_json(memory.parts)},
          {"peak", peak_json(simulation.replay)}};
}

Json event_json(const std::optional<PlayedStep>& played) {
  if (!played) return nullptr;
  return {{"events", played->counts.events},
          {"ranks", played->counts.ranks},
          {"flows", played->counts.flows},
          {"contention", played->contention},
          {"fold", played->fold},
          {"jitter", played->jitter ? Json(*played->jitter) : Json(nullptr)}};
}

}  // namespace

nlohmann::ordered_json step_report_json(const Simulation& simulation) {
  const auto why = reason(simulation);
  const auto bound = bound_by(simulation);
  Json document = support::new_document("simulate");
  document["scenario"] = simulation.scenario.name;
  document["scenario_sha256"] = simulation.scenario.sha256;
  if (!simulation.salt_sha256.empty()) {
    document["instance"] = simulation.instance;
    document["salt_sha256"] = simulation.salt_sha256;
  }
  document["engine"] = simulation.played ? "event" : "analytical";
  document["config"] = config_json(simulation);
  document["in_space"] = simulation.in_space;
  document["status"] = status_of(simulation);
  document["why"] = why ? Json(*why) : Json(nullptr);
  add_rates(simulation, document);
  document["breakdown"] = breakdown_json(simulation);
  document["bound_by"] = bound ? Json(name_of(*bound)) : Json(nullptr);
  document["memory"] = memory_json(simulation);
  document["extrapolated"] = Json::array();
  document["event"] = event_json(simulation.played);
  return document;
}

}  // namespace cubicbench::results
