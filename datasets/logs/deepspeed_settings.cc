#include "datasets/logs/deepspeed_settings.h"

#include <array>

#include "datasets/logs/log_fields.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<SettingColumn, 4> deepspeed_columns{{
    {"train_batch_size", "global_batch"},
    {"train_micro_batch_size_per_gpu", "micro_batch"},
    {"gradient_accumulation_steps", "grad_accum"},
    {"world_size", "dp"},
}};

constexpr std::array<std::string_view, 8> deepspeed_known{
    "zero_optimization",  "zero_optimization_stage", "data_parallel_size",
    "offload_optimizer",  "offload_param",           "sharded",
    "elasticity_enabled", "zero_hpz_partition_size"};

/// The first of the names that has a value, or null.
const LogSetting* first_of(const LogSettings& settings,
                           std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const LogSetting* const found = find_log_setting(settings, name);
    if (found != nullptr && !setting_value(settings, name).empty()) return found;
  }
  return nullptr;
}

void state_precision(const LogSettings& settings, LogRecorder& out) {
  const auto on = [&](const LogSetting* setting) {
    return setting != nullptr &&
           (is_on(setting->value) || contains(setting->value, "enabled=True"));
  };
  const LogSetting* const bf16 =
      first_of(settings, {"bfloat16_enabled", "bfloat16_config", "bf16.enabled"});
  const LogSetting* const fp16 =
      first_of(settings, {"fp16_enabled", "float16_config", "fp16.enabled"});
  if (on(bf16)) {
    out.cell("dtype", "bf16", bf16->name, bf16->line);
  } else if (on(fp16)) {
    out.cell("dtype", "fp16", fp16->name, fp16->line);
  }
}

void state_offloading(const LogSettings& settings, LogRecorder& out) {
  const LogSetting* const device = first_of(settings, {"offload_optimizer.device"});
  if (device == nullptr || device->value == "none") return;
  if (device->value == "cpu") {
    out.cell("offload", "optimizer", device->name, device->line);
  } else {
    out.not_understood(device->line, "offload_optimizer to " + support::shortened(device->value));
  }
}

}  // namespace

void state_zero_stage(const LogSettings& settings, LogRecorder& out) {
  constexpr std::array<std::string_view, 4> stages{"no_shard", "zero1", "shard_grad_op",
                                                   "full_shard"};
  const LogSetting* const found =
      first_of(settings, {"zero_optimization_stage", "zero_optimization.stage"});
  if (found == nullptr) return;
  const auto stage = support::parsed<int>(found->value);
  if (!stage || *stage < 0 || *stage > 3) {
    out.problem(found->line, "expected a stage of ZeRO from 0 to 3 in " + found->name + ", got \"" +
                                 support::shortened(found->value) + "\"");
    return;
  }
  out.cell("sharding", std::string(stages[static_cast<std::size_t>(*stage)]), found->name,
           found->line);
}

void state_deepspeed_settings(const LogSettings& settings, LogRecorder& out) {
  state_settings(settings, deepspeed_columns, out);
  state_precision(settings, out);
  state_zero_stage(settings, out);
  state_offloading(settings, out);
  name_unknown(settings, deepspeed_columns, deepspeed_known, out);
}

}  // namespace cubicbench::datasets
