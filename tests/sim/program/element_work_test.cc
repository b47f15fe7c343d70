#include "sim/program/element_work.h"

#include <gtest/gtest.h>

#include "sim/program/layer_shape.h"

namespace cubicbench::sim {
namespace {

/// Llama 3 8B.
Transformer llama() {
  return {.layers = 32,
          .hidden = 4096,
          .attention_heads = 32,
          .kv_heads = 8,
          .head_size = 128,
          .ffn_hidden = 14336,
          .gated_ffn = true,
          .vocabulary = 128256,
          .sequence = 8192};
}

/// GPT of 1.3B.
Transformer gpt() {
  return {.layers = 24,
          .hidden = 2048,
          .attention_heads = 16,
          .kv_heads = 16,
          .head_size = 128,
          .ffn_hidden = 8192,
          .vocabulary = 50257,
          .tied_embeddings = true,
          .sequence = 2048};
}

Stack counted(Fusion fusion, AttentionKernel attention = AttentionKernel::flash2) {
  Stack stack;
  stack.launch = Seconds{56e-6};
  stack.fusion = fusion;
  stack.attention = attention;
  return stack;
}

constexpr Fusion written{
    .norms = false, .rotary = false, .projections = false, .activation = false};

TEST(ForwardLaunches, AreCountedKernelByKernel) {
  // Norms 14, residual sums 2, attention 1, rotary 8, products 7, activation 2, copies 3.
  EXPECT_EQ(forward_launches(llama(), Plan{}, counted(written), {}), 37.0);
  // Norms 2, residual sums 2, attention 1, rotary 2, products 7, activation 1, a copy.
  EXPECT_EQ(forward_launches(llama(), Plan{.compile = true}, counted(written), {}), 16.0);
  // Norms 2, residual sums 2, attention 5, products 4, activation 1, copies 3, two all-reduces.
  EXPECT_EQ(forward_launches(gpt(), Plan{.tensor_parallel = 2},
                             counted({}, AttentionKernel::unfused), {}),
            19.0);
}

TEST(ForwardLaunches, GrowWithWhatAPlanAdds) {
  const Stack fused = counted({});
  const double plain = forward_launches(llama(), Plan{}, fused, {});
  EXPECT_EQ(forward_launches(llama(), Plan{.tensor_parallel = 8}, fused, {}), plain + 2.0);
  EXPECT_EQ(
      forward_launches(llama(), Plan{.tensor_parallel = 8, .sequence_parallel = true}, fused, {}),
      plain + 4.0);
  EXPECT_EQ(forward_launches(llama(), Plan{.dtype = Dtype::fp8}, fused, {}), plain + 12.0);
  EXPECT_EQ(
      forward_launches(llama(), Plan{.dtype = Dtype::fp8}, counted({.delayed_scaling = true}), {}),
      plain + 4.0);
  EXPECT_EQ(forward_launches(gpt(), Plan{}, counted({.residuals = false}), {}),
            forward_launches(gpt(), Plan{}, fused, {}) + 8.0);
}

TEST(ElementBytes, AreCountedReadsAndWrites) {
  const ElementWidths widths{
      .queries = 4096.0, .keys = 1024.0, .attended = 6144.0, .activation = 14336.0};
  const ElementBytes fused = element_bytes(llama(), Plan{}, counted({}), widths);
  EXPECT_EQ(fused.whole, 2.0 * 4096.0 * (4.0 + 6.0));
  EXPECT_EQ(fused.split, 4.0 * 5120.0 + 4.0 * 6144.0 + 6.0 * 14336.0);
  const ElementBytes eager = element_bytes(llama(), Plan{}, counted(written), widths);
  EXPECT_EQ(eager.whole, 2.0 * 4096.0 * (36.0 + 6.0));
  EXPECT_EQ(eager.split, 20.0 * 5120.0 + 4.0 * 6144.0 + 10.0 * 14336.0);
  const ElementBytes compiled =
      element_bytes(llama(), Plan{.compile = true}, counted(written), widths);
  EXPECT_EQ(compiled.whole, 2.0 * 4096.0 * (4.0 + 4.0));
  EXPECT_EQ(compiled.split, 4.0 * 5120.0 + 6.0 * 14336.0);
}

// In elements of two bytes, shared by eight ranks, which hold the norms whole without sequence
// parallelism.
TEST(ElementBytes, AreWhatALayerMoves) {
  const Stack stack = counted({});
  const LayerShape whole = layer_shape(llama(), Plan{.tensor_parallel = 8}, stack, LayerKind{});
  EXPECT_EQ(whole.element_whole, 4096.0 * 10.0);
  EXPECT_EQ(whole.element_split, 0.5 * (4.0 * 640.0 + 4.0 * 768.0 + 6.0 * 1792.0));
  const LayerShape split = layer_shape(
      llama(), Plan{.tensor_parallel = 8, .sequence_parallel = true}, stack, LayerKind{});
  EXPECT_EQ(split.element_whole, 4096.0 * 10.0 / 8.0);
}

TEST(ElementBytes, SayNothingOfAStackThatCountsNoKernels) {
  const LayerShape shape = layer_shape(llama(), Plan{}, Stack{}, LayerKind{});
  EXPECT_EQ(shape.element_whole, 8.0 * 4096.0);
  EXPECT_EQ(shape.element_split, 4.0 * (4096.0 + 14336.0));
}

}  // namespace
}  // namespace cubicbench::sim
