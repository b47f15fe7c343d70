#include "sim/kernels/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <tuple>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

TEST(Gemm, MatchesTheFormulaByHand) {
  // 8192^3: 64 x 64 tiles on 128 SMs are exactly 32 waves, so only k0 / k wastes.
  const double c = 2.0 * 8192.0 * 8192.0 * 8192.0 / (1000e12 * 0.8 * 0.5) * (1.0 + 128.0 / 8192.0);
  const double w = 2.0 * 3.0 * 8192.0 * 8192.0 / (3000e9 * 0.8);
  const double expected = 5e-6 + std::pow(std::pow(c, 4) + std::pow(w, 4), 0.25);
  const Seconds t = gemm_time(round_device(), Dtype::bf16, {8192.0, 8192.0, 8192.0}, 0.5);
  EXPECT_NEAR(t.value, expected, 1e-12);
}

TEST(Gemm, AQuantisedProductHasItsOwnShareAndReadsFewerBytes) {
  Device device = round_device();
  device.gemm_share_fp8 = 0.75;
  device.gemm_share_nvfp4 = 1.25;
  const double n = 8192.0;
  // Two matrices of one byte an element or of half a byte, and the result in two.
  for (const auto& [dtype, share, bytes] :
       {std::tuple{Dtype::fp8, 0.75, 1.0 + 1.0 + 2.0}, std::tuple{Dtype::mxfp8, 1.0, 4.0},
        std::tuple{Dtype::nvfp4, 1.25, 0.5 + 0.5 + 2.0}, std::tuple{Dtype::bf16, 1.0, 6.0}}) {
    const double c = 2.0 * n * n * n / (1000e12 * 0.8 * share) * (1.0 + 128.0 / n);
    const double w = bytes * n * n / (3000e9 * 0.8);
    const double expected = 5e-6 + std::pow(std::pow(c, 4) + std::pow(w, 4), 0.25);
    EXPECT_NEAR(gemm_time(device, dtype, {n, n, n}, 1.0).value, expected, 1e-12);
  }
}

TEST(Quantise, StreamsWhatItsRecipeReadsAndWrites) {
  EXPECT_EQ(quantising_bytes(Dtype::bf16), 0.0);
  EXPECT_EQ(quantising_bytes(Dtype::fp8), 6.0);       // magnitude 2, read 2, copies 1 + 1
  EXPECT_EQ(quantising_bytes(Dtype::mxfp8), 4.0625);  // read 2, copies 2 x 33/32
  EXPECT_EQ(quantising_bytes(Dtype::nvfp4), 7.125);   // magnitude 2, twice read 2, copy 9/16
  EXPECT_EQ(layer_launches(Dtype::bf16), 1.0);
  EXPECT_EQ(layer_launches(Dtype::fp8), 2.0);  // 12 kernels, and 3 for each of 4 products
}

TEST(Gemm, OneTileMoreThanAWaveCostsATailOfTheWeight) {
  // 129 tiles on 128 SMs: 2 waves for 129/128, and a quarter of that waste counts.
  Device device = round_device();
  device.kernel_overhead = 0_s;
  device.memory_bandwidth = BytesPerSecond{1e18};
  const Seconds full = gemm_time(device, Dtype::bf16, {128.0 * 128.0, 128.0, 65536.0}, 1.0);
  const Seconds tail = gemm_time(device, Dtype::bf16, {129.0 * 128.0, 128.0, 65536.0}, 1.0);
  EXPECT_NEAR(tail / full, (129.0 / 128.0) * (1.0 + 0.25 * (256.0 / 129.0 - 1.0)), 0.01);
}

TEST(Gemm, MisalignedShardsAreSlow) {
  EXPECT_EQ(misalignment(1792.0, 8192.0), 1.0);
  EXPECT_EQ(misalignment(1800.0, 8192.0), 1.0);  // 8 x 225
  EXPECT_EQ(misalignment(8192.0, 50257.0), 3.0);
  EXPECT_EQ(misalignment(1801.0, 8192.0), 3.0);
}

TEST(Attention, FusedCostsHalfTheSquareAtItsOwnRate) {
  const AttentionShape shape{.queries = 8192.0, .keys = 8192.0, .heads = 4.0, .head_size = 128.0};
  const double flops = 4.0 * 8192.0 * 8192.0 * 4.0 * 128.0 / 2.0;
  const double rate = 1000e12 * 0.5 * 8192.0 / (8192.0 + 600.0);
  const Seconds t = attention_forward(round_device(), round_stack(), Dtype::bf16, shape);
  EXPECT_NEAR(t.value, flops / rate + 5e-6, 1e-12);
  EXPECT_NEAR(attention_backward(round_device(), round_stack(), Dtype::bf16, shape) / t, 2.5,
              1e-12);
}

TEST(Attention, UnfusedPaysForTheWholeSquareAndItsTraffic) {
  Stack stack = round_stack();
  stack.attention = AttentionKernel::unfused;
  const AttentionShape shape{.queries = 2048.0, .keys = 2048.0, .heads = 12.0, .head_size = 128.0};
  const double scores = 2048.0 * 2048.0 * 12.0;
  const double expected =
      4.0 * scores * 128.0 / (0.55 * 1000e12) + 14.0 * scores / (0.8 * 3000e9) + 10e-6;
  EXPECT_NEAR(attention_forward(round_device(), stack, Dtype::bf16, shape).value, expected, 1e-12);
}

TEST(Attention, OddHeadSizesCostThreeTimesAsMuch) {
  Device device = round_device();
  device.kernel_overhead = 0_s;
  const AttentionShape even{.queries = 2048.0, .keys = 2048.0, .heads = 4.0, .head_size = 104.0};
  AttentionShape odd = even;
  odd.head_size = 108.0;
  const Seconds fast = attention_forward(device, round_stack(), Dtype::bf16, even);
  const Seconds slow = attention_forward(device, round_stack(), Dtype::bf16, odd);
  EXPECT_NEAR(slow / fast, 3.0 * 108.0 / 104.0, 1e-12);
}

TEST(Attention, OddHeadSizesLeaveUnfusedProductsNoTensorCores) {
  Device device = round_device();
  device.matmul_peak[static_cast<std::size_t>(Dtype::fp32)] = 20_TFLOPS;
  Stack stack = round_stack();
  stack.attention = AttentionKernel::unfused;
  const AttentionShape odd{.queries = 2048.0, .keys = 2048.0, .heads = 12.0, .head_size = 108.0};
  const double scores = 2048.0 * 2048.0 * 12.0;
  const double expected =
      4.0 * scores * 108.0 / (0.55 * 20e12) + 14.0 * scores / (0.8 * 3000e9) + 10e-6;
  EXPECT_NEAR(attention_forward(device, stack, Dtype::fp16, odd).value, expected, 1e-12);
}

TEST(MemoryBound, StreamsAtTheReachedShare) {
  EXPECT_NEAR(memory_bound_time(round_device(), 24_GB).value, 24e9 / (0.8 * 3000e9), 1e-15);
}

}  // namespace
}  // namespace cubicbench::sim
