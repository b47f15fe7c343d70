#include "scenarios/evaluation/violation_text.h"

#include <gtest/gtest.h>

#include <set>

namespace cubicbench::scenarios {
namespace {

using sim::Rule;
using sim::Violation;

struct Case {
  Violation violation;
  const char* text;
};

const Case cases[] = {
    {{Rule::gpus_divide, "gpus", 100, 24},
     "gpus is 100, but must be a multiple of tensor_parallel x context_parallel x "
     "pipeline_parallel (24)"},
    {{Rule::gpus_divide, "cluster.gpus", 100, 24},
     "cluster.gpus is 100, but must be a multiple of tensor_parallel x context_parallel x "
     "pipeline_parallel (24)"},
    {{Rule::data_parallel_matches, "data_parallel", 5, 8},
     "data_parallel is 5, but must be gpus / (tensor_parallel x context_parallel x "
     "pipeline_parallel) (8)"},
    {{Rule::batch_divides, "global_batch", 10, 24},
     "global_batch is 10, but must be a multiple of data_parallel x micro_batch (24)"},
    {{Rule::heads_divide, "tensor_parallel", 7, 128},
     "tensor_parallel is 7, but must divide attention_heads (128)"},
    {{Rule::scan_groups_divide, "tensor_parallel", 16, 8},
     "tensor_parallel is 16, but must divide the groups of the state-space layers' heads (8)"},
    {{Rule::kv_heads_divide, "tensor_parallel", 6, 8},
     "tensor_parallel is 6, but must divide kv_heads (8) or be a multiple of it"},
    {{Rule::ffn_divides, "tensor_parallel", 3, 128},
     "tensor_parallel is 3, but must divide ffn_hidden (128)"},
    {{Rule::sequence_divides, "context_parallel", 3, 8192},
     "context_parallel is 3, but must divide, taken twice, sequence (8192)"},
    {{Rule::sequence_divides, "tensor_parallel", 3, 8192},
     "tensor_parallel is 3, but must divide sequence (8192) / (2 x context_parallel) under "
     "sequence_parallel"},
    {{Rule::ulysses_divides, "ulysses_degree", 3, 8},
     "ulysses_degree is 3, but must divide context_parallel (8)"},
    {{Rule::heads_exchange, "ulysses_degree", 8, 12},
     "ulysses_degree is 8, but must divide attention_heads / tensor_parallel (12)"},
    {{Rule::kv_heads_exchange, "ulysses_degree", 6, 4},
     "ulysses_degree is 6, but must divide kv_heads / tensor_parallel (4) or be a multiple of it"},
    {{Rule::weights_frozen, "quantize_base", 1, 0},
     "quantize_base is true, but no weights are frozen: the model has no adapters"},
    {{Rule::enough_layers, "pipeline_parallel", 256, 126},
     "pipeline_parallel is 256, but must be at most the number of layers (126)"},
    {{Rule::enough_layers, "virtual_stages", 144, 128},
     "virtual_stages x pipeline_parallel is 144, but must be at most the number of layers, the "
     "embedding and the head (128)"},
    {{Rule::micro_batches_fill, "global_batch", 12, 16},
     "the step has 12 micro-batches, but schedule interleaved needs a multiple of "
     "pipeline_parallel (16); change global_batch"},
    {{Rule::micro_batches_pair, "global_batch", 3, 2},
     "the step has 3 micro-batches, but schedule dualpipe needs a multiple of 2; change "
     "global_batch"},
    {{Rule::micro_batches_suffice, "global_batch", 4, 8},
     "the step has 4 micro-batches, but the schedule needs at least 8, 2 x pipeline_parallel; "
     "change global_batch"},
    {{Rule::stages_pair, "pipeline_parallel", 3, 2},
     "pipeline_parallel is 3, but schedule dualpipe needs a multiple of 2"},
    {{Rule::schedule_pipelines, "pipeline_parallel", 1, 2},
     "pipeline_parallel is 1, but the schedule needs at least 2"},
    {{Rule::schedule_fits, "pipeline_parallel", 1, 2},
     "pipeline_parallel is 1, but schedule interleaved needs at least 2"},
    {{Rule::shard_group_divides, "shard_group", 3, 64},
     "shard_group is 3, but must divide data_parallel x context_parallel (64)"},
    {{Rule::reshard_divides, "reshard_after_forward", 24, 64},
     "reshard_after_forward is 24, but must divide the ranks that share one copy of the weights "
     "(64)"},
    {{Rule::expert_parallel_dense, "expert_parallel", 4, 1},
     "expert_parallel is 4, but must be 1: the model is dense and has no experts"},
    {{Rule::experts_divide, "expert_parallel", 3, 8},
     "expert_parallel is 3, but must divide the number of experts (8)"},
    {{Rule::expert_mesh_divides, "expert_parallel", 24, 64},
     "expert_tensor_parallel x expert_parallel is 24, but must divide tensor_parallel x "
     "context_parallel x data_parallel (64)"},
    {{Rule::expert_ffn_divides, "expert_tensor_parallel", 3, 2048},
     "expert_tensor_parallel is 3, but must divide the width of an expert (2048)"},
    {{Rule::dtype_supported, "dtype", static_cast<int>(sim::Dtype::nvfp4), 0},
     "dtype is nvfp4, but the device has no matrix units for it"},
    {{Rule::copies_divide, "embedding_groups", 3, 128},
     "embedding_groups is 3, but must divide the GPUs (128), and those of a node or whole nodes"},
    {{Rule::cache_holds_rows, "embedding_cache_ratio", 0, 0},
     "embedding_cache_ratio is 0, but a cache must hold rows"},
    {{Rule::wire_dtype, "forward_comm_dtype", static_cast<int>(sim::Dtype::nvfp4), 0},
     "forward_comm_dtype is nvfp4, but embeddings travel as fp32, fp16, bf16 or fp8"},
    {{Rule::not_modelled, "schedule", static_cast<int>(sim::Schedule::zb_h1), 0},
     "schedule is zb_h1, which this version does not model"},
    {{Rule::not_modelled, "offload", static_cast<int>(sim::Offload::both), 0},
     "offload is both, which this version does not model"},
};

TEST(ViolationText, NamesSettingValueAndNeed) {
  for (const Case& c : cases) EXPECT_EQ(violation_text(c.violation), c.text);
}

TEST(ViolationText, EveryRuleIsTested) {
  std::set<Rule> tested{Rule::none};
  for (const Case& c : cases) tested.insert(c.violation.rule);
  EXPECT_EQ(tested.size(), static_cast<std::size_t>(Rule::not_modelled) + 1);
}

}  // namespace
}  // namespace cubicbench::scenarios
