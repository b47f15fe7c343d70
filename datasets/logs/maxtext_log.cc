// MaxText: `completed step: 14, seconds: 3.393, TFLOP/s/device: 419.485, Tokens/s/device: 7243.1,
// ..` after `Config param name: value` (github.com/AI-Hypercomputer/maxtext, metric_logger.py).
#include <algorithm>
#include <array>

#include "datasets/logs/log_fields.h"
#include "datasets/logs/log_formats.h"
#include "datasets/logs/log_settings.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<std::string_view, 3> maxtext_versions{"2023", "2024-tokens", "2025-weights"};
constexpr std::string_view record_start = "completed step: ";
constexpr std::string_view config_start = "Config param ";

constexpr std::array<SettingColumn, 19> maxtext_columns{{
    {"global_batch_size_to_train_on", "global_batch"},
    {"max_target_length", "seq_len"},
    {"model_name", "model"},
    {"num_decoder_layers", "n_layers"},
    {"base_num_decoder_layers", "n_layers"},
    {"emb_dim", "d_model"},
    {"base_emb_dim", "d_model"},
    {"num_query_heads", "n_heads"},
    {"base_num_query_heads", "n_heads"},
    {"num_kv_heads", "n_kv_heads"},
    {"base_num_kv_heads", "n_kv_heads"},
    {"mlp_dim", "d_ff"},
    {"base_mlp_dim", "d_ff"},
    {"vocab_size", "vocab"},
    {"num_experts", "n_experts"},
    {"num_devices", "n_gpus"},
    {"attention", "attention_impl"},
    {"remat_policy", "activation_ckpt"},
    {"quantization", "precision"},
}};

constexpr std::array<std::string_view, 16> maxtext_known{"per_device_batch_size",
                                                         "global_batch_size_to_load",
                                                         "micro_batch_size_to_train_on",
                                                         "global_batch_size_to_eval_on",
                                                         "global_batch_size_to_load_eval",
                                                         "eval_per_device_batch_size",
                                                         "micro_batch_size_to_eval_on",
                                                         "ici_parallelism",
                                                         "dcn_parallelism",
                                                         "remat_policy_for_vit",
                                                         "optimizer_memory_host_offload",
                                                         "parameter_memory_host_offload",
                                                         "fsdp_shard_on_exp",
                                                         "shard_mode",
                                                         "sharding_tolerance",
                                                         "global_batch_size"};

bool is_maxtext_log(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return contains(line.text, record_start) || contains(line.text, config_start);
  });
}

class MaxtextReader {
 public:
  MaxtextReader(const LogText& log, LogRecorder& out) : log_(log), out_(out) {}

  void read() {
    for (const LogLine& line : log_.lines) {
      if (const auto setting = after(line.text, config_start)) {
        add_setting(*setting, line.number);
      } else if (const auto record = after(line.text, "completed step")) {
        if (contains(line.text, record_start)) read_record(line.text, line.number);
      } else {
        read_message(line.text, line.number);
      }
    }
    state();
    out_.version(maxtext_versions[version_]);
  }

 private:
  void add_setting(std::string_view text, std::size_t line) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return;
    settings_.push_back(
        {std::string(text.substr(0, colon)), std::string(trimmed(text.substr(colon + 1))), line});
  }

  void read_record(std::string_view text, std::size_t line) {
    text.remove_prefix(text.find(record_start));
    const std::vector<LogField> fields = fields_of(text, ", ", ": ");
    const std::string_view digits = value_of(fields, "seconds").value_or("");
    const auto number =
        out_.count(value_of(fields, "completed step").value_or(""), "completed step", line, 0);
    const auto seconds = out_.number(digits, "seconds", line, step_seconds_max);
    LoggedStep step{.line = line, .number = number.value_or(0)};
    for (const LogField& field : fields) read_field(field, step);
    if (!number || !seconds) return;
    step.seconds = *seconds;
    step.rounding = rounding_of(digits);
    out_.step(std::move(step));
  }

  void read_field(const LogField& field, LoggedStep& step) {
    constexpr std::array<std::string_view, 3> rates{"TFLOP/s/device", "TFLOP/s", "Tokens/s/device"};
    constexpr std::array<std::string_view, 12> others{
        "completed step", "seconds",         "total_weights", "loss",
        "lm_loss",        "main_model_loss", "mtp_loss",      "perplexity",
        "grad_norm",      "moe_lb_loss",     "param_norm",    "learning_rate"};
    if (std::ranges::find(rates, field.name) != rates.end()) {
      out_.rate(step, field.name, field.value);
      if (field.name == "Tokens/s/device") version_ = std::max<std::size_t>(version_, 1);
    } else if (std::ranges::find(others, field.name) == others.end() &&
               !field.name.ends_with("loss")) {
      out_.not_understood(step.line, "the field " + support::shortened(field.name));
    }
    if (field.name == "total_weights") version_ = 2;
  }

  void read_message(std::string_view text, std::size_t line) {
    if (contains(text, "eval metrics after step") || contains(text, "Completed eval step") ||
        contains(text, "saved a checkpoint") || contains(text, "Saved checkpoint")) {
      out_.pause(line);
    }
    if (const auto devices = after(text, "Num_devices: ")) {
      const auto count = out_.count(leading_count(*devices), "Num_devices", line);
      if (count) out_.cell("n_gpus", *count, "Num_devices", line);
    }
    if (const auto total = after(text, "Total memory size: ")) read_memory(*total, line);
    if (const auto used = after(text, "Using (GB) ")) {
      const auto gib = out_.number_or_zero(first_word(*used), "Using (GB)", line, memory_gib_max);
      in_use_ = std::max(in_use_, gib.value_or(0.0));
      in_use_line_ = line;
    }
  }

  /// `45.2 GB, Output size: ..`, of the compiled step; its GB are 2^30 bytes.
  void read_memory(std::string_view text, std::size_t line) {
    const auto gib =
        out_.number_or_zero(first_word(text), "Total memory size", line, memory_gib_max);
    if (gib && *gib > 0.0) out_.peak(*gib, "allocated", line);
  }

  void state() {
    if (!out_.run().peak && in_use_ > 0.0) out_.peak(in_use_, "allocated", in_use_line_);
    LogSettings stated;
    for (const LogSetting& setting : settings_) {
      const bool is_default = setting.value.empty() || setting.value == "default" ||
                              setting.value == "-1" || setting.value == "0";
      if (!is_default) stated.push_back(setting);
    }
    state_settings(stated, maxtext_columns, out_);
    state_experts(stated);
    state_precision();
    state_recomputation();
    if (!settings_.empty()) state_layout();
    name_axes();
    name_unknown(settings_, maxtext_columns, axes_and_known(), out_);
  }

  void state_experts(const LogSettings& stated) {
    if (out_.stated("n_experts").value_or(1) <= 1) return;
    constexpr std::array<SettingColumn, 1> chosen{{{"num_experts_per_tok", "top_k"}}};
    state_settings(stated, chosen, out_);
  }

  std::size_t line_of_setting(std::string_view name) const {
    const LogSetting* const found = find_log_setting(settings_, name);
    return found == nullptr ? 0 : found->line;
  }

  void state_precision() {
    const std::string_view quantised = setting_value(settings_, "quantization");
    const std::string_view plain = setting_value(settings_, "dtype");
    if (contains(quantised, "fp8")) {
      out_.cell("dtype", "fp8", "quantization", line_of_setting("quantization"));
    } else if (!quantised.empty()) {
      out_.not_understood(line_of_setting("quantization"),
                          "quantization " + support::shortened(quantised));
    } else if (plain == "bfloat16" || plain == "float32") {
      out_.cell("dtype", plain == "bfloat16" ? "bf16" : "fp32", "dtype", line_of_setting("dtype"));
    }
  }

  void state_recomputation() {
    const std::string_view policy = setting_value(settings_, "remat_policy");
    if (policy.empty()) return;
    const std::size_t line = line_of_setting("remat_policy");
    if (policy == "full") {
      out_.cell("recompute", "full", "remat_policy", line);
    } else if (policy.starts_with("minimal") || policy.starts_with("save_")) {
      out_.cell("recompute", "selective", "remat_policy", line);
    } else {
      out_.not_understood(line, "remat_policy " + support::shortened(policy));
    }
  }

  /// Of an axis, inside a slice and between slices; nothing where one is left to the program.
  std::optional<std::int64_t> axis(std::string_view name) {
    std::int64_t size = 1;
    for (const char* const where : {"ici_", "dcn_"}) {
      const std::string setting = where + std::string(name) + "_parallelism";
      const std::string_view text = setting_value(settings_, setting);
      if (text.empty()) continue;
      if (text == "-1") return std::nullopt;
      const auto part = out_.count(text, setting, line_of_setting(setting));
      if (!part || *part > 1'000'000) return std::nullopt;
      size *= *part;
      if (size > 1'000'000'000) return std::nullopt;
    }
    return size;
  }

  static constexpr std::array<SettingColumn, 11> mesh_axes{{{"data", "dp"},
                                                            {"fsdp", "dp"},
                                                            {"fsdp_transpose", "dp"},
                                                            {"expert", "dp"},
                                                            {"tensor", "tp"},
                                                            {"tensor_transpose", "tp"},
                                                            {"tensor_sequence", "tp"},
                                                            {"autoregressive", "tp"},
                                                            {"pipeline", "pp"},
                                                            {"context", "cp"},
                                                            {"sequence", "cp"}}};

  /// Product of the axes of one column; an axis of -1 takes what the others leave of the GPUs.
  std::int64_t degree(std::string_view column) {
    std::int64_t product = 1;
    for (const SettingColumn& one : mesh_axes) {
      if (one.column != column) continue;
      product *= std::min<std::int64_t>(axis(one.name).value_or(rest_of_gpus()), 1'000'000);
      if (product > 1'000'000'000) return 1'000'000'000;
    }
    return product;
  }

  /// What all axes but the open one leave; 1 where the log does not say how many GPUs there are.
  std::int64_t rest_of_gpus() {
    const auto gpus = out_.stated("n_gpus");
    std::int64_t taken = 1;
    for (const SettingColumn& one : mesh_axes) {
      taken *= std::min<std::int64_t>(axis(one.name).value_or(1), 1'000'000);
      if (taken > 1'000'000'000) return 1;
    }
    return gpus && *gpus % taken == 0 ? std::max<std::int64_t>(1, *gpus / taken) : 1;
  }

  bool is_open() {
    return std::ranges::any_of(mesh_axes,
                               [&](const SettingColumn& one) { return !axis(one.name); });
  }

  void state_layout() {
    const std::size_t line = line_of_setting("ici_fsdp_parallelism");
    const bool says_axes = line > 0;
    if (!says_axes || (is_open() && out_.find("n_gpus") == nullptr)) return;
    const std::int64_t dp = degree("dp");
    for (const char* const column : {"dp", "tp", "pp", "cp"}) {
      out_.cell(column, degree(column), "the axes of the mesh", line);
    }
    out_.cell("ep", axis("expert").value_or(1), "the axes of the mesh", line);
    state_accumulation();
    const std::int64_t data = axis("data").value_or(rest_of_gpus());
    const char* const sharding = dp == data ? "no_shard" : data > 1 ? "hybrid_shard" : "full_shard";
    out_.cell("sharding", sharding, "the axes of the mesh", line);
    if (out_.find("n_gpus") == nullptr) {
      out_.cell("n_gpus", dp * degree("tp") * degree("pp") * degree("cp"), "the axes of the mesh",
                line);
    }
  }

  /// Pipelines cut what a replica has into micro-batches: as many as stages unless told.
  void state_accumulation() {
    const std::size_t line = line_of_setting("gradient_accumulation_steps");
    const auto steps = out_.count(setting_or_one("gradient_accumulation_steps"),
                                  "gradient_accumulation_steps", line);
    const std::int64_t stages = degree("pp");
    if (!steps) return;
    if (stages == 1) {
      out_.cell("grad_accum", *steps, "gradient_accumulation_steps", line);
      return;
    }
    const auto batches =
        support::parsed<std::int64_t>(setting_value(settings_, "num_pipeline_microbatches"));
    const std::int64_t pipelined = batches && *batches > 0 ? *batches : stages;
    if (pipelined > 1'000'000 || *steps > 1'000'000) return;
    out_.cell("grad_accum", *steps * pipelined, "num_pipeline_microbatches", line);
    const auto repeats =
        support::parsed<std::int64_t>(setting_value(settings_, "num_pipeline_repeats"));
    if (repeats && *repeats > 0) {
      out_.cell("vp", *repeats, "num_pipeline_repeats", line_of_setting("num_pipeline_repeats"));
    }
  }

  std::string_view setting_or_one(std::string_view name) const {
    const std::string_view text = setting_value(settings_, name);
    return text.empty() ? "1" : text;
  }

  /// Axes that the table has no column for.
  void name_axes() {
    for (const LogSetting& setting : settings_) {
      const std::string_view name = setting.name;
      const bool is_axis = (name.starts_with("ici_") || name.starts_with("dcn_")) &&
                           name.ends_with("_parallelism") && setting.value != "1";
      if (!is_axis) continue;
      const std::string_view axis_name = name.substr(4, name.size() - 4 - 12);
      const bool is_known =
          std::ranges::find(mesh_axes, axis_name, &SettingColumn::name) != mesh_axes.end();
      if (!is_known) {
        out_.not_understood(setting.line, "the axis " + support::shortened(setting.name));
      }
    }
  }

  /// Axes are read, or named, above.
  std::vector<std::string_view> axes_and_known() const {
    std::vector<std::string_view> names(maxtext_known.begin(), maxtext_known.end());
    for (const LogSetting& setting : settings_) {
      const bool is_axis = setting.name.ends_with("_parallelism");
      if (is_axis) names.push_back(setting.name);
    }
    return names;
  }

  const LogText& log_;
  LogRecorder& out_;
  std::size_t version_ = 0;
  LogSettings settings_;
  double in_use_ = 0.0;
  std::size_t in_use_line_ = 0;
};

void read_maxtext_log(const LogText& log, LogRecorder& out) {
  MaxtextReader(log, out).read();
  out.cell("framework", "MaxText", "the log", 0);
}

}  // namespace

LogFormat maxtext_format() {
  return {.name = "maxtext",
          .versions = maxtext_versions,
          .recognises = is_maxtext_log,
          .read = read_maxtext_log};
}

}  // namespace cubicbench::datasets
