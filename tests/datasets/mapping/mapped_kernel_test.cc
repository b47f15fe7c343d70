#include "datasets/mapping/mapped_kernel.h"

#include <gtest/gtest.h>

#include <string>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/library.h"

namespace cubicbench::datasets {
namespace {

KernelMeasurement gemm_row() {
  KernelMeasurement row;
  row.accelerator = "H100-SXM-80GB";
  row.dtype = "bf16->bf16";
  row.m = 1000;
  row.n = 2000;
  row.k = 4000;
  row.tflops = 500.0;
  return row;
}

KernelMeasurement attention_row() {
  KernelMeasurement row;
  row.accelerator = "A100-SXM-80GB";
  row.implementation = "FlashAttention-2";
  row.pass = "fwd+bwd";
  row.head_dim = "64";
  row.causal = "True";
  row.seqlen = 2048;
  row.tflops = 100.0;
  return row;
}

TEST(MappedKernel, AProductTakesItsWorkOverItsRate) {
  const MappedKernel mapped = map_kernel(gemm_row(), KernelKind::gemm);
  ASSERT_TRUE(mapped.kernel) << mapped.reason;
  EXPECT_EQ(mapped.kernel->device, "h100-sxm-80gb");
  EXPECT_NEAR(mapped.kernel->time.value, 2.0 * 1000 * 2000 * 4000 / 500e12, 1e-12);
  EXPECT_EQ(mapped.kernel->group, "k 4000");
  EXPECT_EQ(std::get<TimedGemm>(mapped.kernel->kernel).dtype, sim::Dtype::bf16);
}

TEST(MappedKernel, AttentionWithoutBatchIsThatOfItsBenchmark) {
  const MappedKernel mapped = map_kernel(attention_row(), KernelKind::attention);
  ASSERT_TRUE(mapped.kernel) << mapped.reason;
  // 16,384 tokens are 8 sequences, a hidden size of 2,048 is 32 heads of 64. Half of the scores
  // count, and backward does five products against two.
  const auto& attention = std::get<TimedAttention>(mapped.kernel->kernel);
  EXPECT_DOUBLE_EQ(attention.shape.heads, 8.0 * 32.0);
  EXPECT_NEAR(mapped.kernel->time.value,
              3.5 * 0.5 * 4.0 * 2048.0 * 2048.0 * 64.0 * 8.0 * 32.0 / 100e12, 1e-9);
  KernelMeasurement forward = attention_row();
  forward.pass = "fwd";
  forward.batch = 2;
  forward.heads = "4";
  EXPECT_NEAR(map_kernel(forward, KernelKind::attention).kernel->time.value,
              0.5 * 4.0 * 2048.0 * 2048.0 * 64.0 * 2.0 * 4.0 / 100e12, 1e-12);
}

TEST(MappedKernel, AStreamRunsAtItsBandwidth) {
  KernelMeasurement row;
  row.accelerator = "A100-SXM-80GB";
  row.kernel = "BabelStream triad";
  row.unit = "TB/s";
  row.value = 1.7;
  const MappedKernel mapped = map_kernel(row, KernelKind::stream);
  ASSERT_TRUE(mapped.kernel);
  const sim::Device& device = library().devices.find("a100-sxm-80gb")->second;
  const double rate = device.memory_bandwidth.value * device.memory_efficiency;
  EXPECT_NEAR(simulated_time(*mapped.kernel, device) / mapped.kernel->time, 1.7e12 / rate, 1e-12);
}

TEST(MappedKernel, SaysWhyThereIsNone) {
  const auto reason = [](KernelMeasurement row, KernelKind kind, auto change) {
    change(row);
    const MappedKernel mapped = map_kernel(row, kind);
    EXPECT_FALSE(mapped.kernel);
    return mapped.reason;
  };
  const auto gemm = [&](auto change) { return reason(gemm_row(), KernelKind::gemm, change); };
  const auto attention = [&](auto change) {
    return reason(attention_row(), KernelKind::attention, change);
  };
  EXPECT_EQ(gemm([](auto& row) { row.accelerator = "abacus"; }),
            "no rule for accelerator \"abacus\"");
  EXPECT_EQ(gemm([](auto& row) { row.dtype = "f32xf32->f32"; }),
            "no rule for dtype \"f32xf32->f32\"");
  EXPECT_EQ(gemm([](auto& row) { row.batch = 2; }), "a batch of products");
  EXPECT_EQ(gemm([](auto& row) { row.k.reset(); }), "no sizes or no rate");
  EXPECT_EQ(attention([](auto& row) { row.implementation = "Triton"; }),
            "no rule for attention \"Triton\"");
  EXPECT_EQ(attention([](auto& row) { row.causal = "False"; }), "attention that is not causal");
  EXPECT_EQ(attention([](auto& row) { row.head_dim = "192/128"; }), "no sizes or no rate");
  EXPECT_EQ(attention([](auto& row) { row.pass = ""; }), "no rule for pass \"\"");
  EXPECT_EQ(reason({}, KernelKind::stream,
                   [](auto& row) {
                     row.accelerator = "H200";
                     row.unit = "GB/s";
                   }),
            "no rule for unit \"GB/s\"");
}

TEST(MappedKernel, AnAcceleratorMayBeADevicesName) {
  KernelMeasurement row = gemm_row();
  row.accelerator = "gb200";
  EXPECT_EQ(map_kernel(row, KernelKind::gemm).kernel->device, "gb200");
  row.accelerator = "abacus";
  Library among = library();
  among.devices.insert_or_assign("abacus", among.devices.at("gb200"));
  EXPECT_EQ(map_kernel(row, KernelKind::gemm, among).kernel->device, "abacus");
}

TEST(MappedKernel, MostOfTheShippedOnesOfH100AreOfUse) {
  std::size_t mapped = 0;
  const KernelMeasurements table = find_kernel_measurements("gemm_points");
  for (const KernelMeasurement& row : table.rows) {
    const MappedKernel kernel = map_kernel(row, table.kind);
    if (kernel.kernel && kernel.kernel->device == "h100-sxm-80gb") ++mapped;
  }
  EXPECT_GT(mapped, 250U);
}

}  // namespace
}  // namespace cubicbench::datasets
