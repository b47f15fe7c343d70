#include "search/backends/slurm_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cubicbench::search {
namespace {

TEST(SlurmText, ReadsTheQueue) {
  // As Slurm 22.05 prints it: a job, a task, a job of somebody else's script, a name with '|'.
  const std::vector<QueuedJob> jobs = read_queue(
      "12|N/A|PENDING|1795871458|0:00|Priority|cubicbench-1-0-0\n"
      "13|4|RUNNING|1795871458|1-02:03:04|None|cubicbench-1-1-0\n"
      "half a name\n"
      "14|N/A|COMPLETED|1795871458|59:59|None|a|b\n");
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(text_of(jobs[0].id), "12");
  EXPECT_EQ(jobs[0].state, "PENDING");
  EXPECT_EQ(jobs[0].submitted_s, 1795871458.0);
  EXPECT_EQ(jobs[0].running_s, 0.0);
  EXPECT_EQ(jobs[0].reason, "Priority");
  EXPECT_EQ(jobs[0].name, "cubicbench-1-0-0");
  EXPECT_EQ(text_of(jobs[1].id), "13_4");
  EXPECT_EQ(jobs[1].running_s, 86'400.0 + 2 * 3600.0 + 3 * 60.0 + 4.0);
  EXPECT_EQ(jobs[2].running_s, 59 * 60.0 + 59.0);
  EXPECT_EQ(jobs[2].name, "a|b");
  EXPECT_TRUE(read_queue("").empty());
}

TEST(SlurmText, KnowsTheEndsOfJobs) {
  for (const char* end : {"COMPLETED", "CANCELLED", "FAILED", "TIMEOUT", "NODE_FAIL", "PREEMPTED",
                          "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY"}) {
    EXPECT_TRUE(is_end(end)) << end;
  }
  for (const char* open : {"PENDING", "RUNNING", "COMPLETING", "CONFIGURING", "REQUEUED",
                           "REQUEUE_HOLD", "SUSPENDED", "STOPPED", "RESIZING", ""}) {
    EXPECT_FALSE(is_end(open)) << open;
  }
}

TEST(SlurmText, ReadsAJob) {
  const auto end = read_job(
      "JobId=2 ArrayJobId=2 ArrayTaskId=1 JobName=cb-2 UserId=root(0) JobState=FAILED "
      "Reason=NonZeroExitCode Restarts=0 ExitCode=3:0 RunTime=00:00:01 SubmitTime=1795871458 "
      "StartTime=1795871459 EndTime=1795871460 Command=/a JobState=/b\n");
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->state, "FAILED");
  EXPECT_EQ(end->exit_code, 3);
  EXPECT_EQ(end->signal, 0);
  EXPECT_EQ(end->started_s, 1795871459.0);
  EXPECT_EQ(end->ended_s, 1795871460.0);
  const auto killed = read_job("JobId=3 JobState=FAILED ExitCode=0:9 StartTime=Unknown");
  ASSERT_TRUE(killed.has_value());
  EXPECT_EQ(killed->signal, 9);
  EXPECT_FALSE(killed->started_s.has_value());
  EXPECT_FALSE(read_job("slurm_load_jobs error: Invalid job id specified").has_value());
}

TEST(SlurmText, ReadsAccounts) {
  const std::string text =
      "2_1|CANCELLED by 1000|0:15|1795871459|1795871460\n2_1.batch|CANCELLED|0:15||\n"
      "2_11|COMPLETED|0:0|1795871459|1795871470\n3|RUNNING|0:0|1795871459|Unknown\n";
  const auto cancelled = read_account(text, {.job = 2, .task = 1});
  ASSERT_TRUE(cancelled.has_value());
  EXPECT_EQ(cancelled->state, "CANCELLED");
  EXPECT_EQ(cancelled->ended_s, 1795871460.0);
  const auto other = read_account(text, {.job = 2, .task = 11});
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(other->exit_code, 0);
  EXPECT_FALSE(read_account(text, {.job = 3}).has_value()) << "it has not ended";
  EXPECT_FALSE(read_account(text, {.job = 2}).has_value());
  EXPECT_EQ(read_listed("12_3\n12_4\n"), 12);
  EXPECT_EQ(read_listed("7\n"), 7);
  EXPECT_FALSE(read_listed("").has_value());
}

TEST(SlurmText, ReadsTheNumberOfAJob) {
  EXPECT_EQ(read_submitted("12\n"), 12);
  EXPECT_EQ(read_submitted("12;cluster\n"), 12);
  EXPECT_FALSE(read_submitted("Submitted batch job 12\n").has_value());
  EXPECT_FALSE(read_submitted("").has_value());
}

TEST(SlurmText, TellsErrorsThatPassFromThoseThatStay) {
  struct Case {
    const char* said;
    SlurmError error;
  };
  for (const Case& c :
       {Case{"sbatch: error: QOSMaxSubmitJobPerUserLimit\nsbatch: error: Batch job submission "
             "failed: Job violates accounting/QOS policy",
             SlurmError::full},
        Case{"sbatch: error: AssocMaxSubmitJobLimit", SlurmError::full},
        Case{"sbatch: error: Slurm temporarily unable to accept job, sleeping and retrying",
             SlurmError::full},
        Case{"sbatch: error: Batch job submission failed: Unable to contact slurm controller "
             "(connect failure)",
             SlurmError::unreachable},
        Case{"slurm_load_jobs error: Socket timed out on send/recv operation",
             SlurmError::unreachable},
        Case{"error: Munge encode failed: Failed to access \"/run/munge/munge.socket.2\"",
             SlurmError::unreachable},
        Case{"slurm_load_jobs error: Invalid job id specified", SlurmError::refused},
        Case{"sbatch: error: Batch job submission failed: Job violates accounting/QOS policy (job "
             "submit limit, user's size and/or time limits)",
             SlurmError::refused},
        Case{"", SlurmError::refused}}) {
    EXPECT_EQ(error_of(c.said), c.error) << c.said;
  }
}

TEST(SlurmText, HearsWhatSlurmSaysInTheLogOfAJob) {
  EXPECT_TRUE(says_timeout(
      "slurmstepd-n1: error: *** JOB 5 ON n1 CANCELLED AT 2026-11-28T13:11:24 DUE TO TIME LIMIT "
      "***"));
  EXPECT_FALSE(says_timeout("slurmstepd-n1: error: *** JOB 7 ON n1 CANCELLED AT 2026-11-28 ***"));
  EXPECT_FALSE(says_timeout("a job that prints DUE TO TIME LIMIT"));
  EXPECT_TRUE(says_out_of_memory(
      "slurmstepd: error: Detected 1 oom_kill event in StepId=9.batch. Some of the step tasks "
      "have been OOM Killed."));
  EXPECT_TRUE(says_out_of_memory("slurmstepd-n1: error: Exceeded job memory limit"));
  EXPECT_FALSE(says_out_of_memory("oom_kill"));
}

}  // namespace
}  // namespace cubicbench::search
