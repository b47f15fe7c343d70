#include "scenarios/evaluation/violation_text.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "scenarios/space/setting.h"
#include "sim/plan/plan_cluster.h"

namespace cubicbench::scenarios {
namespace {

using sim::Rule;

/// What is said of a violated rule: $S is the setting, $G what it is, $N what it would need.
struct RuleText {
  std::string_view sentence;
  std::string_view expected;  ///< in a scenario file
};

/// In the order of the rules.
constexpr std::array<RuleText, static_cast<std::size_t>(Rule::not_modelled) + 1> texts{{
    {"nothing is wrong", ""},
    {"$S is $G, but must be a multiple of tensor_parallel x context_parallel x "
     "pipeline_parallel ($N)",
     "a multiple of tensor_parallel x pipeline_parallel x context_parallel ($N)"},
    {"$S is $G, but must be gpus / (tensor_parallel x context_parallel x pipeline_parallel) ($N)",
     "/cluster/gpus over tensor, pipeline and context parallel ($N)"},
    {"$S is $G, but must be a multiple of data_parallel x micro_batch ($N)",
     "a multiple of data_parallel x micro_batch ($N)"},
    {"$S is $G, but must divide attention_heads ($N)",
     "a divisor of /workload/attention_heads ($N)"},
    {"$S is $G, but must divide the groups of the state-space layers' heads ($N)",
     "a divisor of /workload/state_space/groups ($N)"},
    {"$S is $G, but must divide kv_heads ($N) or be a multiple of it",
     "a divisor or a multiple of /workload/kv_heads ($N)"},
    {"$S is $G, but must divide ffn_hidden ($N)", "a divisor of /workload/ffn_hidden ($N)"},
    {"$S is $G, but must divide sequence ($N) / (2 x context_parallel) under sequence_parallel",
     "a number that divides each context-parallel chunk of /workload/sequence ($N)"},
    {"$S is $G, but must be at most the number of layers ($N)",
     "at most /workload/layers ($N) pipeline chunks"},
    {"the step has $G micro-batches, but schedule interleaved needs a multiple of "
     "pipeline_parallel ($N); change $S",
     "micro-batches in a multiple of pipeline_parallel ($N)"},
    {"the step has $G micro-batches, but schedule dualpipe needs a multiple of $N; change $S",
     "with schedule dualpipe, micro-batches in a multiple of 2 ($N)"},
    {"the step has $G micro-batches, but the schedule needs at least $N, 2 x pipeline_parallel; "
     "change $S",
     "as many micro-batches as 2 x pipeline_parallel ($N)"},
    {"$S is $G, but schedule dualpipe needs a multiple of $N",
     "with schedule dualpipe, a multiple of 2 ($N)"},
    {"$S is $G, but the schedule needs at least $N", "at least $N with this schedule"},
    {"$S is $G, but schedule interleaved needs at least $N",
     "at least $N with schedule interleaved"},
    {"$S is $G, but must divide data_parallel x context_parallel ($N)",
     "a divisor of data_parallel x context_parallel ($N)"},
    {"$S is $G, but must divide the ranks that share one copy of the weights ($N)",
     "a divisor of the ranks that share one copy of the weights ($N)"},
    {"$S is $G, but must be $N: the model is dense and has no experts",
     "1, because the model has no experts"},
    {"$S is $G, but must divide the number of experts ($N)", "a divisor of /workload/experts ($N)"},
    {"expert_tensor_parallel x expert_parallel is $G, but must divide tensor_parallel x "
     "context_parallel x data_parallel ($N)",
     "expert_tensor_parallel x expert_parallel that divides tensor_parallel x context_parallel x "
     "data_parallel ($N)"},
    {"$S is $G, but must divide the width of an expert ($N)",
     "a divisor of /workload/expert_ffn_hidden ($N)"},
    {"$S is $G, but the device has no matrix units for it",
     "a type that the device multiplies matrices in"},
    {"$S is $G, but must divide the GPUs ($N), and those of a node or whole nodes",
     "a divisor of the GPUs, and of those of a node or whole nodes ($N)"},
    {"$S is 0, but a cache must hold rows", "more than 0 with embedding_kernel uvm_caching"},
    {"$S is $G, but embeddings travel as fp32, fp16, bf16 or fp8", "one of fp32, fp16, bf16, fp8"},
    {"$S is $G, but must divide context_parallel ($N)", "a divisor of context_parallel ($N)"},
    {"$S is $G, but must divide attention_heads / tensor_parallel ($N)",
     "a divisor of /workload/attention_heads over tensor_parallel ($N)"},
    {"$S is $G, but must divide kv_heads / tensor_parallel ($N) or be a multiple of it",
     "a divisor or a multiple of /workload/kv_heads over tensor_parallel ($N)"},
    {"$S is $G, but no weights are frozen: the model has no adapters",
     "false, because the model has no /workload/adapters"},
    {"$S is $G, which this version does not model", "a value that this version simulates"},
}};

static_assert(!texts.back().sentence.empty(), "a rule has no text");

RuleText text_on(Rule rule, std::string_view setting) {
  RuleText text = texts[static_cast<std::size_t>(rule)];
  if (rule == Rule::sequence_divides && setting == "context_parallel") {
    text = {.sentence = "$S is $G, but must divide, taken twice, sequence ($N)",
            .expected = "a number whose double divides /workload/sequence ($N)"};
  }
  if (rule == Rule::enough_layers && setting == "virtual_stages") {
    text.sentence =
        "$S x pipeline_parallel is $G, but must be at most the number of layers, the embedding and "
        "the head ($N)";
    text.expected = "at most /workload/layers + 2 ($N) pipeline chunks";
  }
  return text;
}

/// The value as a user writes it: "zb_h1" rather than the number of the enumerator.
std::string written(std::string_view name, std::int64_t code) {
  const Setting* setting = find_setting(name);
  return setting == nullptr ? std::to_string(code) : format_setting(*setting, code);
}

std::string filled_in(std::string_view sentence, const sim::Violation& violation) {
  std::string text;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    if (sentence[i] != '$') {
      text += sentence[i];
      continue;
    }
    const char name = sentence[++i];
    text += name == 'S'   ? violation.setting
            : name == 'G' ? written(violation.setting, violation.got)
                          : std::to_string(violation.needs);
  }
  return text;
}

bool concerns_model(Rule rule) {
  return rule == Rule::heads_divide || rule == Rule::scan_groups_divide ||
         rule == Rule::kv_heads_divide || rule == Rule::ffn_divides ||
         rule == Rule::heads_exchange || rule == Rule::kv_heads_exchange ||
         rule == Rule::sequence_divides || rule == Rule::experts_divide ||
         rule == Rule::expert_ffn_divides;
}

/// The first violation that lies in the model's shape alone: the same plan as one replica.
sim::Violation model_violation(sim::Plan plan, const sim::Workload& workload,
                               sim::Cluster cluster) {
  if (!is_transformer(kind_of(workload))) return {};
  cluster.gpus =
      static_cast<int>(plan.tensor_parallel * plan.pipeline_parallel * plan.context_parallel);
  plan.gpus = 0;
  plan.data_parallel = 0;
  plan.global_batch = plan.micro_batch * plan.pipeline_parallel;
  const sim::Violation violation = sim::check(plan, workload, cluster);
  return concerns_model(violation.rule) ? violation : sim::Violation{};
}

support::Problem problem_of(const sim::Violation& violation,
                            const std::function<std::string(std::string_view)>& where) {
  const std::string_view expected = text_on(violation.rule, violation.setting).expected;
  return {where(violation.setting), "expected " + filled_in(expected, violation) + ", got " +
                                        written(violation.setting, violation.got)};
}

}  // namespace

std::string violation_text(const sim::Violation& violation) {
  return filled_in(text_on(violation.rule, violation.setting).sentence, violation);
}

std::vector<support::Problem> layout_problems(
    const sim::Plan& plan, const sim::Workload& workload, const sim::Cluster& whole,
    const std::function<std::string(std::string_view)>& where) {
  const sim::Cluster cluster = sim::cluster_of(plan, whole);
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
