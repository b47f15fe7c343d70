#include "results/simulation/violation_text.h"

#include <string_view>

#include "scenarios/space/setting.h"

namespace cubicbench::results {
namespace {

/// The value as a user writes it: "zb_h1" rather than the number of the enumerator.
std::string written(std::string_view name, std::int64_t code) {
  const scenarios::Setting* setting = scenarios::find_setting(name);
  return setting == nullptr ? std::to_string(code) : scenarios::format_setting(*setting, code);
}

/// `NAME is GOT, but must FIRST (NEEDS)LAST`.
std::string must(const sim::Violation& violation, std::string_view name, std::string_view first,
                 std::string_view last = "") {
  return std::string(name) + " is " + std::to_string(violation.got) + ", but must " +
         std::string(first) + " (" + std::to_string(violation.needs) + ")" + std::string(last);
}

std::string sequence_text(const sim::Violation& violation) {
  if (std::string_view(violation.setting) == "context_parallel") {
    return must(violation, violation.setting, "divide, taken twice, sequence");
  }
  return must(violation, violation.setting, "divide sequence",
              " / (2 x context_parallel) under sequence_parallel");
}

std::string layers_text(const sim::Violation& violation) {
  const bool interleaved = std::string_view(violation.setting) == "virtual_stages";
  return must(violation, interleaved ? "virtual_stages x pipeline_parallel" : "pipeline_parallel",
              "be at most the number of layers");
}

}  // namespace

std::string violation_text(const sim::Violation& violation) {
  const std::string setting = violation.setting;
  const std::string got = written(violation.setting, violation.got);
  const std::string needs = std::to_string(violation.needs);
  switch (violation.rule) {
    case sim::Rule::none:
      return "nothing is wrong";
    case sim::Rule::gpus_divide:
      return must(violation, "cluster.gpus",
                  "be a multiple of tensor_parallel x context_parallel x pipeline_parallel");
    case sim::Rule::data_parallel_matches:
      return must(violation, setting,
                  "be gpus / (tensor_parallel x context_parallel x pipeline_parallel)");
    case sim::Rule::batch_divides:
      return must(violation, setting, "be a multiple of data_parallel x micro_batch");
    case sim::Rule::heads_divide:
      return must(violation, setting, "divide attention_heads");
    case sim::Rule::kv_heads_divide:
      return must(violation, setting, "divide kv_heads", " or be a multiple of it");
    case sim::Rule::ffn_divides:
      return must(violation, setting, "divide ffn_hidden");
    case sim::Rule::sequence_divides:
      return sequence_text(violation);
    case sim::Rule::enough_layers:
      return layers_text(violation);
    case sim::Rule::micro_batches_fill:
      return "the step has " + got +
             " micro-batches, but schedule interleaved needs a multiple of pipeline_parallel (" +
             needs + "); change " + setting;
    case sim::Rule::micro_batches_pair:
      return "the step has " + got + " micro-batches, but schedule dualpipe needs a multiple of " +
             needs + "; change " + setting;
    case sim::Rule::micro_batches_suffice:
      return "the step has " + got + " micro-batches, but the schedule needs at least " + needs +
             ", 2 x pipeline_parallel; change " + setting;
    case sim::Rule::stages_pair:
      return setting + " is " + got + ", but schedule dualpipe needs a multiple of " + needs;
    case sim::Rule::schedule_pipelines:
      return setting + " is " + got + ", but the schedule needs at least " + needs;
    case sim::Rule::schedule_fits:
      return setting + " is " + got + ", but schedule interleaved needs at least " + needs;
    case sim::Rule::shard_group_divides:
      return must(violation, setting, "divide data_parallel x context_parallel");
    case sim::Rule::reshard_divides:
      return must(violation, setting, "divide the ranks that share one copy of the weights");
    case sim::Rule::expert_parallel_dense:
      return setting + " is " + got + ", but must be " + needs +
             ": the model is dense and has no experts";
    case sim::Rule::experts_divide:
      return must(violation, setting, "divide the number of experts");
    case sim::Rule::expert_mesh_divides:
      return must(violation, "expert_tensor_parallel x expert_parallel",
                  "divide tensor_parallel x context_parallel x data_parallel");
    case sim::Rule::expert_ffn_divides:
      return must(violation, setting, "divide the width of an expert");
    case sim::Rule::dtype_supported:
      return setting + " is " + got + ", but the device has no matrix units for it";
    case sim::Rule::copies_divide:
      return must(violation, setting, "divide the GPUs", ", and those of a node or whole nodes");
    case sim::Rule::cache_holds_rows:
      return setting + " is 0, but a cache must hold rows";
    case sim::Rule::wire_dtype:
      return setting + " is " + got + ", but embeddings travel as fp32, fp16, bf16 or fp8";
    case sim::Rule::not_modelled:
      return setting + " is " + got + ", which this version does not model";
  }
  return "";
}

}  // namespace cubicbench::results
