// NeMo: `Training epoch 0, iteration 45/99 | .. | train_step_timing in s: 6.08 | ..` (2.0),
// `Epoch 0: .. [.., global_step=49.00, train_step_timing in s=12.80]` (1.x), dllogger's `DLLL
// {..}`; its configuration as YAML, groups as Lightning and Megatron-Core name them.
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/log_json.h"
#include "datasets/logs/megatron_record.h"
#include "datasets/logs/megatron_settings.h"
#include "sim/base/binary_sizes.h"
#include "support/characters.h"
#include "support/json/canonical.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<std::string_view, 3> nemo_versions{"1-progress-bar", "2-lines", "dllogger"};
constexpr std::string_view timing = "train_step_timing in s";

bool is_nemo_record(std::string_view text) {
  return contains(text, timing) && (contains(text, "global_step") || contains(text, "DLLL"));
}

bool is_nemo_log(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return is_nemo_record(line.text) || contains(line.text, "[NeMo I ");
  });
}

/// The largest first number of a line's records of one step: progress bars repeat them.
class NemoReader {
 public:
  NemoReader(const LogText& log, LogRecorder& out) : log_(log), out_(out) {}

  void read() {
    LogSettings settings = indented_settings(log_);
    if (find_log_setting(settings, "tensor_model_parallel_size") == nullptr) {
      std::ranges::copy(option_settings(log_), std::back_inserter(settings));
    }
    state_megatron_settings(with_paths(std::move(settings)), out_);
    for (const LogLine& line : log_.lines) {
      if (is_nemo_record(line.text)) {
        read_record(line.text, line.number);
      } else {
        read_message(line.text, line.number);
      }
    }
    state_gpus();
    out_.version(nemo_versions[version_]);
  }

 private:
  /// `precision` belongs to the trainer, `global_batch_size` and the rest to model or data.
  LogSettings with_paths(LogSettings settings) {
    for (const LogSetting& setting : settings) {
      const bool is_plain = setting.name == "devices" || setting.name == "num_nodes";
      if (!is_plain && !contains(setting.name, "trainer.")) continue;
      if (setting.name.ends_with("devices")) devices_ = setting;
      if (setting.name.ends_with("num_nodes")) nodes_ = setting;
    }
    return settings;
  }

  void read_record(std::string_view text, std::size_t line) {
    if (const auto json = after(text, "DLLL ")) {
      read_dllogger(*json, line);
    } else if (contains(text, std::string(timing) + "=")) {
      const std::size_t open = text.rfind('[');
      std::string_view inside = text.substr(open == std::string_view::npos ? 0 : open + 1);
      if (!inside.ends_with(']')) {
        if (!contains(inside, "]")) {
          out_.not_understood(line, "a record that was cut off");
          return;
        }
      }
      inside = inside.substr(0, inside.rfind(']'));
      add_step(fields_of(inside, ",", "="), line);
    } else {
      version_ = 1;
      add_step(fields_of(text, "|", ": "), line);
    }
  }

  void add_step(const std::vector<LogField>& fields, std::size_t line) {
    const std::string_view digits = value_of(fields, timing).value_or("");
    if (digits.empty()) return;  // the bar before the first step
    const auto seconds = out_.number(digits, timing, line, step_seconds_max);
    const auto number = whole(value_of(fields, "global_step").value_or(""), "global_step", line, 0);
    if (!seconds || !number) return;
    LoggedStep step{.line = line, .number = *number, .seconds = *seconds};
    step.rounding = rounding_of(digits);
    if (const auto batch = value_of(fields, "global_batch_size")) {
      step.batch = static_cast<double>(whole(*batch, "global_batch_size", line, 1).value_or(0));
    }
    for (const LogField& field : fields) read_field(field, step);
    out_.step(std::move(step));
  }

  void read_field(const LogField& field, LoggedStep& step) {
    constexpr std::array<std::string_view, 2> rates{"TFLOPS_per_GPU", "tokens_per_sec_per_gpu"};
    constexpr std::array<std::string_view, 15> others{"global_step",
                                                      "global_batch_size",
                                                      timing,
                                                      "lr",
                                                      "consumed_samples",
                                                      "v_num",
                                                      "reduced_train_loss",
                                                      "val_loss",
                                                      "grad_norm",
                                                      "loss",
                                                      "memory_allocated",
                                                      "max_memory_reserved",
                                                      "memory_reserved",
                                                      "batch_time",
                                                      "samples/sec"};
    const bool is_peak = field.name == "max_memory_allocated" || field.name == "peak_memory_usage";
    if (is_peak) {
      const auto bytes =
          out_.number(field.value, field.name, step.line, memory_gib_max * sim::bytes_per_gib);
      if (bytes) out_.growing_peak(*bytes / sim::bytes_per_gib, "allocated", step.line);
    } else if (std::ranges::find(rates, field.name) != rates.end()) {
      out_.rate(step, field.name, field.value);
    } else if (std::ranges::find(others, field.name) == others.end() && !is_of_head(field.name)) {
      out_.not_understood(step.line, "the field " + support::shortened(field.name));
    }
  }

  /// The parts of a line before its fields, and losses and norms of any name.
  static bool is_of_head(std::string_view name) {
    return contains(name, "iteration ") || contains(name, "Epoch ") || contains(name, "it/s") ||
           contains(name, "s/it") || contains(name, "loss") || contains(name, "norm") ||
           contains(name, "ppl") || contains(name, "?") || contains(name, "<");
  }

  /// Counts come as "49", "49.00" and "2e+3".
  std::optional<std::int64_t> whole(std::string_view text, std::string_view name, std::size_t line,
                                    std::int64_t min) {
    const auto value = out_.number_or_zero(text, name, line, 1e12);
    if (!value) return std::nullopt;
    if (*value < static_cast<double>(min) || *value != std::floor(*value)) {
      out_.problem(line, "expected an integer of at least " + std::to_string(min) + " in " +
                             std::string(name) + ", got \"" + support::shortened(text) + "\"");
      return std::nullopt;
    }
    return static_cast<std::int64_t>(*value);
  }

  /// `{"timestamp": .., "type": "LOG", "step": 10, "data": {"train_step_timing in s": 1.2}}`.
  void read_dllogger(std::string_view text, std::size_t line) {
    version_ = 2;
    const auto document = parsed_record(text, line, out_);
    if (!document) return;
    const nlohmann::ordered_json* const data = member(*document, "data");
    const nlohmann::ordered_json* const step = member(*document, "step");
    if (data == nullptr || !data->is_object() || step == nullptr) {
      out_.not_understood(line, "a record without step and data");
      return;
    }
    const std::string number =
        step->is_array() && !step->empty() ? json_word(step->back()) : json_word(*step);
    if (number.empty()) return;  // of the whole run
    std::vector<std::string> words;
    words.reserve(2 * data->size());
    std::vector<LogField> fields{{.name = "global_step", .value = number}};
    for (const auto& [name, value] : data->items()) {
      if (name == "global_step") continue;
      words.push_back(name);
      words.push_back(json_word(value));
      fields.push_back({.name = words[words.size() - 2], .value = words.back()});
    }
    add_step(fields, line);
  }

  void read_message(std::string_view text, std::size_t line) {
    if (contains(text, "Validation DataLoader") || contains(text, "Validation:") ||
        contains(text, "Validation epoch") || contains(text, "Saving checkpoint") ||
        contains(text, "checkpoint save for step")) {
      out_.pause(line);
    }
    if (const auto rest = after(text, "distributed processes registered. Starting with ")) {
      state_count("n_gpus", *rest, "processes", line);
    }
    constexpr std::array<SettingColumn, 4> groups{{{" has tensor model parallel group", "tp"},
                                                   {" has pipeline model parallel group", "pp"},
                                                   {" has context parallel group", "cp"},
                                                   {" has data parallel group", "dp"}}};
    for (const SettingColumn& group : groups) {
      const auto rest = after(text, group.name);
      if (rest) read_group(*rest, group.column, line);
    }
    read_megatron_start(text, line, out_);
    read_megatron_memory(text, line, out_);
  }

  void state_count(std::string_view column, std::string_view text, std::string name,
                   std::size_t line) {
    const auto count = out_.count(leading_count(text), name, line);
    if (count) out_.cell(column, *count, std::move(name), line);
  }

  /// `: [0, 8, 16]`: as many ranks as are listed.
  void read_group(std::string_view text, std::string_view column, std::size_t line) {
    const std::size_t open = text.find('[');
    const std::size_t end = text.find(']');
    if (open == std::string_view::npos || end == std::string_view::npos || end < open + 2) return;
    const auto ranks = fields_of(text.substr(open + 1, end - open - 1), ",", "=");
    out_.cell(column, static_cast<std::int64_t>(ranks.size()), "the group of a rank", line);
  }

  /// Devices of a node times nodes, where Lightning has not counted the processes.
  void state_gpus() {
    if (devices_.value.empty() || out_.find("n_gpus") != nullptr) return;
    const auto devices = out_.count(devices_.value, devices_.name, devices_.line);
    const auto nodes = nodes_.value.empty() ? std::optional<std::int64_t>(1)
                                            : out_.count(nodes_.value, nodes_.name, nodes_.line);
    if (!devices || !nodes || *devices > 1'000'000 || *nodes > 1'000'000) return;
    out_.cell("gpus_per_node", *devices, devices_.name, devices_.line);
    out_.cell("n_gpus", *devices * *nodes, "devices and num_nodes", devices_.line);
  }

  const LogText& log_;
  LogRecorder& out_;
  std::size_t version_ = 0;
  LogSetting devices_, nodes_;
};

void read_nemo_log(const LogText& log, LogRecorder& out) {
  NemoReader(log, out).read();
  out.cell("framework", "NeMo", "the log", 0);
}

}  // namespace

LogFormat nemo_format() {
  return {
      .name = "nemo", .versions = nemo_versions, .recognises = is_nemo_log, .read = read_nemo_log};
}

}  // namespace cubicbench::datasets
