#include <gtest/gtest.h>

#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/stream_bytes.h"

namespace cubicbench::sim {
namespace {

/// Llama 3 8B on 2 tensor ranks with sequence parallelism, 4,096 tokens a micro-batch.
StepProgram lowered(Dtype dtype, Recompute recompute = Recompute::none) {
  Plan plan;
  plan.tensor_parallel = 2;
  plan.sequence_parallel = true;
  plan.global_batch = 4;
  plan.dtype = dtype;
  plan.recompute = recompute;
  Transformer model = llama_8b();
  model.sequence = 4096;
  StepProgram program;
  lower(model, plan, round_cluster(8), round_stack(), program);
  return program;
}

TEST(QuantisedLayer, StreamsTheInputsOfItsProductsAndGathersThemQuantised) {
  const StepProgram plain = lowered(Dtype::bf16);
  const StepProgram quantised = lowered(Dtype::fp8);
  const double tokens = 4096.0;
  // Inputs on a rank: half of 4,096 twice, half of the heads' 4,096, half of 14,336; gradients of
  // outputs: (32 + 2 x 8) x 128 / 2, 2 x 14,336 / 2, and half of 4,096 twice. Six bytes each.
  const double inputs = 2.0 * 2048.0 + 2048.0 + 7168.0;
  const double gradients = 3072.0 + 14336.0 + 2.0 * 2048.0;
  const LayerPasses<Block>& plain_layer = plain.blocks.layers[0];
  const LayerPasses<Block>& quantised_layer = quantised.blocks.layers[0];
  const auto more = [&](const Block& with, const Block& without) {
    return bytes_on(quantised, with, Stream::compute) - bytes_on(plain, without, Stream::compute);
  };
  EXPECT_DOUBLE_EQ(more(quantised_layer.forward, plain_layer.forward), 6.0 * tokens * inputs);
  EXPECT_DOUBLE_EQ(more(quantised_layer.backward, plain_layer.backward), 6.0 * tokens * gradients);
  EXPECT_EQ(more(quantised.blocks.head, plain.blocks.head), 0.0);
  // Two gathers and two scatters forward, four and two backward: gathers in one byte an element.
  const double activations = tokens * 4096.0;
  const auto sent = [&](const StepProgram& of, const Block& block) {
    return bytes_on(of, block, Stream::tensor) / activations;
  };
  EXPECT_DOUBLE_EQ(sent(plain, plain_layer.forward), 4.0 * 2.0);
  EXPECT_DOUBLE_EQ(sent(quantised, quantised_layer.forward), 2.0 * 1.0 + 2.0 * 2.0);
  EXPECT_DOUBLE_EQ(sent(plain, plain_layer.backward), 6.0 * 2.0);
  EXPECT_DOUBLE_EQ(sent(quantised, quantised_layer.backward), 4.0 * 1.0 + 2.0 * 2.0);
  EXPECT_DOUBLE_EQ(sent(quantised, quantised.blocks.head), sent(plain, plain.blocks.head));
}

TEST(QuantisedLayer, WhatIsRecomputedIsQuantisedAnew) {
  // All products of a layer again, or every second one: 13,312 inputs a token, six bytes each.
  const auto streamed = [](Dtype dtype, Recompute recompute) {
    const StepProgram program = lowered(dtype, recompute);
    return bytes_on(program, program.blocks.layers[0].recompute, Stream::compute);
  };
  const auto more = [&](Recompute recompute) {
    return streamed(Dtype::fp8, recompute) - streamed(Dtype::bf16, recompute);
  };
  const double inputs = 6.0 * 4096.0 * (2.0 * 2048.0 + 2048.0 + 7168.0);
  EXPECT_DOUBLE_EQ(more(Recompute::full), inputs);
  EXPECT_DOUBLE_EQ(more(Recompute::per_op), 0.5 * inputs);
  EXPECT_EQ(more(Recompute::selective), 0.0);  // attention is no product of quantised operands
}

TEST(QuantisedLayer, LaunchesTwiceAsManyKernels) {
  EXPECT_EQ(lowered(Dtype::bf16).blocks.layers[0].forward.host_passes, 1.0);
  EXPECT_EQ(lowered(Dtype::mxfp8).blocks.layers[0].forward.host_passes, 2.0);
  EXPECT_EQ(lowered(Dtype::mxfp8).blocks.layers[0].backward.host_passes, 4.0);
}

}  // namespace
}  // namespace cubicbench::sim
