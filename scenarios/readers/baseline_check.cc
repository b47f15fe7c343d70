#include "scenarios/readers/baseline_check.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/space/setting.h"
#include "sim/base/check.h"
#include "sim/plan/validity.h"

namespace cubicbench::scenarios {
namespace {

std::string written(const sim::Violation& violation, std::int64_t code) {
  const Setting* setting = find_setting(violation.setting);
  return setting == nullptr ? std::to_string(code) : format_setting(*setting, code);
}

/// What a violated rule expects; {} stands for the number that it needs.
struct Expectation {
  sim::Rule rule;
  std::string_view text;
};

constexpr std::array expectations{
    Expectation{sim::Rule::gpus_divide,
                "a multiple of tensor_parallel x pipeline_parallel x context_parallel ({})"},
    Expectation{sim::Rule::data_parallel_matches,
                "/cluster/gpus over tensor, pipeline and context parallel ({})"},
    Expectation{sim::Rule::batch_divides, "a multiple of data_parallel x micro_batch ({})"},
    Expectation{sim::Rule::heads_divide, "a divisor of /workload/attention_heads ({})"},
    Expectation{sim::Rule::kv_heads_divide, "a divisor or a multiple of /workload/kv_heads ({})"},
    Expectation{sim::Rule::ffn_divides, "a divisor of /workload/ffn_hidden ({})"},
    Expectation{sim::Rule::sequence_divides,
                "a number that divides each context-parallel chunk of /workload/sequence ({})"},
    Expectation{sim::Rule::enough_layers, "at most /workload/layers ({}) pipeline chunks"},
    Expectation{sim::Rule::micro_batches_fill,
                "micro-batches in a multiple of pipeline_parallel ({})"},
    Expectation{sim::Rule::micro_batches_pair,
                "with schedule dualpipe, micro-batches in a multiple of 2 ({})"},
    Expectation{sim::Rule::micro_batches_suffice,
                "as many micro-batches as 2 x pipeline_parallel ({})"},
    Expectation{sim::Rule::stages_pair, "with schedule dualpipe, a multiple of 2 ({})"},
    Expectation{sim::Rule::schedule_pipelines, "at least {} with this schedule"},
    Expectation{sim::Rule::schedule_fits, "at least {} with schedule interleaved"},
    Expectation{sim::Rule::shard_group_divides,
                "a divisor of data_parallel x context_parallel ({})"},
    Expectation{sim::Rule::reshard_divides,
                "a divisor of the ranks that share one copy of the weights ({})"},
    Expectation{sim::Rule::expert_parallel_dense, "1, because the model has no experts"},
    Expectation{sim::Rule::experts_divide, "a divisor of /workload/experts ({})"},
    Expectation{sim::Rule::expert_mesh_divides,
                "expert_tensor_parallel x expert_parallel that divides tensor_parallel x "
                "context_parallel x data_parallel ({})"},
    Expectation{sim::Rule::expert_ffn_divides, "a divisor of /workload/expert_ffn_hidden ({})"},
    Expectation{sim::Rule::dtype_supported, "a type that the device multiplies matrices in"},
    Expectation{sim::Rule::copies_divide,
                "a divisor of the GPUs, and of those of a node or whole nodes ({})"},
    Expectation{sim::Rule::cache_holds_rows, "more than 0 with embedding_kernel uvm_caching"},
    Expectation{sim::Rule::wire_dtype, "one of fp32, fp16, bf16, fp8"},
    Expectation{sim::Rule::not_modelled, "a value that this version simulates"},
};

std::string expectation(const sim::Violation& violation) {
  const auto* const found = std::ranges::find(expectations, violation.rule, &Expectation::rule);
  SIM_ASSERT(found != expectations.end(), static_cast<int>(violation.rule));
  std::string text(found->text);
  if (violation.rule == sim::Rule::sequence_divides &&
      std::string_view(violation.setting) == "context_parallel") {
    text = "a number whose double divides /workload/sequence ({})";
  }
  const std::size_t needs = text.find("{}");
  if (needs != std::string::npos) text.replace(needs, 2, std::to_string(violation.needs));
  return text;
}

bool concerns_model(sim::Rule rule) {
  return rule == sim::Rule::heads_divide || rule == sim::Rule::kv_heads_divide ||
         rule == sim::Rule::ffn_divides || rule == sim::Rule::sequence_divides ||
         rule == sim::Rule::experts_divide || rule == sim::Rule::expert_ffn_divides;
}

/// The first violation that lies in the model's shape alone: the same plan as one replica.
sim::Violation model_violation(sim::Plan plan, const sim::Workload& workload,
                               sim::Cluster cluster) {
  if (!is_transformer(kind_of(workload))) return {};
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
  if (!first) return problems;
  // A degree that does not divide the heads seldom divides the GPUs either: name the cause too.
  const sim::Violation shape = model_violation(plan, workload, cluster);
  if (shape && shape.rule != first.rule) problems.push_back(problem_of(shape, where));
  problems.push_back(problem_of(first, where));
  return problems;
}

}  // namespace cubicbench::scenarios
