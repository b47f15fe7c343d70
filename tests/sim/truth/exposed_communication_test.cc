#include <gtest/gtest.h>

#include "sim/truth/job.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Every part a power of two, so that a sum says which were counted.
StepReport report_of_powers() {
  StepReport report;
  for (std::size_t i = 0; i < report.parts.size(); ++i) {
    report.parts[i] = Seconds{static_cast<double>(1U << i)};
    report.step += report.parts[i];
  }
  return report;
}

double power(StepPart part) { return static_cast<double>(1U << static_cast<unsigned>(part)); }

TEST(ExposedBetweenNodes, CountsCommunicationOfGroupsThatLeaveTheirNode) {
  const double always = power(StepPart::pipeline_communication) +
                        power(StepPart::data_communication) +
                        power(StepPart::embedding_communication) + power(StepPart::input);
  struct Case {
    const char* name;
    int gpus;
    int tensor;
    int context;
    double expected;
    int experts = 1;  ///< ranks that share them
  };
  for (const Case& c :
       {Case{"one node", 8, 8, 1, 0.0}, Case{"less than a node", 4, 1, 1, 0.0},
        Case{"tensor fills a node", 16, 8, 1, always},
        Case{"tensor leaves it, and context with it", 16, 16, 1,
             always + power(StepPart::tensor_communication) +
                 power(StepPart::context_communication)},
        Case{"tensor x context fills a node", 64, 4, 2, always},
        Case{"context leaves it", 64, 4, 4, always + power(StepPart::context_communication)},
        Case{"experts fill a node", 64, 1, 1, always, 8},
        Case{"experts leave it", 64, 1, 1, always + power(StepPart::expert_communication), 16}}) {
    SCOPED_TRACE(c.name);
    Plan plan{};
    plan.tensor_parallel = c.tensor;
    plan.context_parallel = c.context;
    plan.expert_parallel = c.experts;
    EXPECT_EQ(exposed_between_nodes(report_of_powers(), plan, round_cluster(c.gpus)).value,
              c.expected);
  }
}

}  // namespace
}  // namespace cubicbench::sim
