#include "results/step_report_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "results/number_text.h"
#include "results/paragraph.h"
#include "results/part_names.h"
#include "scenarios/evaluate.h"
#include "sim/plan/validity.h"
#include "sim/workload/transformer.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t head_columns = 12;

/// Parts of the step below this share would read 0.0 % and are left out.
constexpr double share_min = 0.0005;

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

std::string fact(std::string_view head, std::string_view text) {
  return paragraph(head, head_columns, text);
}

/// "405.9 B": billions rather than giga, as models are called.
std::string parameters_of(const sim::Transformer& model) {
  std::string text = scaled(sim::total_parameters(model));
  std::ranges::replace(text, 'G', 'B');
  return text;
}

std::string workload_line(const sim::Transformer& model) {
  std::string heads = count(model.attention_heads) + " heads";
  if (model.kv_heads != model.attention_heads) {
    heads += " (" + count(model.kv_heads) + " for keys and values)";
  }
  return parameters_of(model) + " parameters: " + count(model.layers) + " layers, hidden " +
         count(model.hidden) + ", " + heads + ", sequence " + count(model.sequence);
}

std::string cluster_line(const scenarios::Scenario& scenario) {
  return count(scenario.cluster.gpus) + " x " + scenario.device + ", " +
         count(scenario.cluster.gpus_per_node) + " a node, network " + scenario.network +
         ", stack " + scenario.stack_name;
}

std::string layout_line(const Simulation& simulation) {
  const sim::Plan& plan = simulation.scenario.baseline;
  std::string text = "tensor " + count(plan.tensor_parallel) + " x pipeline " +
                     count(plan.pipeline_parallel) + " x context " + count(plan.context_parallel);
  if (simulation.report.violation.rule != sim::Rule::gpus_divide) {
    text += " x data " + count(sim::data_parallel(plan, simulation.scenario.cluster));
  }
  const scenarios::Setting* sharding = scenarios::find_setting("sharding");
  const scenarios::Setting* dtype = scenarios::find_setting("dtype");
  return text + ", " + scenarios::format_setting(*sharding, sharding->read(plan)) + ", " +
         scenarios::format_setting(*dtype, dtype->read(plan));
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
  text += fact("batch", count(scenario.baseline.global_batch) + " sequences, " +
                            count(scenario.baseline.micro_batch) + " a micro-batch");
  if (!simulation.config.empty()) {
    text += fact("settings", config_line(simulation));
  }
  if (!simulation.in_space) {
    text += fact("note", "outside the search space: " + simulation.outside);
  }
  return text;
}

std::string rates_text(const Simulation& simulation) {
  const scenarios::Scenario& scenario = simulation.scenario;
  const sim::Plan& plan = scenario.baseline;
  const sim::Seconds step = simulation.report.step;
  const double tokens = scenarios::tokens_per_s(scenario, plan, step);
  return fact("step time", duration(step)) +
         fact("throughput", scaled(tokens) + " tokens/s, " +
                                scaled(tokens / scenario.cluster.gpus) + " tokens/s a GPU, " +
                                scaled(scenarios::samples_per_s(plan, step)) + " samples/s") +
         fact("MFU", percent(scenarios::mfu(scenario, plan, step)) + " (" +
                         percent(scenarios::mfu_6n(scenario, plan, step)) +
                         " counting 6 N a token only)");
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

std::string memory_text(const sim::MemoryReport& memory, Ink ink) {
  const sim::Bytes full = max(memory.capacity, memory.reserved);
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
  rows.push_back(row("reserved", memory.reserved));
  rows.push_back(row("capacity", memory.capacity));
  return "\nMemory of stage " + std::to_string(memory.stage) + ", which needs most, at its peak " +
         std::string(phrase_of(memory.moment)) + "\n" + bar_rows(rows, ink);
}

std::string refusal_text(const Simulation& simulation) {
  const sim::StepStatus status = simulation.report.status;
  const std::string verdict = status == sim::StepStatus::invalid ? "invalid: "
                              : status == sim::StepStatus::oom_init
                                  ? "out of memory before the first step: "
                                  : "out of memory: ";
  return fact("result", verdict + reason(simulation).value_or(""));
}

}  // namespace

std::string step_report_text(const Simulation& simulation, Ink ink) {
  const sim::StepReport& report = simulation.report;
  std::string text = head_text(simulation) + "\n";
  if (report.status == sim::StepStatus::ok) {
    text += rates_text(simulation) + breakdown_text(report, ink);
  } else {
    text += refusal_text(simulation);
  }
  if (report.status != sim::StepStatus::invalid) {
    text += memory_text(report.memory, ink);
  }
  return text;
}

}  // namespace cubicbench::results
