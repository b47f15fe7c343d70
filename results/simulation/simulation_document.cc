#include "results/simulation/simulation_document.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "results/simulation/part_names.h"
#include "results/simulation/shown_problem.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/network_reader.h"
#include "sim/engine/step_energy.h"
#include "sim/memory/memory_report.h"
#include "sim/plan/validity.h"
#include "sim/workload/arch_work.h"
#include "sim/workload/workload.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using Parts = std::array<sim::Bytes, sim::memory_part_count>;

/// Parts of the step below this share would read 0.0 % and are left out.
constexpr double share_min = 0.0005;

/// Amounts that are not zero, by part.
template <typename Part, typename Amount, std::size_t n>
std::vector<std::pair<Part, Amount>> parts_of(const std::array<Amount, n>& amounts) {
  std::vector<std::pair<Part, Amount>> parts;
  for (std::size_t i = 0; i < n; ++i) {
    if (amounts[i].value != 0.0) parts.emplace_back(static_cast<Part>(i), amounts[i]);
  }
  return parts;
}

bool of_recommendation(const Simulation& of) {
  return scenarios::kind_of(of.scenario.workload) == scenarios::WorkloadKind::recommendation;
}

// What was asked -------------------------------------------------------------------------------

/// "405.9 B": billions rather than giga, as models are called.
std::string parameters_text(double parameters) {
  std::string text = scaled(parameters);
  std::ranges::replace(text, 'G', 'B');
  return text;
}

/// Layers of those kinds.
std::int64_t layers_with(const sim::Transformer& model, bool (*which)(sim::LayerKind)) {
  const sim::LayerKinds kinds = sim::layer_kinds(model);
  const sim::PerKind<std::int64_t> counts = sim::kinds_among(model, model.layers);
  std::int64_t layers = 0;
  for (std::size_t i = 0; i < kinds.count; ++i) layers += which(kinds.list[i]) ? counts[i] : 0;
  return layers;
}

/// ", 58 of them with 256 experts, 8 a token beside a shared one".
std::string experts_text(const sim::Transformer& model) {
  if (!sim::has_experts(model)) return "";
  const sim::Experts& experts = model.experts;
  const std::int64_t with =
      layers_with(model, [](sim::LayerKind kind) { return kind.ffn == sim::FeedForward::experts; });
  return (with < model.layers ? ", " + grouped(with) + " of them with " : " with ") +
         grouped(experts.count) + " experts, " + grouped(experts.per_token) + " a token" +
         (experts.shared_ffn_hidden > 0 ? " beside a shared one" : "");
}

/// ", 6 of them with attention, 23 with a state space of 64 heads".
std::string mixers_text(const sim::Transformer& model) {
  if (model.pattern.empty()) return "";
  const std::int64_t attention =
      layers_with(model, [](sim::LayerKind kind) { return traits(kind.mixer).attends; });
  const std::int64_t scans =
      layers_with(model, [](sim::LayerKind kind) { return kind.mixer == sim::Mixer::scan; });
  std::string text = ", " + grouped(attention) + " of them with attention";
  if (scans > 0) {
    text += ", " + grouped(scans) + " with a state space of " + grouped(model.state_space.heads) +
            " heads";
  }
  return text;
}

std::string heads_text(const sim::Transformer& model) {
  if (!model.pattern.empty() && !sim::has_attention(model)) return "";
  std::string text = ", " + grouped(model.attention_heads) + " heads";
  if (model.kv_heads != model.attention_heads) {
    text += " (" + grouped(model.kv_heads) + " for keys and values)";
  }
  return text;
}

/// ", 18 of them with a window of 128 tokens".
std::string window_text(const sim::Transformer& model) {
  if (!sim::has_window(model)) return "";
  return ", " + grouped(model.layers - sim::full_layers(model).among(model.layers)) +
         " of them with a window of " + grouped(model.window.tokens) + " tokens";
}

/// ", adapters of rank 16 (20.2 M trained parameters)".
std::string adapters_text(const sim::Transformer& model) {
  if (!sim::has_adapters(model)) return "";
  const double trained =
      static_cast<double>(model.layers + model.prediction_layers) * sim::adapter_parameters(model);
  return ", adapters of rank " + grouped(model.adapters.rank) + " (" + parameters_text(trained) +
         " trained parameters)";
}

std::string workload_text(const sim::Transformer& model) {
  std::string text = parameters_text(sim::total_parameters(model)) + " parameters";
  if (sim::has_experts(model)) {
    text += " (" + parameters_text(sim::mfu_parameters(model)) + " used by a token)";
  }
  text += ": " + grouped(model.layers) + " layers" + experts_text(model) + mixers_text(model) +
          window_text(model) + ", hidden " + grouped(model.hidden) + heads_text(model);
  text += ", sequence " + grouped(model.sequence);
  if (model.packed_sample > 0) text += " of samples of " + grouped(model.packed_sample);
  return text + adapters_text(model);
}

std::string workload_text(const sim::Recommendation& model) {
  const double tables = sim::table_parameters(model);
  const double dense = sim::dense_parameters(model);
  return parameters_text(tables + dense) + " parameters: " + parameters_text(tables) + " in " +
         grouped(sim::table_count(model)) + " tables, " + parameters_text(dense) +
         " dense; a sample reads " + scaled(sim::ids_per_sample(model)) + " rows and costs " +
         scaled(sim::mfu_flops_per_sample(model)) + "FLOP";
}

/// Packed jobs, as most are, need no word about their placement (docs/network.md).
std::string cluster_text(const scenarios::Scenario& scenario) {
  const sim::Cluster& cluster = scenario.cluster;
  const std::int64_t whole = scenario.space.facts().gpus;
  std::string text = grouped(cluster.gpus) + (cluster.gpus < whole ? " of " + grouped(whole) : "") +
                     " x " + scenario.device + ", " + grouped(cluster.gpus_per_node) +
                     " a node, network " + scenario.network + ", stack " + scenario.stack_name;
  if (cluster.placement == sim::Placement::packed) return text;
  const auto placement = static_cast<std::size_t>(cluster.placement);
  return text.append(", placement ").append(scenarios::placement_names()[placement]);
}

/// The value of a setting as a user writes it.
std::string value_of(std::string_view name, const sim::Plan& plan) {
  const scenarios::Setting* setting = scenarios::find_setting(name);
  return scenarios::format_setting(*setting, setting->read(plan));
}

/// ", experts over 64 ranks (deepep)": of models with experts.
std::string experts_layout(const sim::Plan& plan) {
  std::string text = ", experts on one rank";
  if (plan.expert_parallel > 1) {
    text = ", experts over " + grouped(plan.expert_parallel) + " ranks (" +
           value_of("expert_dispatch", plan) + ")";
  }
  if (plan.expert_tensor_parallel > 1) {
    text += " x tensor " + grouped(plan.expert_tensor_parallel);
  }
  if (plan.expert_storage != sim::ExpertStorage::device) {
    text += " in storage " + value_of("expert_storage", plan);
  }
  return text;
}

std::string layout_text(const Simulation& of, const sim::Transformer& model) {
  const sim::Plan& plan = of.scenario.baseline;
  std::string text = "tensor " + grouped(plan.tensor_parallel) + " x pipeline " +
                     grouped(plan.pipeline_parallel) + " x context " +
                     grouped(plan.context_parallel);
  if (of.report.violation.rule != sim::Rule::gpus_divide) {
    text += " x data " + grouped(sim::data_parallel(plan, of.scenario.cluster));
  }
  if (sim::has_experts(model)) text += experts_layout(plan);
  return text + ", " + value_of("sharding", plan) + ", " + value_of("dtype", plan);
}

std::string layout_text(const Simulation& of, const sim::Recommendation& model) {
  const sim::Plan& plan = of.scenario.baseline;
  std::string text =
      "tables " + value_of("embedding_plan", plan) + " in " + value_of("embedding_dtype", plan);
  const auto add = [&](std::string_view part, std::string_view setting) {
    text += ", " + std::string(part) + " " + value_of(setting, plan);
  };
  add("dense arch", "dense_sharding");
  if (model.sequence) add("sequence arch", "sequence_sharding");
  if (sim::parameters_of(sim::arch_work(model, sim::ModuleGroup::interaction)) > 0.0) {
    add("interaction", "interaction_sharding");
  }
  add("over arch", "over_sharding");
  return text + ", " + value_of("dtype", plan);
}

std::string batch_text(const Simulation& of) {
  const sim::Plan& plan = of.scenario.baseline;
  if (of_recommendation(of)) {
    return grouped(plan.batch_per_gpu * of.scenario.cluster.gpus) + " samples, " +
           grouped(plan.batch_per_gpu) + " a GPU";
  }
  return grouped(plan.global_batch) + " sequences, " + grouped(plan.micro_batch) + " a micro-batch";
}

std::string settings_text(const Simulation& of) {
  return support::joined(of.config, " ", [](const scenarios::Assignment& given) {
    return std::string(given.setting->name) + "=" +
           scenarios::format_setting(*given.setting, given.value);
  });
}

std::string instance_text(const Simulation& of) {
  if (of.instance == 0) return "";
  return grouped(of.instance) + ": hidden constants drawn within their spread" +
         (of.salt_sha256.empty() ? "" : ", sealed by the salt with SHA-256 " + of.salt_sha256);
}

/// Facts without a text are left out.
Facts facts_of(std::vector<std::pair<std::string, std::string>> items) {
  std::erase_if(items, [](const auto& item) { return item.second.empty(); });
  return {.items = std::move(items)};
}

Facts problem_facts(const Simulation& of) {
  const scenarios::Scenario& scenario = of.scenario;
  const auto [workload, layout] = std::visit(
      [&](const auto& model) { return std::pair(workload_text(model), layout_text(of, model)); },
      scenario.workload);
  return facts_of(
      {{"scenario", scenario.name},
       {"summary", of.changes.empty() ? scenario.summary
                                      : "changed by " + support::joined(of.changes, ", ") +
                                            "; unchanged it is: " + scenario.summary},
       {"workload", workload},
       {"cluster", cluster_text(scenario)},
       {"layout", layout},
       {"batch", batch_text(of)},
       {"settings", settings_text(of)},
       {"instance", instance_text(of)},
       {"note", of.in_space ? "" : "outside the search space: " + of.outside}});
}

// What it came to ------------------------------------------------------------------------------

/// "12,345,678 events, 16 of 16,384 ranks played, 1,234 flows", and what is not as usual.
std::string engine_text(const Simulation& of) {
  if (!of.played) return "";
  const PlayedStep& played = *of.played;
  std::string text = "event: " + counted(played.counts.events, "event", "events") + ", " +
                     grouped(played.counts.ranks) + " of " + grouped(of.scenario.cluster.gpus) +
                     " ranks played, " + counted(played.counts.flows, "flow", "flows");
  if (!played.contention) text += ", contention off";
  if (played.jitter) text += ", GPUs late as drawn from " + grouped(*played.jitter);
  return text;
}

/// "2.433 M tokens/s, the median over the steps of a run": the true value of the objective, or why
/// there is none.
std::string objective_text(const Simulation& of) {
  const scenarios::Objective& objective = of.scenario.objective;
  if (of.truth.reason != scenarios::Reason::none) return "none: " + reason(of).value_or("");
  return metric_text(objective, of.truth.value) +
         (of.played && of.played->jitter
              ? ", of this one step"
              : ", " + percentile_text(objective.percentile) + " over the steps of a run");
}

/// Requires a step and a device whose power is stated.
double gpu_energy_j(const Simulation& of) {
  return sim::gpu_step_energy_j(of.scenario.cluster.device, of.report.step,
                                sim::busy_time(of.report));
}

std::string throughput_text(const Simulation& of) {
  const scenarios::Scenario& scenario = of.scenario;
  const sim::Seconds step = of.report.step;
  const double samples = scenarios::samples_per_s(scenario, scenario.baseline, step);
  const std::optional<double> tokens = scenarios::tokens_per_s(scenario, scenario.baseline, step);
  const std::string unit = tokens ? " tokens/s" : " samples/s";
  const double rate = tokens.value_or(samples);
  return scaled(rate) + unit + ", " + scaled(rate / scenario.cluster.gpus) + unit + " a GPU" +
         (tokens ? ", " + scaled(samples) + " samples/s" : "");
}

/// "1.234 kJ a GPU and step, 512 W on average", where the objective is of energy.
std::string energy_text(const Simulation& of) {
  constexpr double joules_per_kj = 1e3;
  if (!is_of_energy(of.scenario.objective.metric)) return "";
  const double joules = gpu_energy_j(of);
  return scaled(joules / joules_per_kj) + " kJ a GPU and step, " +
         fixed(joules / of.report.step.value, 0) + " W on average";
}

/// "0.0123 USD a step", where the objective is of cost.
std::string price_text(const Simulation& of) {
  const scenarios::Scenario& scenario = of.scenario;
  if (!is_of_cost(scenario.objective.metric)) return "";
  return scaled(scenarios::step_price_usd(scenario, scenario.baseline, of.report.step)) +
         " USD a step";
}

/// Where the configuration would meet it; the objective says by how much others miss it.
std::string deadline_fact(const Simulation& of) {
  const std::optional<scenarios::Deadline>& deadline = of.scenario.objective.deadline;
  if (!deadline || !of.training_days || of.truth.reason != scenarios::Reason::none) return "";
  return deadline_text(*deadline) + ": would take " + fixed(*of.training_days, 1);
}

std::string mfu_text(const Simulation& of) {
  const scenarios::Scenario& scenario = of.scenario;
  const sim::Seconds step = of.report.step;
  const std::string mfu = percent(scenarios::mfu(scenario, scenario.baseline, step));
  if (of_recommendation(of)) return mfu + " (three times the products of a forward pass)";
  return mfu + " (" + percent(scenarios::mfu_6n(scenario, scenario.baseline, step)) +
         " counting 6 N a token only)";
}

/// By status; a step that stalled has memory enough.
constexpr std::array<std::string_view, 4> verdicts{
    "stalled: ", "out of memory before the first step: ", "out of memory: ", "invalid: "};

Facts result_facts(const Simulation& of) {
  if (!has_step(of)) {
    return facts_of({{"engine", engine_text(of)},
                     {"result", std::string(verdicts[static_cast<std::size_t>(of.report.status)]) +
                                    reason(of).value_or("")}});
  }
  const sim::StepPart bound = bound_by(of).value_or(sim::StepPart::gemm);
  return facts_of(
      {{"engine", engine_text(of)},
       {"objective", objective_text(of)},
       {"deadline", deadline_fact(of)},
       {"step time", duration(of.report.step)},
       {"throughput", throughput_text(of)},
       {"MFU", mfu_text(of)},
       {"energy", energy_text(of)},
       {"price", price_text(of)},
       {"bound by", std::string(resource_of(bound)) + ", in " + std::string(label_of(bound))}});
}

Bars time_bars(const sim::StepReport& report) {
  const sim::Seconds largest = *std::ranges::max_element(report.parts);
  Bars bars;
  for (const auto& [part, time] : parts_of<sim::StepPart>(report.parts)) {
    const double share = time / report.step;
    if (share < share_min) continue;
    bars.rows.push_back({.label = label_of(part),
                         .value = duration(time),
                         .share = share,
                         .length = time / largest});
  }
  return bars;
}

Bars memory_bars(const Simulation& of) {
  const sim::MemoryReport& memory = of.report.memory;
  const sim::Bytes demand = largest_demand(memory);
  const sim::Bytes reserved = reserved_memory(of);
  const sim::Bytes full = max(memory.capacity, max(demand, reserved));
  Bars bars;
  const auto add = [&](std::string_view label, sim::Bytes bytes) {
    bars.rows.push_back({.label = label,
                         .value = gib(bytes),
                         .share = bytes / memory.capacity,
                         .length = bytes / full});
  };
  for (const auto& [part, bytes] : parts_of<sim::MemoryPart>(memory.parts)) {
    add(label_of(part), bytes);
  }
  add("= allocated", memory.allocated);
  add("demand", demand);
  add("reserved", reserved);
  add("capacity", memory.capacity);
  return bars;
}

/// What a tool that watches the device would see, how close the verdict is, and the replay.
Facts memory_facts(const Simulation& of) {
  const sim::MemoryReport& memory = of.report.memory;
  const sim::Bytes outside = outside_memory(of);
  const sim::Bytes left = sim::margin(memory);
  return facts_of(
      {{"device", gib(reserved_memory(of) + outside) + " of " +
                      gib(of.scenario.cluster.device.memory) + ", " + gib(outside) +
                      " of it context and communicators"},
       {"headroom",
        (left < sim::Bytes{} ? gib(-1.0 * left) + " too little" : gib(left) + " to spare") +
            " by demand: out of memory with probability " + percent(sim::oom_probability(memory))},
       {"replay", of.replay ? "peak of " + peak_moment_text(*of.replay) : ""}});
}

std::string memory_heading(const Simulation& of) {
  const sim::MemoryReport& memory = of.report.memory;
  return "Memory of " +
         (of_recommendation(of) ? "the rank that needs most"
                                : "stage " + std::to_string(memory.stage) + ", which needs most") +
         ", at its peak " + std::string(phrase_of(memory.moment));
}

// For programs ---------------------------------------------------------------------------------

/// Of what is known: null where there is no step.
void add_energy_and_price(const Simulation& of, Json& document) {
  const scenarios::Scenario& scenario = of.scenario;
  if (scenario.cluster.device.board_watts > 0.0) {
    const double joules = has_step(of) ? gpu_energy_j(of) : 0.0;
    document["gpu_energy_j"] = has_step(of) ? Json(joules) : Json();
    document["mean_gpu_watts"] = has_step(of) ? Json(joules / of.report.step.value) : Json();
  }
  if (scenario.usd_per_gpu_hour) {
    document["usd_per_step"] =
        has_step(of) ? Json(scenarios::step_price_usd(scenario, scenario.baseline, of.report.step))
                     : Json();
  }
}

/// Adds step_time_s up to objective; null where there is no step.
void add_rates(const Simulation& of, Json& document) {
  const scenarios::Scenario& scenario = of.scenario;
  const sim::Seconds step = of.report.step;
  const auto add = [&](const char* key, const auto& rate) {
    document[key] = has_step(of) ? Json(rate(scenario, scenario.baseline, step)) : Json();
  };
  const std::optional<double> tokens =
      has_step(of) ? scenarios::tokens_per_s(scenario, scenario.baseline, step) : std::nullopt;
  add("step_time_s", [&](const auto&...) { return step.value; });
  add("samples_per_s", scenarios::samples_per_s);
  document["tokens_per_s"] = json_of(Cell(tokens));
  document["tokens_per_s_per_gpu"] = tokens ? Json(*tokens / scenario.cluster.gpus) : Json();
  add("mfu", scenarios::mfu);
  add("mfu_6n", scenarios::mfu_6n);
  add_energy_and_price(of, document);
  const bool has_value = has_step(of) && of.truth.reason == scenarios::Reason::none;
  document["objective"] = {{"metric", name_of(scenario.objective)},
                           {"value", has_value ? Json(of.truth.value) : Json()}};
  if (!scenario.objective.deadline) return;
  document["deadline"] = {{"tokens", scenario.objective.deadline->tokens},
                          {"days", scenario.objective.deadline->days},
                          {"training_days", json_of(Cell(of.training_days))}};
}

Json breakdown_json(const Simulation& of) {
  Json parts = Json::array();
  if (!has_step(of)) return parts;
  for (const auto& [part, time] : parts_of<sim::StepPart>(of.report.parts)) {
    parts.push_back({{"name", name_of(part)}, {"seconds", time.value}});
  }
  return parts;
}

std::int64_t whole(sim::Bytes bytes) { return static_cast<std::int64_t>(bytes.value); }

Json parts_json(const Parts& parts) {
  Json list = Json::array();
  for (const auto& [part, bytes] : parts_of<sim::MemoryPart>(parts)) {
    list.push_back({{"name", name_of(part)}, {"bytes", whole(bytes)}});
  }
  return list;
}

Json peak_json(const std::optional<scenarios::StageReplay>& replay) {
  if (!replay) return nullptr;
  return {{"operation", name_of(replay->peak.operation)},
          {"stage", replay->stage},
          {"micro_batch", replay->peak.micro_batch},
          {"allocated_bytes", whole(replay->allocated)},
          {"parts", parts_json(replay->peak.parts)}};
}

Json memory_json(const Simulation& of) {
  if (of.report.status == sim::StepStatus::invalid) return nullptr;
  const sim::MemoryReport& memory = of.report.memory;
  return {{"capacity_bytes", whole(memory.capacity)},
          {"allocated_bytes", whole(memory.allocated)},
          {"reserved_bytes", whole(reserved_memory(of))},
          {"device_bytes", whole(reserved_memory(of) + outside_memory(of))},
          {"demand_bytes", whole(largest_demand(memory))},
          {"margin_bytes", whole(margin(memory))},
          {"oom_probability", oom_probability(memory)},
          {"parts", parts_json(memory.parts)},
          {"peak", peak_json(of.replay)}};
}

Json event_json(const std::optional<PlayedStep>& played) {
  if (!played) return nullptr;
  return {{"events", played->counts.events},
          {"ranks", played->counts.ranks},
          {"flows", played->counts.flows},
          {"contention", played->contention},
          {"fold", played->fold},
          {"jitter", json_of(Cell(played->jitter))}};
}

bool in_micro_batch(sim::TraceOperation operation) {
  return operation != sim::TraceOperation::startup &&
         operation != sim::TraceOperation::optimizer_step &&
         operation != sim::TraceOperation::share_update;
}

/// "activations 40.10 GiB, gradients 11.88 GiB": the largest first.
std::string parts_text(const Parts& parts) {
  auto alive = parts_of<sim::MemoryPart>(parts);
  std::ranges::stable_sort(alive, [](const auto& a, const auto& b) { return b.second < a.second; });
  return support::joined(alive, ", ", [](const auto& part) {
    return std::string(label_of(part.first)) + " " + gib(part.second);
  });
}

}  // namespace

std::string peak_moment_text(const scenarios::StageReplay& replay) {
  const sim::PeakMoment& peak = replay.peak;
  return "stage " + std::to_string(replay.stage) + ": " + gib(replay.allocated) + " " +
         std::string(phrase_of(peak.operation)) +
         (in_micro_batch(peak.operation) ? ", micro-batch " + std::to_string(peak.micro_batch)
                                         : "") +
         ": " + parts_text(peak.parts);
}

Document simulation_document(const Simulation& of) {
  Document document{.title = of.scenario.name};
  document.add(problem_facts(of));
  document.add(result_facts(of));
  if (has_step(of)) {
    document.add(Heading{.text = "Time of the slowest rank"});
    document.add(time_bars(of.report));
  }
  if (of.report.status != sim::StepStatus::invalid) {
    document.add(Heading{.text = memory_heading(of)});
    document.add(memory_bars(of));
    document.add(memory_facts(of));
  }
  return document;
}

Json simulation_json(const Simulation& of) {
  const auto bound = bound_by(of);
  Json document = support::new_document("simulate");
  document["scenario"] = of.scenario.name;
  document["scenario_sha256"] = of.scenario.sha256;
  if (!of.salt_sha256.empty()) {
    document["instance"] = of.instance;
    document["salt_sha256"] = of.salt_sha256;
  }
  document["engine"] = of.played ? "event" : "analytical";
  document["config"] = config_json(of.config);
  document["in_space"] = of.in_space;
  document["status"] = status_of(of);
  document["why"] = json_of(Cell(reason(of)));
  add_rates(of, document);
  document["breakdown"] = breakdown_json(of);
  document["bound_by"] = bound ? Json(name_of(*bound)) : Json();
  document["memory"] = memory_json(of);
  document["extrapolated"] = Json::array();
  document["event"] = event_json(of.played);
  return document;
}

}  // namespace cubicbench::results
