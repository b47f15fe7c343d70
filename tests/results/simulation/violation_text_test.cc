#include "results/simulation/violation_text.h"

#include <gtest/gtest.h>

namespace cubicbench::results {
namespace {

using sim::Rule;
using sim::Violation;

TEST(ViolationText, NamesSettingValueAndNeed) {
  struct Case {
    Violation violation;
    const char* text;
  };
  for (const Case& c : {
           Case{{Rule::gpus_divide, "gpus", 100, 24},
                "cluster.gpus is 100, but must be a multiple of tensor_parallel x "
                "context_parallel x pipeline_parallel (24)"},
           Case{{Rule::data_parallel_matches, "data_parallel", 5, 8},
                "data_parallel is 5, but must be gpus / (tensor_parallel x context_parallel x "
                "pipeline_parallel) (8)"},
           Case{{Rule::batch_divides, "global_batch", 10, 24},
                "global_batch is 10, but must be a multiple of data_parallel x micro_batch (24)"},
           Case{{Rule::heads_divide, "tensor_parallel", 7, 128},
                "tensor_parallel is 7, but must divide attention_heads (128)"},
           Case{{Rule::kv_heads_divide, "tensor_parallel", 6, 8},
                "tensor_parallel is 6, but must divide kv_heads (8) or be a multiple of it"},
           Case{{Rule::ffn_divides, "tensor_parallel", 3, 128},
                "tensor_parallel is 3, but must divide ffn_hidden (128)"},
           Case{{Rule::sequence_divides, "context_parallel", 3, 8192},
                "context_parallel is 3, but must divide, taken twice, sequence (8192)"},
           Case{{Rule::enough_layers, "pipeline_parallel", 256, 126},
                "pipeline_parallel is 256, but must be at most the number of layers (126)"},
           Case{{Rule::enough_layers, "virtual_stages", 128, 126},
                "virtual_stages x pipeline_parallel is 128, but must be at most the number of "
                "layers (126)"},
           Case{{Rule::micro_batches_fill, "global_batch", 12, 16},
                "the step has 12 micro-batches, but schedule interleaved needs a multiple of "
                "pipeline_parallel (16); change global_batch"},
           Case{{Rule::schedule_fits, "pipeline_parallel", 1, 2},
                "pipeline_parallel is 1, but schedule interleaved needs at least 2"},
           Case{{Rule::shard_group_divides, "shard_group", 3, 64},
                "shard_group is 3, but must divide data_parallel x context_parallel (64)"},
           Case{{Rule::expert_parallel_dense, "expert_parallel", 4, 1},
                "expert_parallel is 4, but must be 1: the model is dense and has no experts"},
           Case{{Rule::dtype_supported, "dtype", static_cast<int>(sim::Dtype::nvfp4), 0},
                "dtype is nvfp4, but the device has no matrix units for it"},
           Case{{Rule::not_modelled, "schedule", static_cast<int>(sim::Schedule::zb_h1), 0},
                "schedule is zb_h1, which this version does not model"},
           Case{{Rule::not_modelled, "offload", static_cast<int>(sim::Offload::both), 0},
                "offload is both, which this version does not model"},
       }) {
    EXPECT_EQ(violation_text(c.violation), c.text);
  }
}

}  // namespace
}  // namespace cubicbench::results
