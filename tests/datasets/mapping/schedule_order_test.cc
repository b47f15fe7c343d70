// Shipped runs that differ in the chunks of their stages alone, but for the release of the software
// or a detail of the test: the simulator has them in the order that was measured.
#include <gtest/gtest.h>

#include <string>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/measured_run.h"
#include "datasets/tables/measurement.h"
#include "scenarios/evaluation/evaluate.h"

namespace cubicbench::datasets {
namespace {

struct Pair {
  const char* table;
  const char* slower;
  const char* faster;
  const char* what;
};

constexpr Pair pairs[] = {
    {"nvidia_megatron_bridge", "mbr-0192", "mbr-0148",
     "Qwen3 235B on 256 GB300, 4 stages: 1F1B, and 12 chunks a stage"},
    {"nvidia_megatron_bridge", "mbr-0229", "mbr-0102", "the same of two other releases"},
    {"nvidia_megatron_bridge", "mbr-0173", "mbr-0129",
     "Llama 3.1 405B on 256 GB200, 16 stages: 4 and 8 chunks a stage"},
    {"megatron_core_ci_golden", "mcci-0073", "mcci-0093",
     "12 layers on 4 stages with 4 micro-batches: 1F1B, and a chunk a layer"},
};

const Measurement& row_of(const Measurements& table, const std::string& id) {
  for (const Measurement& row : table.rows) {
    if (row.id == id) return row;
  }
  ADD_FAILURE() << "no row " << id;
  return table.rows.front();
}

double simulated_step(const Measurement& row) {
  const MappedRun mapped = map_run(row);
  EXPECT_TRUE(mapped.run) << mapped.reason;
  if (!mapped.run) return 0.0;
  const scenarios::Scenario& scenario = mapped.run->scenario;
  sim::Workspace workspace;
  return scenarios::evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace)
      .step.value;
}

TEST(ScheduleOrder, IsAsMeasured) {
  for (const Pair& pair : pairs) {
    SCOPED_TRACE(pair.what);
    const Measurements table = find_measurements(pair.table, "test");
    const Measurement& slower = row_of(table, pair.slower);
    const Measurement& faster = row_of(table, pair.faster);
    if (slower.step_time_s) {
      ASSERT_GT(*slower.step_time_s, *faster.step_time_s);
    } else {
      ASSERT_LT(*slower.tokens_per_s_per_gpu, *faster.tokens_per_s_per_gpu);
    }
    ASSERT_EQ(slower.global_batch, faster.global_batch);
    EXPECT_GT(simulated_step(slower), simulated_step(faster));
  }
}

}  // namespace
}  // namespace cubicbench::datasets
