#include "sim/truth/decoding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/network/collective.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Two layers of two heads, of which keys have one, and numbers that are easy to multiply.
Transformer small_model() {
  return {.layers = 2,
          .hidden = 8,
          .attention_heads = 2,
          .kv_heads = 1,
          .head_size = 4,
          .ffn_hidden = 16,
          .gated_ffn = true,
          .vocabulary = 100,
          .sequence = 64};
}

struct SmallMachine {
  Cluster cluster;
  Stack stack;
  Plan plan;
  SmallMachine() {
    cluster.device.matmul_peak[row_of(Dtype::bf16)] = {1e6};
    cluster.device.memory = {1e6};
    cluster.device.memory_bandwidth = {1e4};
    cluster.device.memory_efficiency = 0.5;
    cluster.device.gemm_efficiency = 0.8;
    cluster.device.kernel_overhead = 1_ms;
    cluster.network.intra_bandwidth = {1e6};
    cluster.gpus = cluster.gpus_per_node = 4;
  }
  StepContext on() const { return {cluster, stack, plan}; }
};

TEST(ResponseLengths, ShareAndAgeByHand) {
  // Mean a quarter of the longest: a = 3.
  EXPECT_DOUBLE_EQ(share_longer({.mean = 100.0, .longest = 400.0}, 200.0), 0.125);
  EXPECT_DOUBLE_EQ(mean_age({.mean = 100.0, .longest = 400.0}), 80.0);
  // Equal responses are all there until the end, and half way through on average.
  EXPECT_DOUBLE_EQ(share_longer({.mean = 100.0, .longest = 100.0}, 99.0), 1.0);
  EXPECT_DOUBLE_EQ(mean_age({.mean = 100.0, .longest = 100.0}), 50.0);
}

TEST(ResponseLengths, TheShareThatIsLongerSumsToTheMean) {
  for (const double mean : {50.0, 100.0, 300.0, 400.0}) {
    double sum = 0.0;
    for (int i = 0; i < 4000; ++i) {
      sum += 0.1 * share_longer({.mean = mean, .longest = 400.0}, 0.1 * (i + 0.5));
    }
    EXPECT_NEAR(sum, mean, 1e-3 * mean);
  }
}

// A layer has 8 (2 2 + 2 1) 4 = 192 weights of attention, 3 8 16 = 384 of its FFN and 16 of norms,
// 592; both with the head of 800: 1,984. The embedding has 800 more, the last norm 8.
TEST(Decoding, WeightsAndCacheByHand) {
  const SmallMachine machine;
  const Transformer model = small_model();
  EXPECT_DOUBLE_EQ(decoder_weights({model, machine.on(), 1}).value, 2.0 * total_parameters(model));
  EXPECT_DOUBLE_EQ(decoder_weights({model, machine.on(), 2}).value, total_parameters(model));
  EXPECT_DOUBLE_EQ(total_parameters(model), 2792.0);
  // Two layers keep 2 1 4 elements of 2 bytes a token, on two ranks as well: one head of keys.
  EXPECT_DOUBLE_EQ(cache_bytes({model, machine.on(), 1}, 10.0).value, 320.0);
  EXPECT_DOUBLE_EQ(cache_bytes({model, machine.on(), 2}, 10.0).value, 320.0);
}

// Weights of 2 1,984 = 3,968 bytes and 3 caches of 320 at 5,000 bytes/s: 0.9856 s. The operations
// of 3 tokens, 2 1,984 on weights and 2 2 (4 + 4) 10 on the context of each of 2 layers, take
// 0.0173 s at 0.8 MFLOP/s. Two layers have 4 parts of 6 kernels, 1 ms each.
TEST(Decoding, ATokenStepByHand) {
  SmallMachine machine;
  const Transformer model = small_model();
  const double memory = (3968.0 + 3.0 * 320.0) / 5000.0;
  const double launches = 4.0 * 6.0 * 0.001;
  EXPECT_NEAR(token_step({model, machine.on(), 1}, 3.0, 10.0).value, memory + launches, 1e-12);
  // With fast memory arithmetic decides.
  machine.cluster.device.memory_bandwidth = {1e9};
  const double flops = 3.0 * (2.0 * 1984.0 + 2.0 * 320.0);
  EXPECT_NEAR(token_step({model, machine.on(), 1}, 3.0, 10.0).value, flops / 0.8e6 + launches,
              1e-12);
}

TEST(Decoding, TensorRanksDivideWeightsAndReduceHiddenStates) {
  const SmallMachine machine;
  const Transformer model = small_model();
  const Group pair{.ranks = 2, .ranks_per_node = 2};
  const double memory = (0.5 * 3968.0 + 3.0 * 320.0) / 5000.0;
  const double reduced = all_reduce(Bytes{2.0 * 3.0 * 8.0}, pair, machine.cluster.network).value;
  EXPECT_GT(reduced, 0.0);
  EXPECT_NEAR(token_step({model, machine.on(), 2}, 3.0, 10.0).value,
              memory + 4.0 * (0.006 + reduced), 1e-12);
}

// Of 4 experts a token goes to 1: two tokens read 4 (1 - (3/4)^2) = 1.75 of them on average.
TEST(Decoding, FewTokensReadFewExperts) {
  SmallMachine machine;
  machine.cluster.device.matmul_peak[row_of(Dtype::bf16)] = {1e12};
  Transformer model = small_model();
  model.experts = {.count = 4, .per_token = 1, .ffn_hidden = 16};
  const auto read = [&](double sequences) {
    const Seconds step = token_step({model, machine.on(), 1}, sequences, 0.0);
    return (step.value - 0.024) * 5000.0;
  };
  EXPECT_NEAR(read(2.0) - read(1.0), 0.75 * 2.0 * 2.0 * expert_parameters(model), 1e-6);
  EXPECT_NEAR(read(1e3) - read(1.0), 3.0 * 2.0 * 2.0 * expert_parameters(model), 1e-6);
}

TEST(Decoding, OtherMixersKeepLess) {
  const SmallMachine machine;
  Transformer model = small_model();
  model.window = {.tokens = 16};
  EXPECT_DOUBLE_EQ(cache_bytes({model, machine.on(), 1}, 10.0).value, 320.0);
  EXPECT_DOUBLE_EQ(cache_bytes({model, machine.on(), 1}, 1e4).value, 1.6 * 320.0);
  model.window = {};
  model.latent = {.key_rank = 3, .rope_size = 2, .value_size = 4};
  // 5 elements a token and layer, whole on each rank.
  EXPECT_DOUBLE_EQ(cache_bytes({model, machine.on(), 2}, 10.0).value, 200.0);
}

// Six equal responses of 100 tokens in two slots: three rounds of 100 steps. The first two are
// those of slots that are filled again, at a context of 50 tokens behind the prompt on average.
TEST(Decoding, EqualResponsesTakeTheirRounds) {
  const SmallMachine machine;
  const Transformer model = small_model();
  const Decoder decoder{model, machine.on(), 1};
  const DecodingWork work{
      .responses = 6.0, .slots = 2.0, .prompt = 10.0, .lengths = {.mean = 100.0, .longest = 100.0}};
  const DecodingTime decoding = decoding_time(decoder, work);
  EXPECT_DOUBLE_EQ(decoding.token_steps, 300.0);
  // Linear in the context, so that the mean is that at the mean context.
  const double step = token_step(decoder, 2.0, 60.0).value;
  EXPECT_NEAR(decoding.time.value, 300.0 * step, 1e-9 * decoding.time.value);
}

TEST(Decoding, TheLongestResponseDecidesTheEnd) {
  const SmallMachine machine;
  const Transformer model = small_model();
  const Decoder decoder{model, machine.on(), 1};
  DecodingWork work{
      .responses = 8.0, .slots = 8.0, .prompt = 10.0, .lengths = {.mean = 100.0, .longest = 200.0}};
  const DecodingTime uneven = decoding_time(decoder, work);
  EXPECT_DOUBLE_EQ(uneven.token_steps, 200.0);
  work.lengths.longest = 100.0;
  const DecodingTime even = decoding_time(decoder, work);
  EXPECT_GT(uneven.time, 1.3 * even.time);  // weights are read twice as often
  EXPECT_LT(uneven.time, 2.0 * even.time);  // though by fewer at once
}

TEST(Decoding, TwiceAsLongResponsesTakeTwiceTheSteps) {
  const SmallMachine machine;
  const Transformer model = small_model();
  const Decoder decoder{model, machine.on(), 1};
  for (const double slots : {1.0, 3.0, 16.0}) {
    DecodingWork work{.responses = 16.0,
                      .slots = slots,
                      .prompt = 10.0,
                      .lengths = {.mean = 30.0, .longest = 100.0}};
    const DecodingTime once = decoding_time(decoder, work);
    work.lengths = {.mean = 60.0, .longest = 200.0};
    const DecodingTime twice = decoding_time(decoder, work);
    EXPECT_DOUBLE_EQ(twice.token_steps, 2.0 * once.token_steps) << slots;
    EXPECT_GE(twice.time, 2.0 * once.time) << slots;
  }
}

TEST(Decoding, MoreSlotsTakeNoMoreTime) {
  const SmallMachine machine;
  const Transformer model = small_model();
  const Decoder decoder{model, machine.on(), 1};
  Seconds before{1e9};
  for (const double slots : {1.0, 2.0, 5.0, 20.0, 64.0, 200.0}) {
    const DecodingTime decoding =
        decoding_time(decoder, {.responses = 64.0,
                                .slots = slots,
                                .prompt = 10.0,
                                .lengths = {.mean = 40.0, .longest = 100.0}});
    EXPECT_LE(decoding.time, before) << slots;
    before = decoding.time;
  }
}

TEST(Decoding, NothingIsDecodedOfEmptyResponses) {
  const SmallMachine machine;
  const Transformer model = small_model();
  const DecodingTime decoding = decoding_time(
      {model, machine.on(), 1}, {.responses = 8.0, .slots = 1.0, .prompt = 10.0, .lengths = {}});
  EXPECT_EQ(decoding.token_steps, 0.0);
  EXPECT_EQ(decoding.time, Seconds{});
}

}  // namespace
}  // namespace cubicbench::sim
