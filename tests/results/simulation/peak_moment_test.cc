#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "results/simulation/part_names.h"
#include "results/simulation/simulation.h"
#include "results/simulation/simulation_document.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::results {
namespace {

using namespace sim::literals;

TEST(PeakMoment, SaysWhereWhenAndWhat) {
  scenarios::StageReplay replay;
  replay.stage = 2;
  replay.allocated = 40_GiB;
  replay.peak.operation = sim::TraceOperation::ffn_backward;
  replay.peak.micro_batch = 3;
  replay.peak.parts[static_cast<std::size_t>(sim::MemoryPart::parameters)] = 10_GiB;
  replay.peak.parts[static_cast<std::size_t>(sim::MemoryPart::activations)] = 30_GiB;
  EXPECT_EQ(peak_moment_text(replay),
            "stage 2: 40.00 GiB in the backward pass of the FFN, micro-batch 3: "
            "activations 30.00 GiB, parameters 10.00 GiB");
  replay.peak.operation = sim::TraceOperation::optimizer_step;
  EXPECT_EQ(peak_moment_text(replay).find("micro-batch"), std::string::npos);
}

TEST(PeakMoment, OperationsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (int i = 0; i < sim::trace_operation_count; ++i) {
    names.insert(name_of(static_cast<sim::TraceOperation>(i)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(sim::trace_operation_count));
  EXPECT_FALSE(names.contains(""));
}

TEST(PeakMoment, IsOfTheStageThatTheVerdictIsAbout) {
  const Simulation simulation = simulate(scenarios::read_scenario("llama3-8b"));
  ASSERT_TRUE(simulation.replay);
  EXPECT_EQ(simulation.replay->stage, simulation.report.memory.stage);
  sim::Bytes alive;
  for (const sim::Bytes part : simulation.replay->peak.parts) alive += part;
  EXPECT_EQ(alive, simulation.replay->allocated);
  // Llama's trainer is not one whose allocator is replayed.
  EXPECT_FALSE(simulation.replay->reserved);
  EXPECT_EQ(reserved_memory(simulation), simulation.report.memory.reserved);
  // Trace and closed form hold the same tensors but for those of one operation.
  EXPECT_NEAR(simulation.replay->allocated / simulation.report.memory.allocated, 1.0, 0.1);
}

TEST(PeakMoment, ReservedMemoryOfAKnownAllocatorIsReplayedWhileThereIsRoom) {
  scenarios::Scenario scenario = scenarios::read_scenario("llama3-8b");
  scenario.stack.allocator_replayed = true;
  const Simulation fits = simulate(scenario);
  ASSERT_TRUE(fits.replay && fits.replay->reserved);
  EXPECT_EQ(reserved_memory(fits), max(*fits.replay->reserved, fits.report.memory.allocated));
  scenario.cluster.device.memory = fits.report.memory.allocated;
  const Simulation full = simulate(scenario);
  ASSERT_TRUE(full.replay);
  EXPECT_FALSE(full.replay->reserved);
  EXPECT_EQ(reserved_memory(full), full.report.memory.reserved);
}

TEST(PeakMoment, RecommendationModelsHaveTheClosedForm) {
  const Simulation simulation = simulate(scenarios::read_scenario("ads-73b"));
  EXPECT_FALSE(simulation.replay);
  EXPECT_EQ(reserved_memory(simulation), simulation.report.memory.reserved);
}

}  // namespace
}  // namespace cubicbench::results
