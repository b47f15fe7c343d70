#include "sim/workload/transformer.h"

#include <gtest/gtest.h>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

TEST(Transformer, CountsPublishedModels) {
  // Published totals: Llama 3 8B 8.03e9, 405B 405.85e9; GPT-3 174.6e9 without biases and positions.
  EXPECT_NEAR(total_parameters(llama_8b()), 8.03e9, 0.005e9);
  const Transformer llama_405b{.layers = 126,
                               .hidden = 16384,
                               .attention_heads = 128,
                               .kv_heads = 8,
                               .head_size = 128,
                               .ffn_hidden = 53248,
                               .gated_ffn = true,
                               .vocabulary = 128256,
                               .sequence = 8192};
  EXPECT_NEAR(total_parameters(llama_405b), 405.85e9, 0.01e9);
  const Transformer gpt3{.layers = 96,
                         .hidden = 12288,
                         .attention_heads = 96,
                         .kv_heads = 96,
                         .head_size = 128,
                         .ffn_hidden = 49152,
                         .vocabulary = 51200,
                         .tied_embeddings = true,
                         .sequence = 2048};
  EXPECT_NEAR(total_parameters(gpt3), 174.6e9, 0.1e9);
}

TEST(Transformer, LayerIsTheSumOfItsMatrices) {
  const Transformer m = llama_8b();
  const double h = 4096.0;
  const double q_and_out = 2.0 * h * h;
  const double k_and_v = 2.0 * h * 1024.0;
  const double ffn = 3.0 * h * 14336.0;
  EXPECT_DOUBLE_EQ(layer_parameters(m), q_and_out + k_and_v + ffn + 2.0 * h);
}

TEST(Transformer, MfuCountsTheHeadOnceAndNoEmbedding) {
  const Transformer m = llama_8b();
  Transformer tied = m;
  tied.tied_embeddings = true;
  EXPECT_DOUBLE_EQ(mfu_parameters(m), total_parameters(m) - embedding_parameters(m));
  EXPECT_DOUBLE_EQ(mfu_parameters(tied), mfu_parameters(m));
  EXPECT_DOUBLE_EQ(mfu_flops_per_token(m), 6.0 * mfu_parameters(m) + 6.0 * 32.0 * 4096.0 * 8192.0);
}

}  // namespace
}  // namespace cubicbench::sim
