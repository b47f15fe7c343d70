// torchtitan: `step: 10  loss: ..  grad_norm: ..  memory: 12.34GiB(15.60%)  tps: 7,123  tflops: ..
// mfu: ..%`, and what it logs of mesh, model and trainer before (github.com/pytorch/torchtitan,
// components/metrics.py and train.py).
#include <algorithm>
#include <array>
#include <string>

#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/log_settings.h"
#include "datasets/logs/model_literal.h"
#include "datasets/logs/torchtitan_mesh.h"
#include "datasets/logs/torchtitan_records.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<SettingColumn, 7> torchtitan_columns{{
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

bool is_torchtitan_log(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return torchtitan_record(line.text) || contains(line.text, "[titan]");
  });
}

/// Reads a log from its first line to its last.
class TorchtitanReader {
 public:
  TorchtitanReader(const LogText& log, LogRecorder& out)
      : log_(log), out_(out), records_(out), mesh_(out) {}

  void read() {
    for (const LogLine& line : log_.lines) {
      if (const auto record = torchtitan_record(line.text)) {
        records_.read(*record, line);
      } else {
        read_message(line.text, line.number);
      }
    }
    if (settings_.empty()) read_options();
    mesh_.settle(settings_);
    settle_stages();
    settle_batch();
    mesh_.settle_sharding(settings_);
    records_.settle_clock();
    settle_precision();
    out_.version(records_.version());
  }

 private:
  void read_message(std::string_view text, std::size_t line) {
    if (contains(text, "validate step:") || contains(text, "Saving the checkpoint") ||
        contains(text, "Saving a") || contains(text, "Saving checkpoint")) {
      out_.pause(line);
    }
    if (const auto mesh = after(text, "device mesh with parallelism: ")) mesh_.read(*mesh, line);
    if (const auto mesh = after(text, "-D device mesh with ")) mesh_.read_old(*mesh, line);
    if (const auto device = after(text, " capacity: ")) records_.read_device(*device, line);
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
    if (contains(text, "Applied DDP to the model")) mesh_.note_ddp();
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
    if (option == "op") selective_ = "per_op";
    LogSettings stated;
    for (const LogSetting& setting : settings_) {
      if (setting.value != "-1") stated.push_back(setting);
    }
    state_settings(stated, torchtitan_columns, out_);
    name_unknown(settings_, torchtitan_columns, known_settings, out_);
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
    const std::int64_t pp = mesh_.degree("pp");
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

  /// A count and the line that states it.
  struct StatedCount {
    std::int64_t count = 0;
    std::size_t line = 0;
  };

  const LogText& log_;
  LogRecorder& out_;
  TorchtitanRecords records_;
  TorchtitanMesh mesh_;
  std::string selective_ = "selective";
  StatedCount local_batch_, stages_;
  std::int64_t accumulation_ = 0;
  std::int64_t microbatches_ = 1;
  LogSettings settings_;
};

void read_torchtitan_log(const LogText& log, LogRecorder& out) {
  TorchtitanReader(log, out).read();
  out.cell("framework", "torchtitan", "the log", 0);
}

}  // namespace

LogFormat torchtitan_format() {
  return {.name = "torchtitan",
          .versions = torchtitan_versions(),
          .recognises = is_torchtitan_log,
          .read = read_torchtitan_log};
}

}  // namespace cubicbench::datasets
