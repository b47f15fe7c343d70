#include "datasets/jobs/measured_dataset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/jobs/launch_features.h"
#include "datasets/jobs/split.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

constexpr const char* header =
    "id,source,date,model,device,n_gpus,gpus_per_node,fabric,tp,micro_batch,tokens_per_s_per_gpu,"
    "step_time_s,seq_len,global_batch,peak_mem_gib,job_allreduce_gbps,status,quality,"
    "noise_free_tokens_per_s_per_gpu\n";

Dataset dataset_of(const std::string& rows, FeatureSet features = FeatureSet::launch) {
  return measured_dataset(read_measurements(header + rows, "t.csv"), features);
}

double cell(const Dataset& data, std::size_t job, const std::string& column) {
  const auto found = std::ranges::find(data.columns, column, &Column::name);
  return data.row(job)[static_cast<std::size_t>(found - data.columns.begin())];
}

const Dataset& sweep() {
  static const Dataset data = measured_dataset(
      find_measurements("hf_ultrascale_nanotron_sweep", "DATASET"), FeatureSet::launch);
  return data;
}

TEST(MeasuredDataset, SortsRowsByWhatTheySay) {
  const Dataset data = dataset_of(
      "timed,s,,m,h100-sxm-80gb,8,8,efa,1,2,100,,,,,,ok,ok,\n"
      "by step time,s,,m,,8,,,1,2,,2,1024,64,,,ok,ok,\n"
      "memory only,s,,m,,8,,,1,2,,,,,40,,ok,ok,\n"
      "early,s,,m,,8,,,1,2,50,,,,,,ok,early_pp,\n"
      "oom,s,,m,,8,,,1,2,,,,,,,oom,ok,\n"
      "early oom,s,,m,,8,,,1,2,,,,,,,oom,early_pp,\n"
      "flagged,s,,m,,8,,,1,2,100,,,,,,ok,flag,\n"
      "flagged oom,s,,m,,8,,,1,2,,,,,,,oom,flag,\n"
      "other,s,,m,,8,,,1,2,,,,,,,other,ok,\n"
      "untuned,s,,m,,8,,,1,2,100,,,,,,ok,untuned,\n"
      "need,s,,m,,8,,,1,2,,,,,,,requirement,ok,\n");
  std::vector<std::string> ids;
  for (const Job& job : data.jobs) ids.push_back(job.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"timed", "by step time", "memory only", "early", "oom",
                                           "early oom"}));
  EXPECT_EQ(data.jobs[0].value, 100.0);
  EXPECT_EQ(data.jobs[0].cluster, "h100-sxm-80gb, 8 a node, efa");
  EXPECT_EQ(data.jobs[0].workload, "m");
  EXPECT_EQ(data.jobs[1].value, 4096.0);  // 1024 x 64 / (2 x 8)
  EXPECT_EQ(data.jobs[2].status, JobStatus::untimed);
  EXPECT_EQ(data.jobs[3].status, JobStatus::untimed);
  EXPECT_EQ(data.jobs[3].value, std::nullopt);
  EXPECT_EQ(data.jobs[5].status, JobStatus::out_of_memory);
  EXPECT_EQ(timed_jobs(data), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(fitting_jobs(data).size(), 6U);
  EXPECT_EQ(data.target, "tokens_per_s_per_gpu");
  EXPECT_FALSE(data.simulated);
}

TEST(MeasuredDataset, RepeatsAreWhatNothingKnownAtLaunchTellsApart) {
  const Dataset data = dataset_of(
      "a,s,2024-01-01,m,h100-sxm-80gb,8,8,efa,1,2,100,,,,,425,ok,ok,\n"
      "b,t,2024-01-02,m,h100-sxm-80gb,8,8,efa,1,2,120,,,,,12,ok,ok,\n"
      "c,s,2024-01-01,m,h100-sxm-80gb,8,8,efa,2,2,100,,,,,,ok,ok,\n"
      "d,s,2024-01-01,n,h100-sxm-80gb,8,8,efa,1,2,100,,,,,,ok,ok,\n"
      "e,s,2024-01-01,m,nobody's,8,8,efa,1,2,100,,,,,,ok,ok,\n"
      "f,s,2024-01-01,m,h100-sxm-80gb,8,8,efa,1,2,,,,,,,oom,ok,\n");
  std::vector<std::uint64_t> numbers;
  for (const Job& job : data.jobs) numbers.push_back(job.configuration);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{0, 0, 1, 2, 3, 0}));
}

TEST(MeasuredDataset, TheFabricTellsNoConfigurationsApart) {
  const std::string rows =
      "a,s,,m,h100-sxm-80gb,8,8,efa,1,2,100,,,,,425,ok,ok,\n"
      "b,s,,m,h100-sxm-80gb,8,8,efa,1,2,120,,,,,16,ok,ok,\n";
  const Dataset data = dataset_of(rows, FeatureSet::measured_fabric);
  EXPECT_EQ(data.jobs[0].configuration, data.jobs[1].configuration);
  EXPECT_EQ(data.columns.size(), dataset_of(rows).columns.size() + 6);
  EXPECT_EQ(cell(data, 1, "log2_job_allreduce_gbps"), 4.0);
  EXPECT_TRUE(std::isnan(cell(data, 1, "log2_job_allgather_gbps")));
}

TEST(MeasuredDataset, DatesOrderOnlyWhereAllAreWrittenAlike) {
  const auto whens = [](const std::string& first, const std::string& second) {
    const Dataset data =
        dataset_of("a,s," + second + ",m,,8,,,1,2,100,,,,,,ok,ok,\nb,s," + first +
                   ",m,,8,,,1,2,100,,,,,,ok,ok,\nc,s," + second + ",m,,8,,,1,2,100,,,,,,ok,ok,\n");
    return std::vector<std::int64_t>{data.jobs[0].when, data.jobs[1].when, data.jobs[2].when};
  };
  const std::vector<std::int64_t> ordered{1, 0, 1};
  const std::vector<std::int64_t> untold{0, 0, 0};
  EXPECT_EQ(whens("2024-02-29", "2024-10-01"), ordered);
  EXPECT_EQ(whens("2023-12", "2024-01"), ordered);
  EXPECT_EQ(whens("2023", "2024"), ordered);
  EXPECT_EQ(whens("2024-02-29", "2024-10"), untold);
  EXPECT_EQ(whens("2024-12/2025-01", "2024-12/2025-01"), untold);
  EXPECT_EQ(whens("", "2024-01-01"), untold);
}

TEST(MeasuredDataset, GeneratedRowsMakeItSimulated) {
  const Dataset data =
      dataset_of("a,cubicbench history,2024-01-01,m,,8,,,1,2,100,,,,,,ok,ok,104.5\n");
  EXPECT_TRUE(data.simulated);
  EXPECT_EQ(data.jobs[0].noise_free, 104.5);
}

// Whatever column is dropped or renamed, who asks the simulator about its own rows is privileged.
TEST(MeasuredDataset, AValueWithoutNoiseIsSimulatedWhateverTheSource) {
  EXPECT_TRUE(dataset_of("a,,2024-01-01,m,,8,,,1,2,100,,,,,,ok,ok,104.5\n").simulated);
  EXPECT_FALSE(dataset_of("a,,2024-01-01,m,,8,,,1,2,100,,,,,,ok,ok,\n").simulated);
}

TEST(MeasuredDataset, SaysWhyTheSimulatorHasNoAnswer) {
  const Dataset data = dataset_of("a,b,2024-01-01,m,,8,,,1,2,100,,,,,,ok,ok,\n");
  EXPECT_TRUE(std::isnan(data.physics_row(0).front()));
  EXPECT_NE(data.no_physics_reason, "");
}

TEST(MeasuredDataset, RefusesTablesWithoutJobs) {
  const auto message = [](const std::string& rows) {
    try {
      dataset_of(rows);
    } catch (const support::InputError& error) {
      return std::string(error.what());
    }
    return std::string("no problem");
  };
  EXPECT_EQ(message(""),
            "t.csv: expected runs with n_gpus, status ok or oom and quality ok or early_pp, got "
            "none");
  EXPECT_EQ(message("a,s,,m,,,,,1,2,100,,,,,,ok,ok,\nb,s,,m,,,,,1,2,,,,,,,other,ok,\n"),
            "t.csv: expected runs with n_gpus, status ok or oom and quality ok or early_pp, got "
            "none");
}

TEST(MeasuredDataset, RowsWithoutAGpuCountAreLeftOutWithANote) {
  const std::string job = "a,s,,m,,8,,,1,2,100,,,,,,ok,ok,\n";
  const std::string timed = "b,s,,m,,,,,1,2,100,,,,,,ok,ok,\n";
  const std::string oom = "c,s,,m,,,,,1,2,,,,,,,oom,ok,\n";
  const std::string other = "d,s,,m,,,,,1,2,,,,,,,other,ok,\n";  // no job anyway
  EXPECT_TRUE(dataset_of(job + other).notes.empty());
  EXPECT_EQ(
      dataset_of(job + timed).notes,
      std::vector<std::string>{"a row would be a job and has no n_gpus, line 3; it is left out"});
  const Dataset data = dataset_of(other + timed + job + oom);
  EXPECT_EQ(data.notes, std::vector<std::string>{"2 rows would be jobs and have no n_gpus, the "
                                                 "first in line 3; they are left out"});
  ASSERT_EQ(data.jobs.size(), 1U);
  EXPECT_EQ(data.jobs[0].id, "a");
}

TEST(MeasuredDataset, ARunThatSaysNeitherSpeedNorMemoryIsNoJob) {
  const std::string job = "a,s,,m,,8,,,1,2,100,,,,,,ok,ok,\n";
  const std::string silent = "b,s,,m,,8,,,1,2,,,,,,,ok,ok,\n";
  const Dataset data = dataset_of(job + silent);
  EXPECT_EQ(data.notes,
            std::vector<std::string>{"a row ended well and says neither speed nor memory, line 3; "
                                     "it is left out"});
  ASSERT_EQ(data.jobs.size(), 1U);
  EXPECT_EQ(data.left_out, 1);
}

TEST(LaunchFeatures, AreTheSameColumnsForEveryTable) {
  const Dataset data = dataset_of("a,s,,m,,8,,,1,2,100,,,,,,ok,ok,\n");
  EXPECT_EQ(data.columns, sweep().columns);
  EXPECT_EQ(data.columns, launch_columns(FeatureSet::launch));
  for (const Column& column : data.columns) {
    EXPECT_EQ(column.kind == ColumnKind::category, !column.levels.empty()) << column.name;
  }
}

TEST(MeasuredDataset, TheSweepHasTheJobsThatItShouldHave) {
  const Dataset& data = sweep();
  EXPECT_EQ(data.name, "hf_ultrascale_nanotron_sweep");
  EXPECT_EQ(timed_jobs(data).size(), 853U);
  EXPECT_EQ(fitting_jobs(data).size(), 2548U);  // 853 + 336 + 318 + 1,041
  EXPECT_EQ(std::ranges::count(data.jobs, JobStatus::out_of_memory, &Job::status), 318 + 1041);
  EXPECT_EQ(data.cells.size(), data.jobs.size() * data.columns.size());
  EXPECT_EQ(data.physics.size(), data.jobs.size() * data.physics_columns.size());
  EXPECT_FALSE(data.simulated);
  for (const Job& job : data.jobs) EXPECT_EQ(job.value.has_value(), job.status == JobStatus::ok);
}

TEST(MeasuredDataset, RepeatsOfTheSweepHaveTheSameFeatures) {
  const Dataset& data = sweep();
  std::map<std::uint64_t, std::size_t> first;
  for (std::size_t job = 0; job < data.jobs.size(); ++job) {
    const auto [at, is_new] = first.try_emplace(data.jobs[job].configuration, job);
    if (is_new) continue;
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    EXPECT_TRUE(std::ranges::equal(data.row(job), data.row(at->second), same));
  }
  EXPECT_LT(first.size(), data.jobs.size());
}

TEST(MeasuredDataset, TheSweepSplitsBetween64And128Gpus) {
  const Dataset& data = sweep();
  const Split split = split_of(data, timed_jobs(data), SplitKind::scale, 10'000, 0, "--split");
  for (const std::size_t job : split.train) EXPECT_LE(data.jobs[job].gpus, 64);
  for (const std::size_t job : split.test) EXPECT_GE(data.jobs[job].gpus, 128);
  EXPECT_EQ(split.train.size() + split.test.size(), 853U);
  EXPECT_THROW(split_of(data, timed_jobs(data), SplitKind::time, 100, 0, "--split"),
               support::InputError);
}

TEST(MeasuredDataset, ThreadsChangeNoBit) {
  const Measurements table = find_measurements("hf_ultrascale_nanotron_sweep", "DATASET");
  const Dataset one = measured_dataset(table, FeatureSet::launch, 1);
  const Dataset eight = measured_dataset(table, FeatureSet::launch, 8);
  const auto bits = [](const std::vector<double>& values) {
    std::vector<std::uint64_t> all;
    for (const double value : values) all.push_back(std::bit_cast<std::uint64_t>(value));
    return all;
  };
  EXPECT_EQ(bits(one.physics), bits(eight.physics));
  EXPECT_EQ(bits(one.cells), bits(eight.cells));
}

}  // namespace
}  // namespace cubicbench::datasets
