#include "sim/memory/allocator_replay.h"

#include <gtest/gtest.h>

#include "sim/memory/trace_event.h"

namespace cubicbench::sim {
namespace {

constexpr double mib = 1048576.0;

ReplayReport played(const AllocationTrace& trace, Bytes capacity = 80_GiB) {
  return AllocatorReplay().run(trace, capacity);
}

/// A buffer that a collective reads and another of its size after it, launched as said.
AllocationTrace one_after_another(const Launches& launches) {
  AllocationTrace trace;
  TraceWriter out(trace);
  const std::int32_t pass = out.pass(launches);
  const Tensor first = out.take(32 * mib);
  out.launch(pass);
  out.drop(first, true);
  out.take(32 * mib);
  return trace;
}

TEST(AllocatorReplay, BlocksOfCollectivesReturnWhenTheDeviceHasPassed) {
  // The device is at 1 + 2 s when the host is at 1 s: the block is not free yet.
  EXPECT_EQ(played(one_after_another({1_s, 3_s, 1.0})).reserved, 64_MiB);
  // The host took longer than the device: it is.
  EXPECT_EQ(played(one_after_another({3_s, 1_s, 1.0})).reserved, 32_MiB);
}

TEST(AllocatorReplay, BlocksReturnOnceTheHostIsAsFarAsTheDeviceWas) {
  AllocationTrace trace;
  TraceWriter out(trace);
  const std::int32_t slow = out.pass({1_s, 3_s, 1.0});
  const std::int32_t idle = out.pass({1_s, 0_s, 1.0});
  out.launch(slow);  // the device ends at 3 s
  out.drop(out.take(32 * mib), true);
  out.launch(idle);  // host at 2 s
  const Tensor second = out.take(32 * mib);
  out.drop(second);
  out.launch(idle);  // host at 3 s
  out.take(64 * mib);
  out.take(32 * mib);
  out.take(32 * mib);
  EXPECT_EQ(played(trace).reserved, 128_MiB);
}

TEST(AllocatorReplay, AHostThatWaitsGetsEverythingBack) {
  AllocationTrace trace;
  TraceWriter out(trace);
  const std::int32_t pass = out.pass({1_s, 3_s, 1.0});
  for (int i = 0; i < 3; ++i) {
    out.launch(pass);
    out.drop(out.take(32 * mib), true);
    out.synchronise();
  }
  EXPECT_EQ(played(trace).reserved, 32_MiB);
}

TEST(AllocatorReplay, HostsRunAheadAsFarAsTheQueueIsDeep) {
  // 100 kernels a pass and 1,000 in the queue: ten passes wait behind the one that the device is
  // at, so that eleven blocks are out when the host asks for the next.
  AllocationTrace trace;
  TraceWriter out(trace);
  const std::int32_t pass = out.pass({0_s, 1_s, 100.0});
  for (int i = 0; i < 50; ++i) {
    const Tensor block = out.take(32 * mib);
    out.launch(pass);
    out.drop(block, true);
  }
  EXPECT_EQ(played(trace).reserved.value, 12 * 32 * mib);
}

TEST(AllocatorReplay, ADeviceThatStandsStillReturnsNothing) {
  AllocationTrace trace;
  TraceWriter out(trace);
  const std::int32_t pass = out.pass({1_s, 0_s, 1.0});
  out.stand_still();
  for (int i = 0; i < 5; ++i) {
    const Tensor block = out.take(32 * mib);
    out.launch(pass);
    out.drop(block, true);
  }
  EXPECT_EQ(played(trace).reserved, 160_MiB);
}

TEST(AllocatorReplay, SaysWhatWasAliveAtThePeak) {
  AllocationTrace trace;
  TraceWriter out(trace);
  out.begin(TraceOperation::startup, 0);
  out.take(MemoryPart::parameters, 100 * mib);
  out.begin(TraceOperation::ffn_forward, 2);
  const Tensor kept = out.take(30 * mib);
  out.begin(TraceOperation::head_forward, 2);
  const Tensor logits = out.take(MemoryPart::logits, 50 * mib);
  out.drop(kept);
  out.drop(logits);
  out.begin(TraceOperation::optimizer_step, 0);
  out.take(MemoryPart::optimizer_state, 70 * mib);
  const ReplayReport report = played(trace);
  EXPECT_EQ(report.allocated, 180_MiB);
  EXPECT_EQ(report.peak.operation, TraceOperation::head_forward);
  EXPECT_EQ(report.peak.micro_batch, 2);
  EXPECT_EQ(report.peak.parts[static_cast<std::size_t>(MemoryPart::parameters)], 100_MiB);
  EXPECT_EQ(report.peak.parts[static_cast<std::size_t>(MemoryPart::activations)], 30_MiB);
  EXPECT_EQ(report.peak.parts[static_cast<std::size_t>(MemoryPart::logits)], 50_MiB);
  // 70 MiB fit into no block that is free: 30 and 50.
  EXPECT_EQ(report.reserved, 250_MiB);
}

TEST(AllocatorReplay, WaitsForTheDeviceBeforeItGivesUp) {
  const AllocationTrace trace = one_after_another({1_s, 3_s, 1.0});
  const ReplayReport fits = played(trace, 40_MiB);
  EXPECT_FALSE(fits.out_of_memory);
  EXPECT_EQ(fits.reserved, 32_MiB);
  EXPECT_TRUE(played(trace, 20_MiB).out_of_memory);
}

}  // namespace
}  // namespace cubicbench::sim
