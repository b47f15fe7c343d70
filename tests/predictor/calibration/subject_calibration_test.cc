#include "predictor/calibration/subject_calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::predictor {
namespace {

using testing::ElementsAre;
using Names = std::vector<std::string>;

CalibratedSubject stack(const std::string& name) {
  return find_subject(CalibrationSubject::stack, name, "--stack");
}

TEST(TaskOfTables, RefusesATableThatIsGivenTwice) {
  const std::string folder = CUBICBENCH_SOURCE_DIR "/datasets/measured/";
  for (const Names& tables :
       {Names{"internevo", "internevo"},
        Names{folder + "internevo.csv", folder + "../measured/internevo.csv"}}) {
    try {
      task_of_tables(stack("internevo-2023"), tables, {}, "FILE");
      ADD_FAILURE() << tables.front();
    } catch (const support::InputError& error) {
      EXPECT_EQ(std::string(error.what()),
                "FILE: expected every table once, got " + tables.back() + " again");
    }
  }
}

TEST(TaskOfTables, OfAStackWithPlansFitWhatTheyFit) {
  const Names tables{"internevo"};
  EXPECT_THAT(task_of_tables(stack("internevo-2023"), tables, {}, "FILE").fit,
              ElementsAre("latency_per_rank_us"));
  EXPECT_THAT(task_of_tables(stack("internevo-2023"), tables, {"gemm_factor"}, "FILE").fit,
              ElementsAre("gemm_factor"));
}

TEST(TaskOfTables, OfAStackOfOnesOwnAreTheRowsThatNameItOrAll) {
  CalibratedSubject own = stack("internevo-2023");
  own.name = "mine";
  own.shipped = false;
  const Names tables{"internevo"};
  const CalibrationTask all = task_of_tables(own, tables, {}, "FILE");
  EXPECT_GT(all.rows.runs.size(), 50U);
  EXPECT_THAT(all.fit, ElementsAre("gemm_factor", "element_wise_factor", "launch_us"));
}

/// Rows of one model whose pass the host does not bound: they leave its time open.
TEST(RunCalibrations, GivesUpWhatNobodyAskedForAndTheRowsLeaveOpen) {
  CalibratedSubject own = stack("mosaicml-fsdp1-2024");
  own.name = "mine";
  own.shipped = false;
  const Names tables{"ibm_fms_fsdp"};
  CalibrationTask task = task_of_tables(own, tables, {}, "FILE");
  ASSERT_TRUE(task.fit_is_default);
  const Names unused{"gemm_factor", "ring_block_cost"};
  task.fit = unused;
  const auto fits = run_calibrations(own, {task}, "FILE", 1);
  EXPECT_THAT(fits.front().task.fit, ElementsAre("gemm_factor"));
  EXPECT_THAT(fits.front().task.left, ElementsAre("ring_block_cost"));
  EXPECT_EQ(fits.front().result.constants.size(), 1U);
  task.fit_is_default = false;
  try {
    run_calibrations(own, {task}, "FILE", 1);
    ADD_FAILURE();
  } catch (const support::InputError& error) {
    EXPECT_THAT(error.what(),
                testing::EndsWith("leave open ring_block_cost; try --fit gemm_factor"));
  }
}

TEST(JointTask, HasEveryRowOfThePlansOnce) {
  const CalibratedSubject subject = stack("megatron-hybridep-2026");
  const auto joint = joint_task(subject, {"expert_launches", "dispatch_factor"});
  ASSERT_TRUE(joint);
  const auto planned = planned_tasks(subject);  // both have the same rows
  ASSERT_EQ(planned.size(), 2U);
  EXPECT_EQ(joint->rows.runs.size(), planned.front().rows.runs.size());
  EXPECT_THAT(joint->tables, ElementsAre("nvidia_megatron_bridge"));
  EXPECT_FALSE(joint_task(stack("llama3-2024"), {"gemm_factor"}));
}

}  // namespace
}  // namespace cubicbench::predictor
