// Energy is power times time, and there are two powers: that of what computes, and of what waits.
#include "sim/engine/step_energy.h"

#include <gtest/gtest.h>

namespace cubicbench::sim {
namespace {

StepReport report_of(std::initializer_list<std::pair<StepPart, double>> parts) {
  StepReport report;
  for (const auto& [part, seconds] : parts) {
    report.parts[static_cast<std::size_t>(part)] = Seconds{seconds};
    report.step += Seconds{seconds};
  }
  return report;
}

constexpr Device accelerator = [] {
  Device device;
  device.board_watts = 700.0;
  device.waiting_watts = 200.0;
  return device;
}();

TEST(StepEnergy, IsThatOfTwoPowers) {
  // 3 s at 700 W and 1 s at 200 W.
  EXPECT_DOUBLE_EQ(gpu_step_energy_j(accelerator, 4.0_s, 3.0_s), 2300.0);
  EXPECT_DOUBLE_EQ(gpu_step_energy_j(accelerator, 4.0_s, 4.0_s), 2800.0);  // the board's, always
  EXPECT_DOUBLE_EQ(gpu_step_energy_j(accelerator, 4.0_s, 0.0_s), 800.0);
}

TEST(StepEnergy, OfWhatComputesIsNotThatOfWhatWaits) {
  EXPECT_DOUBLE_EQ(busy_time(report_of({{StepPart::gemm, 1.0},
                                        {StepPart::attention, 2.0},
                                        {StepPart::memory_bound, 4.0},
                                        {StepPart::head_and_loss, 8.0},
                                        {StepPart::recompute, 16.0},
                                        {StepPart::optimizer, 32.0},
                                        {StepPart::embedding_lookup, 64.0},
                                        {StepPart::embedding_fixed, 128.0}}))
                       .value,
                   255.0);
  EXPECT_EQ(busy_time(report_of({{StepPart::host, 1.0},
                                 {StepPart::tensor_communication, 1.0},
                                 {StepPart::context_communication, 1.0},
                                 {StepPart::pipeline_communication, 1.0},
                                 {StepPart::data_communication, 1.0},
                                 {StepPart::pipeline_bubble, 1.0},
                                 {StepPart::allocator_retries, 1.0},
                                 {StepPart::stragglers, 1.0},
                                 {StepPart::embedding_communication, 1.0},
                                 {StepPart::input, 1.0},
                                 {StepPart::embedding_host, 1.0},
                                 {StepPart::expert_communication, 1.0},
                                 {StepPart::expert_storage, 1.0}})),
            Seconds{});
}

TEST(StepEnergy, OfAStepIsOfItsParts) {
  const StepReport report = report_of({{StepPart::gemm, 0.5},
                                       {StepPart::optimizer, 0.25},
                                       {StepPart::pipeline_bubble, 0.25},
                                       {StepPart::data_communication, 1.0}});
  EXPECT_DOUBLE_EQ(gpu_step_energy_j(accelerator, report.step, busy_time(report)),
                   0.75 * 700.0 + 1.25 * 200.0);
}

}  // namespace
}  // namespace cubicbench::sim
