#include "scenarios/evaluation/violation_text.h"

#include <array>
#include <cstddef>
#include <string_view>

#include "scenarios/space/setting.h"

namespace cubicbench::scenarios {
namespace {

using sim::Rule;

constexpr auto rules = static_cast<std::size_t>(Rule::not_modelled) + 1;

/// In the order of the rules: $S is the setting, $G what it is, $N what it would need.
constexpr std::array<std::string_view, rules> sentences{
    "nothing is wrong",
    "cluster.gpus is $G, but must be a multiple of tensor_parallel x context_parallel x "
    "pipeline_parallel ($N)",
    "$S is $G, but must be gpus / (tensor_parallel x context_parallel x pipeline_parallel) ($N)",
    "$S is $G, but must be a multiple of data_parallel x micro_batch ($N)",
    "$S is $G, but must divide attention_heads ($N)",
    "$S is $G, but must divide kv_heads ($N) or be a multiple of it",
    "$S is $G, but must divide ffn_hidden ($N)",
    "$S is $G, but must divide, taken twice, sequence ($N)",
    "$S is $G, but must be at most the number of layers ($N)",
    "the step has $G micro-batches, but schedule interleaved needs a multiple of "
    "pipeline_parallel ($N); change $S",
    "the step has $G micro-batches, but schedule dualpipe needs a multiple of $N; change $S",
    "the step has $G micro-batches, but the schedule needs at least $N, 2 x pipeline_parallel; "
    "change $S",
    "$S is $G, but schedule dualpipe needs a multiple of $N",
    "$S is $G, but the schedule needs at least $N",
    "$S is $G, but schedule interleaved needs at least $N",
    "$S is $G, but must divide data_parallel x context_parallel ($N)",
    "$S is $G, but must divide the ranks that share one copy of the weights ($N)",
    "$S is $G, but must be $N: the model is dense and has no experts",
    "$S is $G, but must divide the number of experts ($N)",
    "expert_tensor_parallel x expert_parallel is $G, but must divide tensor_parallel x "
    "context_parallel x data_parallel ($N)",
    "$S is $G, but must divide the width of an expert ($N)",
    "$S is $G, but the device has no matrix units for it",
    "$S is $G, but must divide the GPUs ($N), and those of a node or whole nodes",
    "$S is 0, but a cache must hold rows",
    "$S is $G, but embeddings travel as fp32, fp16, bf16 or fp8",
    "$S is $G, which this version does not model"};

std::string_view sentence_on(Rule rule, std::string_view setting) {
  if (rule == Rule::sequence_divides && setting != "context_parallel") {
    return "$S is $G, but must divide sequence ($N) / (2 x context_parallel) under "
           "sequence_parallel";
  }
  if (rule == Rule::enough_layers && setting == "virtual_stages") {
    return "$S x pipeline_parallel is $G, but must be at most the number of layers ($N)";
  }
  return sentences[static_cast<std::size_t>(rule)];
}

/// The value as a user writes it: "zb_h1" rather than the number of the enumerator.
std::string written(std::string_view name, std::int64_t code) {
  const Setting* setting = find_setting(name);
  return setting == nullptr ? std::to_string(code) : format_setting(*setting, code);
}

}  // namespace

std::string violation_text(const sim::Violation& violation) {
  const std::string_view sentence = sentence_on(violation.rule, violation.setting);
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

}  // namespace cubicbench::scenarios
