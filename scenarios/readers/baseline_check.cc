#include "scenarios/readers/baseline_check.h"

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/space/setting.h"
#include "sim/plan/validity.h"

namespace cubicbench::scenarios {
namespace {

std::string written(const sim::Violation& violation, std::int64_t code) {
  const Setting* setting = find_setting(violation.setting);
  return setting == nullptr ? std::to_string(code) : format_setting(*setting, code);
}

std::string with_needs(std::string_view before, const sim::Violation& violation,
                       std::string_view after = "") {
  return std::string(before) + " (" + std::to_string(violation.needs) + ")" + std::string(after);
}

std::string sequence_rule(const sim::Violation& violation) {
  const bool context = std::string_view(violation.setting) == "context_parallel";
  return context
             ? with_needs("a number whose double divides /workload/sequence", violation)
             : with_needs("a number that divides each context-parallel chunk of /workload/sequence",
                          violation);
}

/// What the violated rule expects.
std::string expectation(const sim::Violation& violation) {
  switch (violation.rule) {
    case sim::Rule::none:
      return "";
    case sim::Rule::gpus_divide:
      return with_needs("a multiple of tensor_parallel x pipeline_parallel x context_parallel",
                        violation);
    case sim::Rule::data_parallel_matches:
      return with_needs("/cluster/gpus over tensor, pipeline and context parallel", violation);
    case sim::Rule::batch_divides:
      return with_needs("a multiple of data_parallel x micro_batch", violation);
    case sim::Rule::heads_divide:
      return with_needs("a divisor of /workload/attention_heads", violation);
    case sim::Rule::kv_heads_divide:
      return with_needs("a divisor or a multiple of /workload/kv_heads", violation);
    case sim::Rule::ffn_divides:
      return with_needs("a divisor of /workload/ffn_hidden", violation);
    case sim::Rule::sequence_divides:
      return sequence_rule(violation);
    case sim::Rule::enough_layers:
      return with_needs("at most /workload/layers", violation, " pipeline chunks");
    case sim::Rule::micro_batches_fill:
      return with_needs("micro-batches in a multiple of pipeline_parallel", violation);
    case sim::Rule::micro_batches_pair:
      return with_needs("with schedule dualpipe, micro-batches in a multiple of 2", violation);
    case sim::Rule::micro_batches_suffice:
      return with_needs("as many micro-batches as 2 x pipeline_parallel", violation);
    case sim::Rule::stages_pair:
      return with_needs("with schedule dualpipe, a multiple of 2", violation);
    case sim::Rule::schedule_pipelines:
      return "at least " + std::to_string(violation.needs) + " with this schedule";
    case sim::Rule::schedule_fits:
      return "at least " + std::to_string(violation.needs) + " with schedule interleaved";
    case sim::Rule::shard_group_divides:
      return with_needs("a divisor of data_parallel x context_parallel", violation);
    case sim::Rule::reshard_divides:
      return with_needs("a divisor of the ranks that share one copy of the weights", violation);
    case sim::Rule::expert_parallel_dense:
      return "1, because the model has no experts";
    case sim::Rule::experts_divide:
      return with_needs("a divisor of /workload/experts", violation);
    case sim::Rule::expert_mesh_divides:
      return with_needs(
          "expert_tensor_parallel x expert_parallel that divides tensor_parallel x "
          "context_parallel x data_parallel",
          violation);
    case sim::Rule::expert_ffn_divides:
      return with_needs("a divisor of /workload/expert_ffn_hidden", violation);
    case sim::Rule::dtype_supported:
      return "a type that the device multiplies matrices in";
    case sim::Rule::copies_divide:
      return with_needs("a divisor of the GPUs, and of those of a node or whole nodes", violation);
    case sim::Rule::cache_holds_rows:
      return "more than 0 with embedding_kernel uvm_caching";
    case sim::Rule::wire_dtype:
      return "one of fp32, fp16, bf16, fp8";
    case sim::Rule::not_modelled:
      return "a value that this version simulates";
  }
  return "";
}

bool concerns_model(sim::Rule rule) {
  return rule == sim::Rule::heads_divide || rule == sim::Rule::kv_heads_divide ||
         rule == sim::Rule::ffn_divides || rule == sim::Rule::sequence_divides ||
         rule == sim::Rule::experts_divide || rule == sim::Rule::expert_ffn_divides;
}

/// The first violation that lies in the model's shape alone: the same plan as one replica.
sim::Violation model_violation(sim::Plan plan, const sim::Workload& workload,
                               sim::Cluster cluster) {
  if (!is_transformer(kind_of(workload))) {
    return {};
  }
  cluster.gpus =
      static_cast<int>(plan.tensor_parallel * plan.pipeline_parallel * plan.context_parallel);
  plan.data_parallel = 0;
  plan.global_batch = plan.micro_batch * plan.pipeline_parallel;
  const sim::Violation violation = sim::check(plan, workload, cluster);
  return concerns_model(violation.rule) ? violation : sim::Violation{};
}

support::Problem problem_of(const sim::Violation& violation,
                            const std::function<std::string(std::string_view)>& where) {
  return {where(violation.setting),
          "expected " + expectation(violation) + ", got " + written(violation, violation.got)};
}

}  // namespace

std::vector<support::Problem> layout_problems(
    const sim::Plan& plan, const sim::Workload& workload, const sim::Cluster& cluster,
    const std::function<std::string(std::string_view)>& where) {
  std::vector<support::Problem> problems;
  const sim::Violation first = sim::check(plan, workload, cluster);
  if (!first) {
    return problems;
  }
  // A degree that does not divide the heads seldom divides the GPUs either: name the cause too.
  const sim::Violation shape = model_violation(plan, workload, cluster);
  if (shape && shape.rule != first.rule) {
    problems.push_back(problem_of(shape, where));
  }
  problems.push_back(problem_of(first, where));
  return problems;
}

}  // namespace cubicbench::scenarios
