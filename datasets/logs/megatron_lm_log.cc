// Megatron-LM and its forks (Megatron-DeepSpeed, GPT-NeoX, Primus): arguments as `name .....
// value`, a record an interval (github.com/NVIDIA/Megatron-LM, megatron/training/training.py).
#include <algorithm>
#include <array>

#include "datasets/logs/deepspeed_settings.h"
#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/megatron_record.h"
#include "datasets/logs/megatron_settings.h"

namespace cubicbench::datasets {
namespace {

/// In the order of MegatronRecord, without its first.
constexpr std::array<std::string_view, 7> megatron_lm_versions{
    "2020",        "2021",       "gpt-neox", "megatron-deepspeed", "2023-throughput",
    "primus-2025", "primus-2026"};

bool is_megatron_lm_log(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return contains(line.text, "elapsed time per iteration (") ||
           contains(line.text, "end of arguments ---");
  });
}

/// The framework's name as stacks know it.
std::string framework_of(MegatronRecord kind, const LogSettings& settings, bool has_deepspeed) {
  const bool is_core = is_on(setting_value(settings, "use_mcore_models")) ||
                       setting_value(settings, "transformer_impl") == "transformer_engine";
  switch (kind) {
    case MegatronRecord::primus_2025:
    case MegatronRecord::primus_2026:
      return "Megatron-Core (Primus)";
    case MegatronRecord::neox:
      return "GPT-NeoX";
    case MegatronRecord::throughput:
      return "Megatron-Core";
    default:
      return has_deepspeed || kind == MegatronRecord::deepspeed ? "Megatron-DeepSpeed"
             : is_core                                          ? "Megatron-Core"
                                                                : "Megatron-LM";
  }
}

void read_megatron_lm_log(const LogText& log, LogRecorder& out) {
  LogSettings settings = dotted_settings(log, DottedBy::others);
  // A command line says less than the arguments that follow from it.
  if (settings.empty()) settings = option_settings(log);
  state_megatron_settings(settings, out);
  state_torchrun(settings, out);
  const LogSettings of_deepspeed = dotted_settings(log, DottedBy::deepspeed);
  if (out.find("sharding") == nullptr) state_zero_stage(of_deepspeed, out);
  MegatronRecord kind = MegatronRecord::none;
  for (const LogLine& line : log.lines) {
    const MegatronRecord found = read_megatron_record(line.text, line.number, out);
    kind = std::max(kind, found);
    if (found != MegatronRecord::none) continue;
    if (is_megatron_pause(line.text)) out.pause(line.number);
    if (!read_megatron_memory(line.text, line.number, out)) {
      read_megatron_start(line.text, line.number, out);
    }
  }
  const bool has_deepspeed = !of_deepspeed.empty() || is_on(setting_value(settings, "deepspeed"));
  out.cell("framework", framework_of(kind, settings, has_deepspeed), "the log", 0);
  const std::size_t version = kind == MegatronRecord::none ? 1 : static_cast<std::size_t>(kind) - 1;
  out.version(megatron_lm_versions[version]);
}

}  // namespace

LogFormat megatron_lm_format() {
  return {.name = "megatron-lm",
          .versions = megatron_lm_versions,
          .recognises = is_megatron_lm_log,
          .read = read_megatron_lm_log};
}

}  // namespace cubicbench::datasets
