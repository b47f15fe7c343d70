#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/logs/log_recorder.h"
#include "datasets/logs/log_text.h"

namespace cubicbench::datasets {

/// One setting as the head of a log prints it.
struct LogSetting {
  std::string name;  ///< dotted where it is nested: "model.num_layers"
  std::string value;
  std::size_t line = 0;
};

using LogSettings = std::vector<LogSetting>;

/// Who prints `name ....... value`: DeepSpeed says `[config.py:1000:print]` before it.
enum class DottedBy { deepspeed, others };

/// Lines `name ....... value`: what Megatron-LM and DeepSpeed print of their arguments, with
/// whatever stands before the name, and dots and a word after the value (GPT-NeoX).
LogSettings dotted_settings(const LogText& log, DottedBy by);

/// Lines `name: value` that are nested by their indentation, as YAML and indented JSON are. Lines
/// of another form end all levels.
LogSettings indented_settings(const LogText& log);

/// The members of a literal on one line: `{'a': {'b': 1}}` and `Name(a=1, b=Other(c=2))`, both in
/// the form that Python prints, and JSON. `text` begins at the first bracket; what cannot be read
/// ends it.
LogSettings literal_settings(std::string_view text, std::size_t line);

/// What command lines in a log set: `--tensor-model-parallel-size 8` as tensor_model_parallel_size,
/// `--training.seq_len=8192`, flags as True, and `model.global_batch_size=64` or `devices=8,` with
/// any number of `+` before it.
LogSettings option_settings(const LogText& log);

/// GPUs of a node and of the job, from what torchrun was told: --nproc_per_node and --nnodes.
void state_torchrun(const LogSettings& options, LogRecorder& out);

/// The first setting of that name, or null. `model.num_layers` is found by its whole name and by
/// `num_layers`.
const LogSetting* find_log_setting(const LogSettings& settings, std::string_view name);

/// Its value; "" where there is none, or where it says that there is none (None, null, ~).
std::string_view setting_value(const LogSettings& settings, std::string_view name);

/// Is it true, True, yes or 1?
bool is_on(std::string_view value);

/// Which column a setting of a program is. Of several names of one column the first that the log
/// has counts.
struct SettingColumn {
  std::string_view name;
  std::string_view column;
};

/// States the settings that are columns under another name.
void state_settings(const LogSettings& settings, std::span<const SettingColumn> columns,
                    LogRecorder& out);

/// Two statements of one setting that contradict each other are a problem.
void check_repeated(const LogSettings& settings, std::span<const std::string_view> names,
                    LogRecorder& out);

/// Names settings that sound like a layout (parallel sizes, batches, sharding, recomputation,
/// offloading), are on, and are neither columns nor `known`.
void name_unknown(const LogSettings& settings, std::span<const SettingColumn> columns,
                  std::span<const std::string_view> known, LogRecorder& out);

}  // namespace cubicbench::datasets
