// MLPerf: lines `:::MLLOG {..}` with key, value and metadata (github.com/mlcommons/logging), and
// the description of the system that some submissions print as `:::SYSJSON {..}`.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/log_json.h"
#include "datasets/logs/log_settings.h"
#include "datasets/logs/logged_device.h"
#include "support/json/canonical.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> mlperf_versions{"blocks", "throughput",
                                                          "train-step-time"};
constexpr std::string_view mark = ":::MLLOG";
constexpr double ms_per_s = 1e3;

/// Settings of the layout are no part of MLPerf's rules; who logs them does so by these names.
constexpr std::array<SettingColumn, 15> mlperf_columns{{
    {"submission_benchmark", "model"},
    {"global_batch_size", "global_batch"},
    {"micro_batch_size", "micro_batch"},
    {"gradient_accumulation_steps", "grad_accum"},
    {"max_sequence_length", "seq_len"},
    {"sequence_length", "seq_len"},
    {"tensor_model_parallel_size", "tp"},
    {"tensor_parallel", "tp"},
    {"pipeline_model_parallel_size", "pp"},
    {"pipeline_parallel", "pp"},
    {"context_parallel_size", "cp"},
    {"context_parallel", "cp"},
    {"expert_model_parallel_size", "ep"},
    {"data_parallel_size", "dp"},
    {"world_size", "n_gpus"},
}};

bool is_mlperf_log(const LogText& log) {
  return std::ranges::any_of(log.lines,
                             [](const LogLine& line) { return contains(line.text, mark); });
}

/// One line: when, what, and of how many samples or which step.
struct Event {
  std::size_t line = 0;
  double time_s = 0.0;
  std::string key;
  const Json* value = nullptr;
  std::optional<double> samples{};  ///< trained so far
};

class MlperfReader {
 public:
  MlperfReader(const LogText& log, LogRecorder& out) : log_(log), out_(out) {}

  void read() {
    for (const LogLine& line : log_.lines) {
      if (const auto json = after(line.text, mark)) read_line(*json, line.number);
      if (const auto json = after(line.text, ":::SYSJSON")) read_system(*json, line.number);
    }
    state_settings(settings_, mlperf_columns, out_);
    drop_part_steps();
    settle();
  }

 private:
  void read_line(std::string_view text, std::size_t line) {
    const auto record = parsed_record(trimmed(text), line, out_);
    if (!record) return;
    const Json* const key = member(*record, "key");
    const auto time = number_member(*record, "time_ms");
    if (key == nullptr || !key->is_string() || !time) {
      out_.not_understood(line, "a record without key and time_ms");
      return;
    }
    Event event{.line = line, .time_s = *time / ms_per_s, .key = key->get<std::string>()};
    event.value = member(*record, "value");
    if (const Json* const metadata = member(*record, "metadata")) {
      event.samples = number_member(*metadata, "samples_count");
      if (!event.samples) event.samples = number_member(*metadata, "step");
      if (!event.samples) event.samples = number_member(*metadata, "epoch_num");
    }
    read_event(event);
  }

  void read_event(const Event& event) {
    if (event.key == "tracked_stats") {
      read_stats(event);
    } else if (event.key == "block_start") {
      block_start_ = event;
    } else if (event.key == "block_stop") {
      read_block(event);
    } else if (event.key == "eval_start" || event.key == "eval_stop") {
      out_.pause(event.line);
      block_start_.reset();
    } else if (event.value != nullptr && !event.value->is_object()) {
      const std::string word = json_word(*event.value);
      if (!word.empty()) settings_.push_back({event.key, word, event.line});
    }
  }

  /// `{"train_step_time": 2.53}` and `{"throughput": 1.93}`, in samples a second.
  void read_stats(const Event& event) {
    if (event.value == nullptr || !event.value->is_object()) return;
    const auto number =
        static_cast<std::int64_t>(std::clamp(event.samples.value_or(0.0), 0.0, 1e15));
    for (const auto& [name, value] : event.value->items()) {
      const bool is_time = contains(name, "step_tim");
      if (is_time) add_step(number, value, event.line);
      if (name == "throughput") add_rate(number, value, event.line);
      constexpr std::array<std::string_view, 7> others{
          "epoch_num", "train_epoch_timing", "lr", "train_loss", "reduced_train_loss",
          "val_loss",  "validation_time"};
      const bool is_known = is_time || name == "throughput" || contains(name, "loss") ||
                            std::ranges::find(others, name) != others.end();
      if (!is_known) out_.not_understood(event.line, "the statistic " + support::shortened(name));
    }
  }

  void add_step(std::int64_t number, const Json& value, std::size_t line) {
    const std::string text = json_word(value);
    const auto seconds = out_.number(text, "train_step_time", line, step_seconds_max);
    if (!seconds) return;
    LoggedStep step{.line = line, .number = number, .seconds = *seconds};
    step.rounding = rounding_of(text);
    steps_.push_back(std::move(step));
  }

  void add_rate(std::int64_t number, const Json& value, std::size_t line) {
    const auto rate = out_.number(json_word(value), "throughput", line, rate_max);
    if (!rate) return;
    LoggedStep step{.line = line, .number = number};
    step.samples_per_s = *rate;
    rates_.push_back(std::move(step));
  }

  /// Between evaluations: samples trained in the time between start and stop. Both counts are
  /// totals, or the start's is the length of the block.
  void read_block(const Event& stop) {
    if (!block_start_) return;
    const Event start = *block_start_;
    block_start_.reset();
    const double time = stop.time_s - start.time_s;
    if (time < 0.0) {
      out_.problem(stop.line, "expected block_stop after block_start, got it " +
                                  support::shortest(-time) + " s before");
      return;
    }
    if (!stop.samples || !start.samples || time == 0.0) return;
    const double samples = *stop.samples - *start.samples;
    if (!(samples > 0.0) || samples > 1e15) return;
    LoggedStep step{.line = stop.line};
    step.number = static_cast<std::int64_t>(std::clamp(*stop.samples, 0.0, 1e15));
    step.samples_per_s = samples / time;
    blocks_.push_back(std::move(step));
  }

  /// The system's file, on one line.
  void read_system(std::string_view text, std::size_t line) {
    const auto system = parsed_record(trimmed(text), line, out_);
    if (!system) return;
    const auto word = [&](std::string_view name) {
      const Json* const value = member(*system, name);
      return value == nullptr ? std::string() : json_word(*value);
    };
    const std::string per_node = word("accelerators_per_node");
    const std::string nodes = word("number_of_nodes");
    const auto gpus = support::parsed<std::int64_t>(per_node);
    const auto count = support::parsed<std::int64_t>(nodes);
    if (gpus && count) {
      out_.cell("gpus_per_node", per_node, "accelerators_per_node", line);
      const bool can_be = *gpus > 0 && *count > 0 && *gpus <= 1'000'000 && *count <= 1'000'000;
      if (can_be) out_.cell("n_gpus", *gpus * *count, "number_of_nodes", line);
      if (!can_be) out_.problem(line, "expected counts above 0 in number_of_nodes, got " + nodes);
    }
    const std::string name = word("accelerator_model_name");
    const std::string_view device = device_of_driver_name(name);
    out_.cell("device", std::string(device), "accelerator_model_name", line);
    if (device.empty() && !name.empty()) {
      out_.not_understood(line, "the device " + support::shortened(name));
    }
  }

  /// A block has whole steps.
  void drop_part_steps() {
    const auto batch = out_.stated("global_batch");
    if (!batch) return;
    const auto is_part = [&](const LoggedStep& block) { return block.number % *batch != 0; };
    for (const LoggedStep& block : blocks_) {
      if (is_part(block)) out_.not_understood(block.line, "a block that ends within a step");
    }
    std::erase_if(blocks_, is_part);
  }

  /// The step's own time, else the stated rate, else the blocks. A rate of tokens, as some
  /// submissions state, is many times that of the blocks and not used.
  void settle() {
    const bool is_of_samples = rates_.empty() || blocks_.empty() ||
                               rates_.back().samples_per_s < 4.0 * blocks_.back().samples_per_s;
    const std::size_t version = !steps_.empty() ? 2 : !rates_.empty() && is_of_samples ? 1 : 0;
    if (!is_of_samples) {
      out_.not_understood(rates_.front().line, "a throughput that is not in samples a second");
    }
    out_.run().steps = version == 2   ? std::move(steps_)
                       : version == 1 ? std::move(rates_)
                                      : std::move(blocks_);
    // Evaluations run between blocks, so the times of blocks do not include them.
    out_.run().pauses.clear();
    out_.version(mlperf_versions[version]);
  }

  const LogText& log_;
  LogRecorder& out_;
  LogSettings settings_;
  std::vector<LoggedStep> steps_, rates_, blocks_;
  std::optional<Event> block_start_;
};

void read_mlperf_log(const LogText& log, LogRecorder& out) { MlperfReader(log, out).read(); }

}  // namespace

LogFormat mlperf_format() {
  return {.name = "mlperf",
          .versions = mlperf_versions,
          .recognises = is_mlperf_log,
          .read = read_mlperf_log};
}

}  // namespace cubicbench::datasets
