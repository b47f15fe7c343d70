#include "sim/program/kept_activations.h"

#include <gtest/gtest.h>

#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// The models of [Korthikanti22, table 3], whose tensor-parallel degree is 8 throughout.
struct Published {
  const char* name;
  Transformer model;
  double parameters;
};

Transformer gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  return {.layers = layers,
          .hidden = hidden,
          .attention_heads = heads,
          .kv_heads = heads,
          .head_size = hidden / heads,
          .ffn_hidden = 4 * hidden,
          .vocabulary = 51200,
          .tied_embeddings = true,
          .sequence = 2048};
}

const Published published[] = {{"22B", gpt(48, 6144, 64), 22e9},
                               {"175B", gpt(96, 12288, 96), 175e9},
                               {"530B", gpt(105, 20480, 128), 530e9},
                               {"1T", gpt(128, 25600, 160), 1008e9}};

/// A layer of the paper: dropout, batched products around a softmax: 34 h + 5 a s bytes a token.
Stack paper_stack() {
  Stack stack;
  stack.attention = AttentionKernel::unfused;
  stack.kept_per_hidden = 18.0;
  stack.kept_per_hidden_whole = 10.0;
  stack.kept_per_ffn_plain = 4.0;
  return stack;
}

Plan on_eight_ranks(bool sequence_parallel) {
  Plan plan;
  plan.tensor_parallel = 8;
  plan.sequence_parallel = sequence_parallel;
  return plan;
}

double a_token(const Transformer& model, bool sequence_parallel, Recompute recompute) {
  return kept_by_layer(model, {}, on_eight_ranks(sequence_parallel), recompute, paper_stack(), 1.0);
}

TEST(KeptActivations, SizesOfPublishedModels) {
  for (const Published& p : published) {
    EXPECT_NEAR(total_parameters(p.model) / p.parameters, 1.0, 0.02) << p.name;
    // s b h (34 + 5 a s / h), [Korthikanti22, Eq. 1], on one rank.
    const auto h = static_cast<double>(p.model.hidden);
    const double scores = 5.0 * static_cast<double>(p.model.attention_heads * p.model.sequence);
    const double whole = kept_by_layer(p.model, {}, Plan{}, Recompute::none, paper_stack(), 2048.0);
    EXPECT_NEAR(whole / (2048.0 * (34.0 * h + scores)), 1.0, 0.02) << p.name;
  }
}

TEST(KeptActivations, SharesOfTheTensorParallelBaselineAreThePublishedOnes) {
  struct Share {
    const char* name;
    bool sequence_parallel;
    Recompute recompute;
    double of[4];  // 22B, 175B, 530B, 1T
  };
  // [Korthikanti22, table 2 and figure 7], t = 8: with tensor parallelism alone a layer keeps
  // 10 + 24/t + 5as/(ht) times s b h: 26.3 at 22B, 23 at 175B, 21 at 530B and 1T. Percent of it:
  for (const Share& share : {Share{"sequence parallel", true, Recompute::none, {67, 62, 58, 58}},
                             Share{"selective", false, Recompute::selective, {49, 57, 62, 62}},
                             Share{"both", true, Recompute::selective, {16, 18, 20, 20}},
                             Share{"full", false, Recompute::full, {8, 9, 10, 10}}}) {
    for (int i = 0; i < 4; ++i) {
      const Transformer& model = published[i].model;
      const double baseline = a_token(model, false, Recompute::none);
      const double kept = a_token(model, share.sequence_parallel, share.recompute);
      EXPECT_NEAR(100.0 * kept / baseline, share.of[i], 5.0)
          << share.name << " " << published[i].name;
    }
  }
}

TEST(KeptActivations, KeysAndValuesAreAsWideAsTheirHeads) {
  Stack stack;
  stack.kept_per_hidden = 10.0;
  stack.kept_per_kv = 4.0;
  stack.kept_per_ffn = 6.0;
  // 10 h + 4 h / 4 + 6 f and 4 bytes a head for the kernel's sums.
  const double expected = 10.0 * 4096 + 4.0 * 1024 + 6.0 * 14336 + 4.0 * 32;
  EXPECT_DOUBLE_EQ(kept_by_layer(llama_8b(), {}, Plan{}, Recompute::none, stack, 1.0), expected);
}

TEST(KeptActivations, SelectiveDropsTheSumsOfAFusedKernelAlone) {
  Stack stack;
  stack.kept_per_hidden = 10.0;
  ASSERT_NE(stack.attention, AttentionKernel::unfused);
  const auto dropped = [&](Recompute recompute) {
    return kept_by_layer(llama_8b(), {}, Plan{}, Recompute::none, stack, 1.0) -
           kept_by_layer(llama_8b(), {}, Plan{}, recompute, stack, 1.0);
  };
  EXPECT_DOUBLE_EQ(dropped(Recompute::selective), 4.0 * 32);
  stack.attention = AttentionKernel::unfused;  // and their scores alone
  EXPECT_DOUBLE_EQ(dropped(Recompute::selective), 5.0 * 32 * 8192);
}

TEST(KeptActivations, ARingKeepsAttentionsOutputOnceMore) {
  Stack stack;
  Plan plan;
  const double alone = kept_by_layer(llama_8b(), {}, plan, Recompute::none, stack, 1.0);
  stack.kept_per_hidden_context = 2.0;
  EXPECT_DOUBLE_EQ(kept_by_layer(llama_8b(), {}, plan, Recompute::none, stack, 1.0), alone);
  plan.context_parallel = 2;
  EXPECT_DOUBLE_EQ(kept_by_layer(llama_8b(), {}, plan, Recompute::none, stack, 1.0),
                   alone + 2.0 * 4096);
}

// A token of Mixtral goes to two experts: 4 h of each copy, 8 f_e inside, and 8 bytes of 8 scores.
TEST(KeptActivations, RoutedCopiesKeepTheirExpertsTensors) {
  Transformer model = mixtral_8x7b();
  Plan plan;
  plan.expert_parallel = 8;
  const Stack stack;
  Transformer without = model;
  without.ffn_hidden = 0;
  const double attention = kept_by_layer(without, {}, plan, Recompute::none, stack, 1.0);
  const double routed = 2.0 * (4.0 * 4096.0 + 8.0 * 14336.0) + 8.0 * 8.0;
  const auto kept = [&](Recompute recompute) {
    return kept_by_layer(model, {.ffn = FeedForward::experts}, plan, recompute, stack, 1.0);
  };
  EXPECT_DOUBLE_EQ(kept(Recompute::none), attention + routed);
  EXPECT_DOUBLE_EQ(kept(Recompute::full), 2.0 * 4096.0);
  model.experts.capacity_thousandths = 1500;  // slots that are empty are kept all the same
  EXPECT_DOUBLE_EQ(kept(Recompute::none), attention + 1.5 * (routed - 64.0) + 64.0);
  model.experts.shared_ffn_hidden = 1024;
  EXPECT_DOUBLE_EQ(kept(Recompute::none), attention + 1.5 * (routed - 64.0) + 64.0 + 8.0 * 1024.0);
  plan.tensor_parallel = 4;
  plan.sequence_parallel = true;
  EXPECT_DOUBLE_EQ(4.0 * kept(Recompute::none),
                   attention + 1.5 * (routed - 64.0) + 64.0 + 8.0 * 1024.0);
}

// DeepSeek-V3: vectors of 1,536 and 512 and their norms, 64 for positions; 128 heads whose queries
// and keys have 192, values and outputs 128; two bytes each.
TEST(KeptActivations, LatentAttentionKeepsWhatItExpandsTo) {
  const Transformer model = deepseek_v3();
  Transformer plain = model;
  plain.latent = {};
  plain.kv_heads = 0;
  Stack stack;
  stack.kept_per_kv = 4.0;
  const Plan plan;
  const double others = kept_by_layer(plain, {}, plan, Recompute::none, stack, 1.0) -
                        4.0 * 192.0 -  // one key head at least
                        4.0 * 7168.0;  // queries and output as wide as h
  const double narrow = 2.0 * (2.0 * 1536.0 + 2.0 * 512.0 + 64.0);
  const double expanded = 2.0 * 128.0 * (2.0 * 192.0 + 128.0);
  const double output = 2.0 * 128.0 * 128.0;
  EXPECT_DOUBLE_EQ(
      kept_by_layer(model, {Mixer::latent_attention}, plan, Recompute::none, stack, 1.0),
      others + narrow + expanded + output);
  EXPECT_DOUBLE_EQ(
      kept_by_layer(model, {Mixer::latent_attention}, plan, Recompute::selective, stack, 1.0),
      others + narrow + output);
}

TEST(KeptActivations, QuantisedInputsAreKeptAsTheyAreRead) {
  struct Case {
    const char* name;
    Dtype dtype;
    double saved;  // bytes a token of h = 4,096 and f = 14,336
  };
  // Of 2 bytes each: two norm outputs h and the FFN's product f shrink; the output projection's
  // input h is kept beside what attention keeps.
  for (const Case& c :
       {Case{"16 bits", Dtype::bf16, 0.0},
        Case{"8 bits", Dtype::fp8, 1.0 * (2 * 4096 + 14336) - 1.0 * 4096},
        Case{"8 bits in blocks", Dtype::mxfp8, 1.0 * (2 * 4096 + 14336) - 1.0 * 4096},
        Case{"4 bits", Dtype::nvfp4, 1.5 * (2 * 4096 + 14336) - 0.5 * 4096}}) {
    SCOPED_TRACE(c.name);
    Plan plan;
    plan.dtype = c.dtype;
    Stack stack;
    const double wide = kept_by_layer(llama_8b(), {}, plan, Recompute::none, stack, 1.0);
    stack.keeps_quantised = true;
    EXPECT_DOUBLE_EQ(kept_by_layer(llama_8b(), {}, plan, Recompute::none, stack, 1.0),
                     wide - c.saved);
  }
}

}  // namespace
}  // namespace cubicbench::sim
