#include <gtest/gtest.h>

#include <algorithm>

#include "sim/memory/peak_memory.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

Stack lossy() {
  Stack stack;
  stack.state_fragmentation = 1.1;
  stack.fragmentation = 1.5;
  stack.update_uncached = 0.5;
  return stack;
}

AllocationTable one_stage() {
  AllocationTable table;
  table.begin_holder(0);
  table.add(MemoryPart::parameters, 100.0, always);
  table.add(MemoryPart::activations, 40.0, in_passes);
  table.add(MemoryPart::logits, 20.0, at(Moment::loss));
  table.add(MemoryPart::gradients, 30.0, at(Moment::backward));
  table.add(MemoryPart::communication_buffers, 60.0, at(Moment::optimizer_step));
  return table;
}

Bytes demand_at(std::span<const Allocation> allocations, Moment moment, const Stack& stack) {
  return demands(allocations, stack)[static_cast<std::size_t>(moment)];
}

TEST(Demand, CountsStateAndWhatComesAndGoesByFactorsOfTheirOwn) {
  const AllocationTable table = one_stage();
  const auto allocations = table.of(table.holders().front());
  struct Case {
    Moment moment;
    double bytes;
  };
  for (const Case& c : {Case{Moment::startup, 110.0},                   // 1.1 x 100
                        Case{Moment::forward, 110.0 + 60.0},            // and 1.5 x 40
                        Case{Moment::loss, 110.0 + 60.0 + 30.0},        // and 1.5 x 20
                        Case{Moment::backward, 110.0 + 60.0 + 33.0},    // and 1.1 x 30
                        Case{Moment::optimizer_step, 110.0 + 66.0}}) {  // 1.1 x (100 + 60)
    EXPECT_NEAR(demand_at(allocations, c.moment, lossy()).value, c.bytes, 1.0);
  }
  EXPECT_EQ(peak_demand(allocations, lossy()).moment, Moment::backward);
}

TEST(Demand, IsInWholeBytesRoundedUp) {
  AllocationTable table;
  table.begin_holder(0);
  table.add(MemoryPart::parameters, 5.0, always);
  EXPECT_EQ(demand_at(table.of(table.holders().front()), Moment::loss, lossy()), Bytes{6.0});
}

TEST(Demand, ReservedHoldsAShareOfTheUpdateBesideThePeak) {
  const AllocationTable table = one_stage();
  // 203 at the peak of the backward pass, and half of 60.
  EXPECT_NEAR(reserved_for(table.of(table.holders().front()),
                           peak_demand(table.of(table.holders().front()), lossy()).bytes, lossy())
                  .value,
              233.0, 2.0);
}

TEST(Demand, IsNeverLessThanWhatIsAlive) {
  for (const Plan& plan : assorted_plans(200)) {
    StepProgram program;
    lower(llama_8b(), plan, round_cluster(64), lossy(), program);
    for (const Holder& holder : program.allocations.holders()) {
      const auto allocations = program.allocations.of(holder);
      const Demand peak = peak_demand(allocations, lossy());
      for (int i = 0; i < moment_count; ++i) {
        const auto moment = static_cast<Moment>(i);
        EXPECT_GE(demand_at(allocations, moment, lossy()), alive_at(allocations, moment));
        EXPECT_LE(demand_at(allocations, moment, lossy()), peak.bytes);
      }
      EXPECT_LE(peak.bytes, reserved_for(allocations, peak.bytes, lossy()));
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
