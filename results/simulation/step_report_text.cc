#include "results/simulation/step_report_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "results/simulation/objective_text.h"
#include "results/simulation/part_names.h"
#include "results/simulation/peak_moment.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/network_reader.h"
#include "sim/memory/oom_probability.h"
#include "sim/plan/validity.h"
#include "sim/workload/arch_work.h"
#include "sim/workload/workload.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t head_columns = 12;

/// Parts of the step below this share would read 0.0 % and are left out.
constexpr double share_min = 0.0005;

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

bool of_recommendation(const Simulation& simulation) {
  return scenarios::kind_of(simulation.scenario.workload) ==
         scenarios::WorkloadKind::recommendation;
}

std::string fact(std::string_view head, std::string_view text) {
  return paragraph(head, head_columns, text);
}

/// "405.9 B": billions rather than giga, as models are called.
std::string parameters_text(double parameters) {
  std::string text = scaled(parameters);
  std::ranges::replace(text, 'G', 'B');
  return text;
}

/// ", 58 with 256 experts, 8 a token and a shared one".
std::string experts_text(const sim::Transformer& model) {
  if (!sim::has_experts(model)) return "";
  const sim::Experts& experts = model.experts;
  const std::int64_t with = sim::expert_layers_before(model, model.layers);
  return (with < model.layers ? ", " + count(with) + " of them with " : " with ") +
         count(experts.count) + " experts, " + count(experts.per_token) + " a token" +
         (experts.shared_ffn_hidden > 0 ? " beside a shared one" : "");
}

/// " (37.6 B used by a token)": of models with experts.
std::string used_text(const sim::Transformer& model) {
  if (!sim::has_experts(model)) return "";
  return " (" + parameters_text(sim::mfu_parameters(model)) + " used by a token)";
}

std::string workload_line(const sim::Transformer& model) {
  std::string heads = count(model.attention_heads) + " heads";
  if (model.kv_heads != model.attention_heads) {
    heads += " (" + count(model.kv_heads) + " for keys and values)";
  }
  return parameters_text(sim::total_parameters(model)) + " parameters" + used_text(model) + ": " +
         count(model.layers) + " layers" + experts_text(model) + ", hidden " + count(model.hidden) +
         ", " + heads + ", sequence " + count(model.sequence);
}

std::string workload_line(const sim::Recommendation& model) {
  const double tables = sim::table_parameters(model);
  const double dense = sim::dense_parameters(model);
  return parameters_text(tables + dense) + " parameters: " + parameters_text(tables) + " in " +
         count(sim::table_count(model)) + " tables, " + parameters_text(dense) +
         " dense; a sample reads " + scaled(sim::ids_per_sample(model)) + " rows and costs " +
         scaled(sim::mfu_flops_per_sample(model)) + "FLOP";
}

std::string workload_line(const sim::Workload& workload) {
  return std::visit([](const auto& model) { return workload_line(model); }, workload);
}

/// What `docs/network.md` calls it; packed jobs, as most are, need no word.
std::string placement_text(sim::Placement placement) {
  if (placement == sim::Placement::packed) return "";
  return ", placement " +
         std::string(scenarios::placement_names()[static_cast<std::size_t>(placement)]);
}

std::string cluster_line(const scenarios::Scenario& scenario) {
  return count(scenario.cluster.gpus) + " x " + scenario.device + ", " +
         count(scenario.cluster.gpus_per_node) + " a node, network " + scenario.network +
         ", stack " + scenario.stack_name + placement_text(scenario.cluster.placement);
}

/// ", sealed by the salt with SHA-256 ...": of a sealed instance.
std::string seal_text(const Simulation& simulation) {
  if (simulation.salt_sha256.empty()) return "";
  return ", sealed by the salt with SHA-256 " + simulation.salt_sha256;
}

/// The value of a setting as a user writes it.
std::string value_of(std::string_view name, const sim::Plan& plan) {
  const scenarios::Setting* setting = scenarios::find_setting(name);
  return scenarios::format_setting(*setting, setting->read(plan));
}

/// ", experts over 64 ranks (deepep)": of models with experts.
std::string experts_layout(const Simulation& simulation) {
  if (!sim::has_experts(std::get<sim::Transformer>(simulation.scenario.workload))) return "";
  const sim::Plan& plan = simulation.scenario.baseline;
  std::string text = ", experts on one rank";
  if (plan.expert_parallel > 1) {
    text = ", experts over " + count(plan.expert_parallel) + " ranks (" +
           value_of("expert_dispatch", plan) + ")";
  }
  if (plan.expert_tensor_parallel > 1) {
    text += " x tensor " + count(plan.expert_tensor_parallel);
  }
  if (plan.expert_storage != sim::ExpertStorage::device) {
    text += " in storage " + value_of("expert_storage", plan);
  }
  return text;
}

std::string transformer_layout(const Simulation& simulation) {
  const sim::Plan& plan = simulation.scenario.baseline;
  std::string text = "tensor " + count(plan.tensor_parallel) + " x pipeline " +
                     count(plan.pipeline_parallel) + " x context " + count(plan.context_parallel);
  if (simulation.report.violation.rule != sim::Rule::gpus_divide) {
    text += " x data " + count(sim::data_parallel(plan, simulation.scenario.cluster));
  }
  return text + experts_layout(simulation) + ", " + value_of("sharding", plan) + ", " +
         value_of("dtype", plan);
}

std::string recommendation_layout(const Simulation& simulation) {
  const sim::Plan& plan = simulation.scenario.baseline;
  const auto& model = std::get<sim::Recommendation>(simulation.scenario.workload);
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

std::string layout_line(const Simulation& simulation) {
  return of_recommendation(simulation) ? recommendation_layout(simulation)
                                       : transformer_layout(simulation);
}

std::string batch_line(const Simulation& simulation) {
  const sim::Plan& plan = simulation.scenario.baseline;
  if (of_recommendation(simulation)) {
    return count(plan.batch_per_gpu * simulation.scenario.cluster.gpus) + " samples, " +
           count(plan.batch_per_gpu) + " a GPU";
  }
  return count(plan.global_batch) + " sequences, " + count(plan.micro_batch) + " a micro-batch";
}

std::string config_line(const Simulation& simulation) {
  std::string text;
  for (const scenarios::Assignment& assignment : simulation.config) {
    text += (text.empty() ? "" : " ") + std::string(assignment.setting->name) + "=" +
            scenarios::format_setting(*assignment.setting, assignment.value);
  }
  return text;
}

std::string head_text(const Simulation& simulation) {
  const scenarios::Scenario& scenario = simulation.scenario;
  std::string text = fact("scenario", scenario.name);
  if (!scenario.summary.empty()) {
    text += fact("", scenario.summary);
  }
  text += fact("workload", workload_line(scenario.workload));
  text += fact("cluster", cluster_line(scenario));
  text += fact("layout", layout_line(simulation));
  text += fact("batch", batch_line(simulation));
  if (!simulation.config.empty()) {
    text += fact("settings", config_line(simulation));
  }
  if (simulation.instance != 0) {
    text += fact("instance", count(static_cast<std::int64_t>(simulation.instance)) +
                                 ": hidden constants drawn within their spread" +
                                 seal_text(simulation));
  }
  if (!simulation.in_space) {
    text += fact("note", "outside the search space: " + simulation.outside);
  }
  return text;
}

std::string throughput_line(const Simulation& simulation) {
  const scenarios::Scenario& scenario = simulation.scenario;
  const sim::Seconds step = simulation.report.step;
  const double samples = scenarios::samples_per_s(scenario, scenario.baseline, step);
  const std::optional<double> tokens = scenarios::tokens_per_s(scenario, scenario.baseline, step);
  if (!tokens) {
    return scaled(samples) + " samples/s, " + scaled(samples / scenario.cluster.gpus) +
           " samples/s a GPU";
  }
  return scaled(*tokens) + " tokens/s, " + scaled(*tokens / scenario.cluster.gpus) +
         " tokens/s a GPU, " + scaled(samples) + " samples/s";
}

std::string mfu_line(const Simulation& simulation) {
  const scenarios::Scenario& scenario = simulation.scenario;
  const sim::Seconds step = simulation.report.step;
  const std::string mfu = percent(scenarios::mfu(scenario, scenario.baseline, step));
  if (of_recommendation(simulation)) {
    return mfu + " (three times the products of a forward pass)";
  }
  return mfu + " (" + percent(scenarios::mfu_6n(scenario, scenario.baseline, step)) +
         " counting 6 N a token only)";
}

/// The largest part of the step and what it waits for.
std::string bound_line(const Simulation& simulation) {
  const sim::StepPart part = bound_by(simulation).value_or(sim::StepPart::gemm);
  return std::string(resource_of(part)) + ", in " + std::string(label_of(part));
}

std::string rates_text(const Simulation& simulation) {
  return fact("step time", duration(simulation.report.step)) +
         fact("throughput", throughput_line(simulation)) + fact("MFU", mfu_line(simulation)) +
         fact("bound by", bound_line(simulation));
}

std::string breakdown_text(const sim::StepReport& report, Ink ink) {
  const double largest = std::ranges::max_element(report.parts)->value;
  std::vector<BarRow> rows;
  for (std::size_t i = 0; i < report.parts.size(); ++i) {
    const double seconds = report.parts[i].value;
    if (seconds >= share_min * report.step.value) {
      rows.push_back({.label = label_of(static_cast<sim::StepPart>(i)),
                      .value = duration(report.parts[i]),
                      .share = seconds / report.step.value,
                      .length = seconds / largest});
    }
  }
  return "\nTime of the slowest rank\n" + bar_rows(rows, ink);
}

/// How close the verdict is.
std::string margin_text(const sim::MemoryReport& memory) {
  const sim::Bytes left = sim::margin(memory);
  const std::string room =
      left < sim::Bytes{} ? gib(-1.0 * left) + " too little" : gib(left) + " to spare";
  return "  by demand " + room + ": out of memory with probability " +
         percent(sim::oom_probability(memory)) + "\n";
}

/// What a tool that watches the device would see.
std::string device_text(const Simulation& simulation) {
  const sim::Bytes outside = outside_memory(simulation);
  return "  with " + gib(outside) + " of context and communicators " +
         gib(reserved_memory(simulation) + outside) + " of the device's " +
         gib(simulation.scenario.cluster.device.memory) + "\n";
}

std::string replay_text(const Simulation& simulation) {
  if (!simulation.replay) return "";
  return paragraph("", 2, peak_moment_text(*simulation.replay));
}

std::string memory_text(const Simulation& simulation, Ink ink) {
  const sim::MemoryReport& memory = simulation.report.memory;
  const sim::Bytes demand = max(memory.demand, memory.demand_at_start);
  const sim::Bytes reserved = reserved_memory(simulation);
  const sim::Bytes full = max(memory.capacity, max(demand, reserved));
  const auto row = [&](std::string_view label, sim::Bytes bytes) {
    return BarRow{.label = label,
                  .value = gib(bytes),
                  .share = bytes / memory.capacity,
                  .length = bytes / full};
  };
  std::vector<BarRow> rows;
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    if (memory.parts[i].value > 0.0) {
      rows.push_back(row(label_of(static_cast<sim::MemoryPart>(i)), memory.parts[i]));
    }
  }
  rows.push_back(row("= allocated", memory.allocated));
  rows.push_back(row("demand", demand));
  rows.push_back(row("reserved", reserved));
  rows.push_back(row("capacity", memory.capacity));
  const std::string whose = of_recommendation(simulation)
                                ? "the rank that needs most"
                                : "stage " + std::to_string(memory.stage) + ", which needs most";
  return "\nMemory of " + whose + ", at its peak " + std::string(phrase_of(memory.moment)) + "\n" +
         bar_rows(rows, ink) + device_text(simulation) + margin_text(memory) +
         replay_text(simulation);
}

/// "12,345,678 events, 16 of 16,384 ranks played, 1,234 flows", and what is not as usual.
std::string engine_line(const PlayedStep& played, int gpus) {
  std::string text = "event: " + counted(played.counts.events, "event", "events") + ", " +
                     grouped(played.counts.ranks) + " of " + count(gpus) + " ranks played, " +
                     counted(played.counts.flows, "flow", "flows");
  if (!played.contention) text += ", contention off";
  if (played.jitter) text += ", GPUs late as drawn from " + grouped(*played.jitter);
  return text;
}

std::string refusal_text(const Simulation& simulation) {
  const sim::StepStatus status = simulation.report.status;
  const std::string verdict = status == sim::StepStatus::ok        ? "stalled: "
                              : status == sim::StepStatus::invalid ? "invalid: "
                              : status == sim::StepStatus::oom_init
                                  ? "out of memory before the first step: "
                                  : "out of memory: ";
  return fact("result", verdict + reason(simulation).value_or(""));
}

}  // namespace

std::string step_report_text(const Simulation& simulation, Ink ink) {
  const sim::StepReport& report = simulation.report;
  std::string text = head_text(simulation) + "\n";
  if (simulation.played) {
    text += fact("engine", engine_line(*simulation.played, simulation.scenario.cluster.gpus));
  }
  if (has_step(simulation)) {
    text += fact("objective", objective_text(simulation)) + rates_text(simulation) +
            breakdown_text(report, ink);
  } else {
    text += refusal_text(simulation);
  }
  if (report.status != sim::StepStatus::invalid) {
    text += memory_text(simulation, ink);
  }
  return text;
}

}  // namespace cubicbench::results
