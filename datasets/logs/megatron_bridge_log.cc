// Megatron-Bridge: `Step Time : 2.34s GPU utilization: 45.2MODEL_TFLOP/s/GPU`, Megatron-LM's record
// after it, memory in gigabytes, its configuration as YAML (github.com/NVIDIA-NeMo/Megatron-Bridge,
// training/utils/train_utils.py).
#include <algorithm>
#include <array>

#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/megatron_record.h"
#include "datasets/logs/megatron_settings.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<std::string_view, 2> megatron_bridge_versions{"2025-step-time",
                                                                   "2025-iteration"};
constexpr std::string_view step_time = "Step Time : ";

bool is_bridge_record(std::string_view text) {
  return contains(text, step_time) && contains(text, "GPU utilization");
}

bool is_megatron_bridge_log(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return is_bridge_record(line.text) || contains(line.text, "mem-max-allocated-gigabytes") ||
           contains(line.text, "- Task Configuration -");
  });
}

/// `0.79s GPU utilization: 62.4MODEL_TFLOP/s/GPU`: steps are counted, as the line does not say
/// which it is.
std::optional<LoggedStep> read_step_time(std::string_view text, std::int64_t number,
                                         std::size_t line, LogRecorder& out) {
  const auto rest = after(text, step_time);
  const std::string_view digits = rest->substr(0, rest->find("s "));
  const auto time = out.number(digits, "Step Time", line, step_seconds_max);
  if (!time) return std::nullopt;
  LoggedStep step{.line = line, .number = number, .seconds = *time};
  step.rounding = rounding_of(digits);
  if (const auto rate = after(text, "GPU utilization: ")) {
    out.rate(step, "GPU utilization", rate->substr(0, rate->find("MODEL_TFLOP")));
  }
  return step;
}

/// The recipe's model: "megatron.bridge.models.llama.llama_provider.Llama3ModelProvider8B".
void state_model(const LogSettings& settings, LogRecorder& out) {
  const LogSetting* const target = find_log_setting(settings, "model._target_");
  if (target == nullptr || out.find("model") != nullptr) return;
  std::string name = target->value.substr(target->value.rfind('.') + 1);
  for (const std::string_view word : {"ModelProvider", "Provider"}) {
    const std::size_t at = name.find(word);
    if (at != std::string::npos) name.replace(at, word.size(), " ");
  }
  out.cell("model", std::string(trimmed(name)), target->name, target->line);
}

void read_megatron_bridge_log(const LogText& log, LogRecorder& out) {
  LogSettings settings = indented_settings(log);
  std::ranges::copy(dotted_settings(log, DottedBy::others), std::back_inserter(settings));
  state_megatron_settings(settings, out);
  state_model(settings, out);
  std::vector<LoggedStep> steps;
  for (const LogLine& line : log.lines) {
    if (is_bridge_record(line.text)) {
      const auto number = static_cast<std::int64_t>(steps.size());
      if (auto step = read_step_time(line.text, number, line.number, out)) steps.push_back(*step);
    } else if (read_megatron_record(line.text, line.number, out) == MegatronRecord::none) {
      if (is_megatron_pause(line.text)) out.pause(line.number);
      if (!read_megatron_memory(line.text, line.number, out)) {
        read_megatron_start(line.text, line.number, out);
      }
    }
  }
  // The record has the same time in milliseconds.
  const bool has_records = !out.run().steps.empty();
  if (!has_records) out.run().steps = std::move(steps);
  out.version(megatron_bridge_versions[has_records ? 1 : 0]);
  out.cell("framework", "Megatron-Bridge", "the log", 0);
}

}  // namespace

LogFormat megatron_bridge_format() {
  return {.name = "megatron-bridge",
          .versions = megatron_bridge_versions,
          .recognises = is_megatron_bridge_log,
          .read = read_megatron_bridge_log};
}

}  // namespace cubicbench::datasets
