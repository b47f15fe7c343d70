// torchtitan: `step: 10  loss: ..  grad_norm: ..  memory: 12.34GiB(15.60%)  tps: 7,123  tflops: ..
// mfu: ..%`, and what it logs of mesh, model and trainer before (github.com/pytorch/torchtitan,
// components/metrics.py and train.py).
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/log_settings.h"
#include "datasets/logs/logged_device.h"
#include "datasets/logs/model_literal.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<std::string_view, 4> versions{"2024-wps", "2024-tps", "2025-tflops",
                                                   "2025-grad-norm"};

constexpr std::array<SettingColumn, 7> columns{{
    {"training.global_batch_size", "global_batch"},
    {"training.seq_len", "seq_len"},
    {"training.max_context_length", "seq_len"},
    {"parallelism.tensor_parallel_degree", "tp"},
    {"parallelism.pipeline_parallel_degree", "pp"},
    {"parallelism.context_parallel_degree", "cp"},
    {"parallelism.expert_parallel_degree", "ep"},
}};

/// Read here, or said again by what follows from them.
constexpr std::array<std::string_view, 20> known_settings{
    "local_batch_size",
    "batch_size",
    "global_batch_size",
    "data_parallel_shard_degree",
    "data_parallel_replicate_degree",
    "fsdp_reshard_after_forward",
    "pipeline_parallel_schedule",
    "pipeline_parallel_microbatch_size",
    "pipeline_parallel_split_points",
    "pipeline_parallel_schedule_csv",
    "pipeline_parallel_layers_per_stage",
    "pipeline_parallel_first_stage_less_layers",
    "pipeline_parallel_last_stage_less_layers",
    "context_parallel_rotate_method",
    "enable_async_tensor_parallel",
    "disable_loss_parallel",
    "enable_cpu_offload",
    "expert_tensor_parallel_degree",
    "tensor_parallel_degree",
    "enable_fsdp_float8_all_gather",
};

/// The part of a line from `step:` on; nothing where it is no record.
std::optional<std::string_view> record_of(std::string_view line) {
  const std::size_t at = line.find("step:");
  if (at == std::string_view::npos) return std::nullopt;
  if (line.substr(0, at).ends_with("validate ")) return std::nullopt;
  const std::string_view record = line.substr(at);
  const bool has_speed = contains(record, " tps:") || contains(record, " wps:");
  return has_speed && contains(record, " loss:") ? std::optional(record) : std::nullopt;
}

bool recognises(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return record_of(line.text) || contains(line.text, "[titan]");
  });
}

/// Reads a log from its first line to its last.
class TorchtitanReader {
 public:
  TorchtitanReader(const LogText& log, LogRecorder& out) : log_(log), out_(out) {}

  void read() {
    for (const LogLine& line : log_.lines) {
      if (const auto record = record_of(line.text)) {
        clock_ = clock_of(line.text);
        read_record(*record, line.number);
      } else {
        read_message(line.text, line.number);
      }
    }
    if (settings_.empty()) read_options();
    settle_mesh();
    settle_stages();
    settle_batch();
    settle_sharding();
    settle_clock();
    settle_precision();
    out_.version(versions[version_]);
  }

 private:
  static bool is_known_field(std::string_view name) {
    constexpr std::array<std::string_view, 9> known{"step", "loss",   "grad_norm", "memory", "tps",
                                                    "wps",  "tflops", "mfu",       "lr"};
    return std::ranges::find(known, name) != known.end();
  }

  void read_record(std::string_view text, std::size_t line) {
    const std::vector<LogField> fields = spaced_fields(text);
    const auto number = out_.count(value_of(fields, "step").value_or(""), "step", line, 0);
    const bool is_old = !value_of(fields, "tps");
    const std::string_view speed = value_of(fields, is_old ? "wps" : "tps").value_or("");
    const auto tokens = out_.number(speed, is_old ? "wps" : "tps", line, 1e9);
    read_memory(value_of(fields, "memory"), line);
    for (const LogField& field : fields) {
      if (!is_known_field(field.name)) {
        out_.not_understood(line, "the field " + support::shortened(field.name));
      }
    }
    if (!number || !tokens) return;
    LoggedStep step{.line = line, .number = *number};
    step.tokens_per_s_per_gpu = *tokens;
    step.rounding = rounding_of(speed);
    if (const auto tflops = value_of(fields, "tflops")) out_.rate(step, "tflops", *tflops);
    if (auto mfu = value_of(fields, "mfu")) {
      out_.rate(step, "mfu", mfu->substr(0, mfu->find('%')));
    }
    out_.step(std::move(step));
    clocks_.push_back(clock_);
    note_version(is_old, value_of(fields, "tflops").has_value(),
                 value_of(fields, "grad_norm").has_value());
  }

  void note_version(bool is_old, bool has_tflops, bool has_norm) {
    const std::size_t now = is_old ? 0 : has_norm ? 3 : has_tflops ? 2 : 1;
    version_ = std::max(version_, now);
  }

  /// `12.34GiB(15.60%)`: the largest reserved since the last record.
  void read_memory(std::optional<std::string_view> text, std::size_t line) {
    if (!text) return;
    const std::size_t unit = text->find("GiB");
    const auto gib = out_.number_or_zero(text->substr(0, unit), "memory", line, memory_gib_max);
    if (unit == std::string_view::npos) {
      out_.problem(line, "expected memory in GiB, got \"" + support::shortened(*text) + "\"");
    }
    if (!gib || *gib == 0.0) return;
    const auto share = after(*text, "(");
    if (share && capacity_gib_) {
      const std::string_view digits = share->substr(0, share->find('%'));
      const auto percent = out_.number_or_zero(digits, "memory", line, 1e3);
      // Both are rounded to two digits after the point.
      const double expected = 100.0 * *gib / *capacity_gib_;
      if (percent && std::abs(expected - *percent) > 0.01 * expected + 0.02) {
        out_.problem(line, "expected memory that is its share of " +
                               support::shortened(capacity_text_) + " GiB, got \"" +
                               support::shortened(*text) + "\"");
        return;
      }
    }
    out_.peak(*gib, "reserved", line);
  }

  void read_message(std::string_view text, std::size_t line) {
    if (contains(text, "validate step:") || contains(text, "Saving the checkpoint") ||
        contains(text, "Saving a") || contains(text, "Saving checkpoint")) {
      out_.pause(line);
    }
    if (const auto mesh = after(text, "device mesh with parallelism: ")) read_mesh(*mesh, line);
    if (const auto mesh = after(text, "-D device mesh with ")) read_old_mesh(*mesh, line);
    if (const auto device = after(text, " capacity: ")) read_device(*device, line);
    if (const auto built = after(text, "INFO - Building ")) read_model_arguments(*built, line);
    if (contains(text, " total parameters")) read_size(text, line);
    if (contains(text, "local batch size")) read_trainer(text, line);
    if (const auto schedule = after(text, "Using pipeline schedule ")) {
      read_schedule(*schedule, line);
    }
    if (const auto settings = after(text, "Running with args: ")) read_settings(*settings, line);
    if (const auto settings = after(text, "Running with configs: ")) read_settings(*settings, line);
    read_applied(text, line);
  }

  /// Seconds of the day in `2025-06-12 10:21:13,345 - root`; nothing where no such time is there.
  static std::optional<double> clock_of(std::string_view text) {
    constexpr std::size_t bytes = 12;  // of 10:21:13,345
    const std::size_t end = text.find(" - ");
    if (end == std::string_view::npos || end < bytes) return std::nullopt;
    const std::string_view clock = text.substr(end - bytes, bytes);
    if (clock[2] != ':' || clock[5] != ':' || clock[8] != ',') return std::nullopt;
    const auto hours = support::parsed<unsigned>(clock.substr(0, 2));
    const auto minutes = support::parsed<unsigned>(clock.substr(3, 2));
    const auto seconds = support::parsed<unsigned>(clock.substr(6, 2));
    const auto milliseconds = support::parsed<unsigned>(clock.substr(9, 3));
    if (!hours || !minutes || !seconds || !milliseconds) return std::nullopt;
    return 3600.0 * *hours + 60.0 * *minutes + *seconds + 1e-3 * *milliseconds;
  }

  /// Where the log does not say how many tokens a step has, its clock says how long it takes: the
  /// time since the record before, over the steps between.
  void settle_clock() {
    const bool knows_tokens = out_.find("global_batch") != nullptr &&
                              out_.find("seq_len") != nullptr && out_.find("n_gpus") != nullptr;
    std::vector<LoggedStep>& steps = out_.run().steps;
    if (knows_tokens || steps.size() < 3) return;
    std::vector<LoggedStep> timed;
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const double count = static_cast<double>(steps[i].number - steps[i - 1].number);
      if (!clocks_[i] || !clocks_[i - 1] || !(count > 0.0)) continue;
      double seconds = *clocks_[i] - *clocks_[i - 1];
      if (seconds < 0.0) seconds += 86'400.0;  // past midnight
      if (!(seconds > 0.0)) continue;
      timed.push_back(steps[i]);
      timed.back().seconds = seconds / count;
      timed.back().rounding = 1e-3 / seconds;
    }
    if (timed.size() < 2) return;
    // The first of these intervals is no warm-up, but one record is always taken for it.
    timed.insert(timed.begin(), timed.front());
    timed.front().number = steps.front().number;
    steps = std::move(timed);
    out_.note("step times from the clock of the records");
  }

  /// Degrees that only the configuration states.
  void settle_mesh() {
    if (mesh_line_ != 0) return;
    constexpr std::array<std::array<std::string_view, 2>, 6> degrees{
        {{"parallelism.data_parallel_replicate_degree", "dp_replicate"},
         {"parallelism.data_parallel_shard_degree", "dp_shard"},
         {"parallelism.tensor_parallel_degree", "tp"},
         {"parallelism.pipeline_parallel_degree", "pp"},
         {"parallelism.context_parallel_degree", "cp"},
         {"parallelism.expert_parallel_degree", "ep"}}};
    std::size_t line = 0;
    for (const auto& [setting, name] : degrees) {
      const LogSetting* const found = find_log_setting(settings_, setting);
      if (found == nullptr) continue;
      const auto count = support::parsed<std::int64_t>(found->value);
      if (!count || *count < 1) {
        mesh_.clear();  // -1: all GPUs that there are
        return;
      }
      mesh_.emplace(std::string(name), *count);
      line = found->line;
    }
    if (mesh_.contains("dp_shard")) finish_mesh(line);
  }

  /// What parallelize says that it has done to the model.
  void read_applied(std::string_view text, std::size_t line) {
    if (contains(text, " activation checkpointing to the model")) read_checkpointing(text, line);
    if (contains(text, "with torch.compile")) out_.cell("compile", "true", "torch.compile", line);
    if (contains(text, "Float8Linear") || contains(text, "Float8 training active") ||
        contains(text, "Float8RowwiseLinear")) {
      out_.cell("dtype", "fp8", "Float8", line);
    }
    if (contains(text, "MXFP8 training active") || contains(text, "MXLinear")) {
      out_.cell("dtype", "mxfp8", "MXFP8", line);
    }
    if (contains(text, "Applied DDP to the model")) is_ddp_ = true;
    if (contains(text, "Applied CPU Offloading to the model")) {
      out_.not_understood(line, "CPU offloading of parameters, gradients and optimizer");
    }
  }

  void read_checkpointing(std::string_view text, std::size_t line) {
    const auto applied = after(text, "Applied ");
    if (!applied) return;
    const std::string_view mode = first_word(*applied);
    const bool is_full = mode == "full" || mode == "FullAC";
    const bool is_selective = mode == "selective" || mode == "SelectiveAC";
    if (is_full) out_.cell("recompute", "full", "activation checkpointing", line);
    if (is_selective) out_.cell("recompute", selective_, "activation checkpointing", line);
    if (is_full || is_selective) {
      out_.cell("activation_ckpt", std::string(mode), "activation checkpointing", line);
      return;
    }
    out_.not_understood(line, "activation checkpointing " + support::shortened(mode));
  }

  /// `pp=1, dp_replicate=1, dp_shard=8, cp=1, tp=1, ep=1, etp=1`.
  void read_mesh(std::string_view text, std::size_t line) {
    for (const LogField& field : fields_of(text, ",", "=")) {
      add_degree(field.name, field.value, line);
    }
    finish_mesh(line);
  }

  /// `['dp_shard', 'tp'], [4, 2]`.
  void read_old_mesh(std::string_view text, std::size_t line) {
    const std::size_t middle = text.find("], [");
    if (!text.starts_with('[') || middle == std::string_view::npos) return;
    const auto names = fields_of(text.substr(1, middle - 1), ",", "=");
    const std::string_view rest = text.substr(middle + 4);
    const auto sizes = fields_of(rest.substr(0, rest.find(']')), ",", "=");
    for (std::size_t i = 0; i < std::min(names.size(), sizes.size()); ++i) {
      std::string_view name = names[i].name;
      while (name.starts_with('\'')) name.remove_prefix(1);
      while (name.ends_with('\'')) name.remove_suffix(1);
      add_degree(name, sizes[i].name, line);
    }
    for (const std::string_view name : {"tp", "pp", "cp"}) mesh_.emplace(name, 1);
    finish_mesh(line);
  }

  void add_degree(std::string_view name, std::string_view text, std::size_t line) {
    constexpr std::array<std::string_view, 8> known{"pp", "dp", "dp_replicate", "dp_shard",
                                                    "cp", "tp", "ep",           "etp"};
    if (std::ranges::find(known, name) == known.end()) {
      out_.not_understood(line, "the mesh dimension " + support::shortened(name));
      return;
    }
    const auto degree = out_.count(text, name, line);
    if (degree) mesh_.emplace(std::string(name), *degree);
  }

  std::int64_t degree(const std::string& name) const {
    const auto found = mesh_.find(name);
    return found == mesh_.end() ? 1 : found->second;
  }

  void finish_mesh(std::size_t line) {
    const std::int64_t dp = degree("dp") * degree("dp_replicate") * degree("dp_shard");
    out_.cell("dp", dp, "the device mesh", line);
    for (const char* const name : {"tp", "pp", "cp", "ep"}) {
      if (mesh_.contains(name)) out_.cell(name, degree(name), "the device mesh", line);
    }
    out_.cell("n_gpus", dp * degree("tp") * degree("pp") * degree("cp"), "the device mesh", line);
    mesh_line_ = line;
  }

  /// `NVIDIA H100 80GB HBM3 with 79.10GiB memory`.
  void read_device(std::string_view text, std::size_t line) {
    const std::size_t with = text.rfind(" with ");
    const std::size_t unit = text.find("GiB memory");
    if (with == std::string_view::npos || unit == std::string_view::npos || unit < with) return;
    capacity_text_ = text.substr(with + 6, unit - with - 6);
    capacity_gib_ = out_.number(capacity_text_, "capacity", line, memory_gib_max);
    const std::string_view device = device_of_driver_name(text.substr(0, with), capacity_gib_);
    out_.cell("device", std::string(device), "capacity", line);
    if (device.empty()) {
      out_.not_understood(line, "the device " + support::shortened(text.substr(0, with)));
    }
  }

  /// `llama3 8B with TransformerModelArgs(dim=4096, ..)`.
  void read_model_arguments(std::string_view text, std::size_t line) {
    const auto arguments = after(text, " with ");
    if (!arguments || contains(text, "device mesh")) return;
    const std::size_t bracket = arguments->find('(');
    if (bracket != std::string_view::npos) {
      state_model_literal(arguments->substr(bracket), line, out_);
    }
  }

  /// `Model llama3 8B size: 8,030,261,248 total parameters`.
  void read_size(std::string_view text, std::size_t line) {
    const auto name = after(text, "Model ");
    const auto size = after(text, " size: ");
    if (!name || !size) return;
    const std::size_t end = name->find(" size: ");
    if (end == std::string_view::npos) return;
    out_.cell("model", std::string(name->substr(0, end)), "Model", line);
    const auto parameters = out_.count(leading_count(*size), "size", line);
    if (parameters && out_.find("n_params_b") == nullptr) {
      out_.run().cells.push_back({.column = "n_params_b",
                                  .text = std::to_string(static_cast<double>(*parameters) / 1e9),
                                  .name = "size",
                                  .line = line});
    }
  }

  /// `local batch size 1, global batch size 8, gradient accumulation steps 1, sequence length ..`.
  void read_trainer(std::string_view text, std::size_t line) {
    const auto read = [&](std::string_view marker) -> std::optional<std::int64_t> {
      const auto found = after(text, marker);
      if (!found) return std::nullopt;
      return out_.count(leading_count(*found), marker.substr(0, marker.size() - 1), line);
    };
    if (const auto local = read("local batch size ")) local_batch_ = {*local, line};
    if (const auto steps = read("gradient accumulation steps ")) accumulation_ = *steps;
    if (const auto global = read("global batch size ")) {
      out_.cell("global_batch", *global, "global batch size", line);
    }
    if (const auto length = read("sequence length ")) {
      out_.cell("seq_len", *length, "sequence length", line);
    }
  }

  /// `Interleaved1F1B with 8 microbatches and 4 stages.`.
  void read_schedule(std::string_view text, std::size_t line) {
    const auto batches = after(text, " with ");
    const auto stages = after(text, " microbatches and ");
    if (!batches || !stages) return;
    microbatches_ = out_.count(leading_count(*batches), "microbatches", line).value_or(1);
    const auto count = out_.count(leading_count(*stages), "stages", line);
    if (count) stages_ = {*count, line};
  }

  void read_settings(std::string_view text, std::size_t line) {
    settings_ = trimmed(text) == "{" ? indented_settings(log_) : literal_settings(text, line);
    use_settings(line);
  }

  void use_settings(std::size_t line) {
    const std::string_view option =
        setting_value(settings_, "activation_checkpoint.selective_ac_option");
    if (support::parsed<std::int64_t>(option)) selective_ = "every_" + std::string(option);
    LogSettings stated;
    for (const LogSetting& setting : settings_) {
      if (setting.value != "-1") stated.push_back(setting);
    }
    state_settings(stated, columns, out_);
    name_unknown(settings_, columns, known_settings, out_);
    const std::string_view batch = setting_value(settings_, "training.local_batch_size");
    if (!batch.empty() && local_batch_.count == 0) {
      local_batch_ = {out_.count(batch, "local_batch_size", line).value_or(0), line};
    }
    read_token_counts(line);
  }

  /// What the command line set, where the configuration was not printed.
  void read_options() {
    const LogSettings options = option_settings(log_);
    for (const LogSetting& option : options) {
      if (contains(option.name, ".")) settings_.push_back(option);
    }
    if (!settings_.empty()) use_settings(settings_.front().line);
    state_torchrun(options, out_);
  }

  /// Since August 2026 batches are counted in tokens.
  void read_token_counts(std::size_t line) {
    const auto sequence = out_.stated("seq_len");
    if (!sequence) return;
    const auto read = [&](std::string_view name) -> std::int64_t {
      const auto tokens = support::parsed<std::int64_t>(setting_value(settings_, name));
      if (!tokens || *tokens <= 0) return 0;
      if (*tokens % *sequence != 0) {
        out_.problem(line, "expected a multiple of the sequence length " +
                               std::to_string(*sequence) + " in " + std::string(name) + ", got " +
                               std::to_string(*tokens));
        return 0;
      }
      return *tokens / *sequence;
    };
    const std::int64_t local = read("training.num_tokens_per_microbatch_per_dp_rank");
    if (local > 0) local_batch_ = {local, line};
    const std::int64_t global = read("training.num_tokens_per_train_step");
    if (global > 0) out_.cell("global_batch", global, "num_tokens_per_train_step", line);
  }

  void settle_stages() {
    const std::int64_t pp = degree("pp");
    const auto [count, line] = stages_;
    if (pp > 1 && count % pp == 0 && count > 0) out_.cell("vp", count / pp, "stages", line);
  }

  /// A local batch is cut into micro-batches by pipelines alone.
  void settle_batch() {
    if (local_batch_.count == 0) return;
    const auto [local, line] = local_batch_;
    if (local % microbatches_ != 0) {
      out_.problem(line, "expected a local batch that " + std::to_string(microbatches_) +
                             " micro-batches divide, got " + std::to_string(local));
      return;
    }
    out_.cell("micro_batch", local / microbatches_, "local batch size", line);
    if (accumulation_ > 0) {
      out_.cell("grad_accum", accumulation_ * microbatches_, "gradient accumulation steps", line);
    }
    const auto replicas = out_.stated("dp");
    if (replicas && out_.find("global_batch") == nullptr) {
      const std::int64_t steps = std::max<std::int64_t>(1, accumulation_);
      out_.cell("global_batch", local * *replicas * steps, "local batch size", line);
    }
  }

  void settle_precision() {
    const std::string_view format = setting_value(settings_, "training.mixed_precision_param");
    if (out_.find("dtype") != nullptr || format.empty()) return;
    const std::size_t line = find_log_setting(settings_, "training.mixed_precision_param")->line;
    const char* const dtype = format == "bfloat16" ? "bf16" : format == "float32" ? "fp32" : "";
    if (*dtype == '\0') {
      out_.not_understood(line, "mixed_precision_param " + support::shortened(format));
    }
    out_.cell("dtype", dtype, "mixed_precision_param", line);
  }

  void settle_sharding() {
    if (mesh_line_ == 0) return;
    const bool is_whole = setting_value(settings_, "fsdp_reshard_after_forward") == "never";
    const bool is_sharded = degree("dp_shard") * degree("dp") * degree("cp") > 1 && !is_ddp_;
    const char* const name = !is_sharded                  ? "no_shard"
                             : degree("dp_replicate") > 1 ? "hybrid_shard"
                             : is_whole                   ? "shard_grad_op"
                                                          : "full_shard";
    out_.cell("sharding", name, "the device mesh", mesh_line_);
    if (degree("dp_replicate") > 1 && is_sharded) {
      out_.cell(
          "fsdp_strategy",
          "HYBRID_SHARD within " + std::to_string(degree("dp_shard") * degree("cp")) + " ranks",
          "the device mesh", mesh_line_);
    }
  }

  /// A count and the line that states it.
  struct StatedCount {
    std::int64_t count = 0;
    std::size_t line = 0;
  };

  const LogText& log_;
  LogRecorder& out_;
  std::size_t version_ = 0;
  std::map<std::string, std::int64_t, std::less<>> mesh_;
  std::size_t mesh_line_ = 0;
  bool is_ddp_ = false;
  std::string selective_ = "selective";
  std::optional<double> capacity_gib_;
  std::string capacity_text_;
  StatedCount local_batch_, stages_;
  std::optional<double> clock_;                ///< of the record that is read
  std::vector<std::optional<double>> clocks_;  ///< of all records
  std::int64_t accumulation_ = 0;
  std::int64_t microbatches_ = 1;
  LogSettings settings_;
};

void read(const LogText& log, LogRecorder& out) {
  TorchtitanReader(log, out).read();
  out.cell("framework", "torchtitan", "the log", 0);
}

}  // namespace

LogFormat torchtitan_format() {
  return {.name = "torchtitan", .versions = versions, .recognises = recognises, .read = read};
}

}  // namespace cubicbench::datasets
