#include "datasets/logs/megatron_settings.h"

#include <algorithm>
#include <array>

#include "datasets/logs/log_fields.h"
#include "support/parsed.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<SettingColumn, 25> megatron_columns{{
    {"world_size", "n_gpus"},
    {"data_parallel_size", "dp"},
    {"tensor_model_parallel_size", "tp"},
    {"model_parallel_size", "tp"},
    {"pipeline_model_parallel_size", "pp"},
    {"pipe_parallel_size", "pp"},
    {"virtual_pipeline_model_parallel_size", "vp"},
    {"context_parallel_size", "cp"},
    {"expert_model_parallel_size", "ep"},
    {"sequence_parallel", "sp"},
    {"micro_batch_size", "micro_batch"},
    {"train_micro_batch_size_per_gpu", "micro_batch"},
    {"global_batch_size", "global_batch"},
    {"train_batch_size", "global_batch"},
    {"seq_length", "seq_len"},
    {"encoder_seq_length", "seq_len"},
    {"num_layers", "n_layers"},
    {"hidden_size", "d_model"},
    {"num_attention_heads", "n_heads"},
    {"ffn_hidden_size", "d_ff"},
    {"padded_vocab_size", "vocab"},
    {"vocab_size", "vocab"},
    {"num_moe_experts", "n_experts"},
    {"num_experts", "n_experts"},
    {"model_name", "model"},
}};

/// Read below, or without a meaning for time and memory that the table has a column for.
constexpr std::array<std::string_view, 34> megatron_known{
    "recompute_granularity",
    "recompute_method",
    "recompute_num_layers",
    "recompute_modules",
    "recompute_activations",
    "distribute_saved_activations",
    "checkpoint_activations",
    "activations_checkpoint_granularity",
    "activations_checkpoint_method",
    "activations_checkpoint_num_layers",
    "cpu_offloading",
    "cpu_offloading_num_layers",
    "cpu_offloading_activations",
    "cpu_offloading_weights",
    "optimizer_cpu_offload",
    "optimizer_offload_fraction",
    "use_torch_fsdp2",
    "use_megatron_fsdp",
    "use_custom_fsdp",
    "data_parallel_sharding_strategy",
    "data_parallel_random_init",
    "transformer_pipeline_model_parallel_size",
    "expert_tensor_parallel_size",
    "expert_tensor_and_model_parallel_size",
    "data_sharding",
    "scatter_gather_tensors_in_pipeline",
    "rampup_batch_size",
    "eval_global_batch_size",
    "eval_micro_batch_size",
    "decrease_batch_size_if_needed",
    "overlap_p2p_comm_warmup_flush",
    "hierarchical_context_parallel_sizes",
    "retro_num_workers",
    "ckpt_fully_parallel_save",
};

constexpr std::array<std::string_view, 12> stated_once{"world_size",
                                                       "data_parallel_size",
                                                       "tensor_model_parallel_size",
                                                       "context_parallel_size",
                                                       "pipeline_model_parallel_size",
                                                       "expert_model_parallel_size",
                                                       "micro_batch_size",
                                                       "global_batch_size",
                                                       "seq_length",
                                                       "num_layers",
                                                       "hidden_size",
                                                       "num_attention_heads"};

/// What several settings say together.
class MegatronSettings {
 public:
  MegatronSettings(const LogSettings& settings, LogRecorder& out)
      : settings_(settings), out_(out) {}

  void state() {
    check_repeated(settings_, stated_once, out_);
    state_settings(settings_, megatron_columns, out_);
    state_heads();
    state_experts();
    state_chunks();
    state_precision();
    state_sharding();
    state_recomputation();
    state_offloading();
    if (!value("rampup_batch_size").empty()) out_.run().ramps = true;
    name_unknown(settings_, megatron_columns, megatron_known, out_);
  }

 private:
  std::string_view value(std::string_view name) const { return setting_value(settings_, name); }
  bool on(std::string_view name) const { return is_on(value(name)); }

  void cell(std::string_view column, std::string text, std::string_view name) {
    const LogSetting* const setting = find_log_setting(settings_, name);
    out_.cell(column, std::move(text), std::string(name), setting == nullptr ? 0 : setting->line);
  }

  void misunderstood(std::string_view name) {
    const LogSetting& setting = *find_log_setting(settings_, name);
    out_.not_understood(setting.line, setting.name + " = " + support::shortened(setting.value));
  }

  /// Megatron-LM has one query group by default, which counts only with grouped queries.
  void state_heads() {
    const std::string_view groups = value("num_query_groups");
    const std::string_view grouped = value("group_query_attention");
    if (!groups.empty() && (grouped.empty() || is_on(grouped))) {
      cell("n_kv_heads", std::string(groups), "num_query_groups");
    }
  }

  void state_experts() {
    if (out_.stated("n_experts").value_or(1) <= 1) return;
    cell("top_k", std::string(value("moe_router_topk")), "moe_router_topk");
    std::string flags;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> told{
        {{"moe_ffn_hidden_size", "moe-ffn-hidden-size"},
         {"moe_shared_expert_intermediate_size", "moe-shared-expert-intermediate-size"},
         {"moe_grouped_gemm", "moe-grouped-gemm"}}};
    for (const auto& [name, flag] : told) {
      if (value(name).empty()) continue;
      flags += (flags.empty() ? "" : " ") + std::string(flag) + "=" + std::string(value(name));
    }
    if (!flags.empty()) out_.note(flags);
  }

  /// Chunks of a stage are stated, or the layers of each.
  void state_chunks() {
    const auto layers =
        support::parsed<std::int64_t>(value("num_layers_per_virtual_pipeline_stage"));
    const auto all = out_.stated("n_layers");
    const auto stages = out_.stated("pp");
    if (out_.find("vp") != nullptr || !layers || !all || !stages || *layers < 1) return;
    if (*stages < 1 || *all % *stages != 0 || *all / *stages % *layers != 0) {
      misunderstood("num_layers_per_virtual_pipeline_stage");
      return;
    }
    cell("vp", std::to_string(*all / *stages / *layers), "num_layers_per_virtual_pipeline_stage");
  }

  void state_precision() {
    if (!value("fp4").empty() && value("fp4") != "False") {
      cell("dtype", "nvfp4", "fp4");
    } else if (!value("fp8").empty() && value("fp8") != "False") {
      cell("dtype", value("fp8_recipe") == "mxfp8" ? "mxfp8" : "fp8", "fp8");
      cell("precision", "fp8 " + std::string(value("fp8")) + " " + std::string(value("fp8_recipe")),
           "fp8");
    } else if (on("bf16") || contains(value("params_dtype"), "bfloat16") ||
               contains(value("precision"), "bf16")) {
      cell("dtype", "bf16", "bf16");
    } else if (on("fp16") || contains(value("params_dtype"), "float16")) {
      cell("dtype", "fp16", "fp16");
    } else if (contains(value("params_dtype"), "float32")) {
      cell("dtype", "fp32", "params_dtype");
    }
  }

  void state_sharding() {
    constexpr std::string_view strategy = "data_parallel_sharding_strategy";
    const bool is_fsdp = on("use_megatron_fsdp") || on("use_custom_fsdp");
    if (on("use_torch_fsdp2")) {
      cell("sharding", "full_shard", "use_torch_fsdp2");
    } else if (is_fsdp) {
      const std::string_view how = value(strategy);
      const char* const name = how == "optim_grads_params" ? "full_shard"
                               : how == "optim_grads"      ? "shard_grad_op"
                               : how == "optim"            ? "zero1"
                               : how == "no_shard"         ? "no_shard"
                                                           : "";
      if (*name == '\0' && !how.empty()) misunderstood(strategy);
      cell("sharding", name, strategy);
    } else if (!value("zero_stage").empty() && !on("use_distributed_optimizer")) {
      state_zero_stage("zero_stage");
    } else if (!value("use_distributed_optimizer").empty()) {
      cell("sharding", on("use_distributed_optimizer") ? "zero1" : "no_shard",
           "use_distributed_optimizer");
    }
  }

  void state_zero_stage(std::string_view name) {
    constexpr std::array<std::string_view, 4> stages{"no_shard", "zero1", "shard_grad_op",
                                                     "full_shard"};
    const auto stage = support::parsed<double>(value(name));
    if (!stage || !(*stage >= 0.0 && *stage <= 3.0)) {
      misunderstood(name);
      return;
    }
    cell("sharding", std::string(stages[static_cast<std::size_t>(*stage)]), name);
  }

  /// Whole layers or what attention makes; a part of the layers has no word in the table.
  void state_recomputation() {
    for (const std::string_view name : {std::string_view("recompute_granularity"),
                                        std::string_view("activations_checkpoint_granularity")}) {
      const LogSetting* const setting = find_log_setting(settings_, name);
      if (setting == nullptr) continue;
      const std::string_view how = value(name);
      if (how.empty()) {
        out_.cell("recompute", "none", setting->name, setting->line);
      } else if (how == "selective" || how == "full") {
        out_.cell("recompute", std::string(how), setting->name, setting->line);
        out_.cell("activation_ckpt", std::string(how), setting->name, setting->line);
        name_partial(how);
      } else {
        misunderstood(name);
      }
      return;
    }
    if (!value("checkpoint_activations").empty()) {
      cell("recompute", on("checkpoint_activations") ? "full" : "none", "checkpoint_activations");
    }
  }

  void name_partial(std::string_view how) {
    for (const std::string_view name : {std::string_view("recompute_method"),
                                        std::string_view("activations_checkpoint_method")}) {
      if (how == "full" && value(name) == "block") misunderstood(name);
    }
    const std::string_view modules = value("recompute_modules");
    const bool is_usual = modules.empty() || modules == "['core_attn']" || modules == "[]";
    if (how == "selective" && !is_usual) misunderstood("recompute_modules");
  }

  void state_offloading() {
    const bool activations = on("cpu_offloading");
    const bool optimizer = on("optimizer_cpu_offload");
    if (!activations && !optimizer) return;
    const char* const what = activations && optimizer ? "both"
                             : activations            ? "activations"
                                                      : "optimizer";
    cell("offload", what, activations ? "cpu_offloading" : "optimizer_cpu_offload");
    const auto share = support::parsed<double>(value("optimizer_offload_fraction"));
    if (optimizer && share && *share < 1.0) misunderstood("optimizer_offload_fraction");
  }

  const LogSettings& settings_;
  LogRecorder& out_;
};

void read_world(std::string_view text, std::size_t line, LogRecorder& out) {
  constexpr std::array<SettingColumn, 8> sizes{{{"world size", "n_gpus"},
                                                {"data-parallel size", "dp"},
                                                {"data-parallel-size", "dp"},
                                                {"context-parallel size", "cp"},
                                                {"tensor-model-parallel size", "tp"},
                                                {"model-parallel-size", "tp"},
                                                {"expert-model-parallel size", "ep"},
                                                {"pipeline-model-parallel size", "pp"}}};
  for (const SettingColumn& size : sizes) {
    for (const char* const before : {" ", ","}) {
      const auto rest = after(text, before + std::string(size.name) + ": ");
      if (!rest) continue;
      const auto count = out.count(leading_count(*rest), size.name, line);
      if (count) out.cell(size.column, *count, std::string(size.name), line);
    }
  }
}

}  // namespace

void state_megatron_settings(const LogSettings& settings, LogRecorder& out) {
  MegatronSettings(settings, out).state();
}

void read_megatron_start(std::string_view text, std::size_t line, LogRecorder& out) {
  if (contains(text, "using world size: ")) read_world(text, line, out);
  if (contains(text, "padded vocab (size: ")) {
    const auto size = after(text, "(new size: ");
    const auto count = size ? out.count(leading_count(*size), "padded vocab", line) : std::nullopt;
    if (count) out.cell("vocab", *count, "padded vocab", line);
  }
  for (const char* const words : {"setting number of micro-batches to constant ",
                                  "setting number of microbatches to constant "}) {
    const auto rest = after(text, words);
    const auto count = rest ? out.count(leading_count(*rest), "micro-batches", line) : std::nullopt;
    if (count) out.cell("grad_accum", *count, "number of micro-batches", line);
  }
}

}  // namespace cubicbench::datasets
