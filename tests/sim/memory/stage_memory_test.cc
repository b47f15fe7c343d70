
#include <gtest/gtest.h>

#include <cstdint>

#include "sim/memory/peak_memory.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

Stack half_as_much_again() {
  Stack stack;
  stack.state_fragmentation = 1.5;
  stack.fragmentation = 1.5;
  stack.outside_allocator = Bytes{1000.0};
  stack.communicator = Bytes{10.0};
  return stack;
}

/// Three kinds of stages: the first holds most in the optimizer step, the second most in all.
AllocationTable three_stages() {
  AllocationTable table;
  table.begin_holder(0);
  table.add(MemoryPart::optimizer_state, 100.0, always);
  table.add(MemoryPart::activations, 11.0, at(Moment::forward) | at(Moment::backward));
  table.add(MemoryPart::workspace, 7.0, at(Moment::backward));
  table.begin_holder(1);
  table.add(MemoryPart::optimizer_state, 60.0, always);
  table.add(MemoryPart::activations, 70.0, in_passes);
  table.begin_holder(3);
  table.add(MemoryPart::optimizer_state, 50.0, always);
  table.add(MemoryPart::logits, 40.0, at(Moment::loss));
  table.add(MemoryPart::unsharded_units, 5.0, at(Moment::optimizer_step));
  return table;
}

TEST(StageMemory, IsOfTheStageThatWasAskedFor) {
  struct Case {
    StageChoice choice;
    StageMemory expected;
  };
  // Reserved is 1.5 times the peak, rounded up; the device holds 1000 bytes and 4 communicators of
  // 10 bytes beside it.
  for (const Case& c :
       {Case{StageChoice::first,  // 100 + 11 + 7 in the backward pass
             {.allocated = {118.0},
             .reserved = {177.0},
             .device = {1217.0},
             .static_state = {100.0}}},
        Case{
            StageChoice::last,  // 50 + 40 in the loss, 50 + 5 in the optimizer step
            {.allocated = {90.0}, .reserved = {135.0}, .device = {1175.0}, .static_state = {55.0}}},
        Case{StageChoice::largest,  // 60 + 70 in the passes
             {.allocated = {130.0},
             .reserved = {195.0},
             .device = {1235.0},
             .static_state = {60.0}}}}) {
    SCOPED_TRACE(static_cast<int>(c.choice));
    EXPECT_EQ(stage_memory(three_stages(), c.choice, 4.0, half_as_much_again()), c.expected);
  }
}

TEST(StageMemory, OneHolderIsFirstLastAndLargest) {
  AllocationTable table;
  table.begin_holder(0);
  table.add(MemoryPart::parameters, 3.0, always);
  const StageMemory expected{
      .allocated = {3.0}, .reserved = {5.0}, .device = {1005.0}, .static_state = {3.0}};
  for (const StageChoice choice : {StageChoice::first, StageChoice::last, StageChoice::largest}) {
    EXPECT_EQ(stage_memory(table, choice, 0.0, half_as_much_again()), expected);
  }
}

TEST(StageMemory, LargestIsWhatTheVerdictIsAbout) {
  const Cluster cluster = round_cluster(64);
  for (const Plan& plan : assorted_plans(300)) {
    StepProgram program;
    lower(llama_8b(), plan, cluster, round_stack(), program);
    const double joined = communicators(program.mesh, plan);
    const MemoryReport report =
        peak_memory(program.allocations, joined, cluster.device, round_stack());
    const StageMemory largest =
        stage_memory(program.allocations, StageChoice::largest, joined, round_stack());
    EXPECT_EQ(largest.allocated, report.allocated);
    EXPECT_EQ(largest.reserved, report.reserved);
    // What a device needs in all is above its memory exactly when the pool is too small.
    EXPECT_EQ(largest.device > cluster.device.memory, report.demand > report.capacity);
    for (const StageChoice choice : {StageChoice::first, StageChoice::last}) {
      const StageMemory stage = stage_memory(program.allocations, choice, joined, round_stack());
      EXPECT_LE(stage.allocated, largest.allocated);
      EXPECT_LE(stage.static_state, stage.allocated);
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
