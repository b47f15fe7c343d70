#include "datasets/jobs/job_history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "datasets/jobs/history_choice.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {
namespace {

const Measurements& default_history() {
  static const Measurements history = job_history({}, 0);
  return history;
}

double share_with(const Measurements& history, MeasurementStatus status) {
  const auto count = std::ranges::count(history.rows, status, &Measurement::status);
  return static_cast<double>(count) / static_cast<double>(history.rows.size());
}

/// Median of log2(GPUs) of the rows in [first, last).
double median_octave(const Measurements& history, std::size_t first, std::size_t last) {
  std::vector<double> octaves;
  for (std::size_t i = first; i < last; ++i) {
    octaves.push_back(std::log2(static_cast<double>(*history.rows[i].n_gpus)));
  }
  std::ranges::nth_element(octaves, octaves.begin() + std::ssize(octaves) / 2);
  return octaves[octaves.size() / 2];
}

TEST(JobHistory, HasTheJobsThatWereAskedForInTheOrderOfTheirDays) {
  const Measurements& history = default_history();
  ASSERT_EQ(history.rows.size(), 1000U);
  EXPECT_EQ(history.rows.front().date, "2024-01-01");
  EXPECT_EQ(history.rows.back().date, "2024-12-30");  // day floor(999 * 365 / 1000) of a leap year
  EXPECT_TRUE(std::ranges::is_sorted(history.rows, {}, &Measurement::date));
  std::set<std::string> ids;
  for (const Measurement& row : history.rows) ids.insert(row.id);
  EXPECT_EQ(ids.size(), 1000U);
}

TEST(JobHistory, GpuCountsSpanTheRangeAndDriftUpward) {
  const Measurements& history = default_history();
  std::int64_t least = 1 << 20;
  std::int64_t most = 0;
  for (const Measurement& row : history.rows) {
    least = std::min(least, *row.n_gpus);
    most = std::max(most, *row.n_gpus);
    EXPECT_EQ(*row.n_gpus & (*row.n_gpus - 1), 0) << row.id;
    EXPECT_EQ(*row.dp * *row.tp * *row.pp, *row.n_gpus) << row.id;
    EXPECT_EQ(*row.dp * *row.micro_batch * *row.grad_accum, *row.global_batch) << row.id;
  }
  EXPECT_EQ(least, 8);
  EXPECT_EQ(most, 16'384);
  // From a quarter to three quarters of eleven octaves, so 4 octaves between the first third's
  // middle and the last's.
  EXPECT_NEAR(median_octave(history, 667, 1000) - median_octave(history, 0, 333), 11.0 / 3.0, 1.0);
}

TEST(JobHistory, SomeJobsFailAsInLife) {
  const Measurements& history = default_history();
  EXPECT_GT(share_with(history, MeasurementStatus::ok), 0.7);
  EXPECT_GT(share_with(history, MeasurementStatus::oom), 0.03);
  EXPECT_LT(share_with(history, MeasurementStatus::oom), 0.25);
  EXPECT_GT(share_with(history, MeasurementStatus::other), 0.0);
  EXPECT_LT(share_with(history, MeasurementStatus::other), 0.1);
}

TEST(JobHistory, SaysHowFastAJobWasExactlyWhenItRan) {
  for (const Measurement& row : default_history().rows) {
    const bool ok = row.status == MeasurementStatus::ok;
    ASSERT_EQ(row.tokens_per_s_per_gpu.has_value(), ok) << row.id;
    ASSERT_EQ(row.step_time_s.has_value(), ok) << row.id;
    if (!ok || !row.noise_free_tokens_per_s_per_gpu) continue;
    // Noise, centred: single runs scatter by an eighth or so either way.
    EXPECT_NEAR(*row.tokens_per_s_per_gpu / *row.noise_free_tokens_per_s_per_gpu, 1.0, 0.25)
        << row.id;
  }
}

TEST(JobHistory, PeopleChooseDifferently) {
  std::set<std::string> layouts;
  std::set<std::string> models;
  for (const Measurement& row : default_history().rows) {
    models.insert(row.model);
    layouts.insert(row.model + "/" + std::to_string(*row.tp) + "/" + std::to_string(*row.pp) + "/" +
                   std::to_string(*row.micro_batch) + "/" + row.sharding + "/" + row.recompute);
  }
  EXPECT_EQ(models.size(), 7U);
  EXPECT_GT(layouts.size(), 300U);
}

TEST(JobHistory, IsAFunctionOfItsOptionsAlone) {
  const HistoryOptions options{.jobs = 60, .days = 30, .gpus_min = 8, .gpus_max = 256, .seed = 5};
  const std::string once = measurements_csv(job_history(options, 1));
  EXPECT_EQ(once, measurements_csv(job_history(options, 4)));
  HistoryOptions other = options;
  other.seed = 6;
  EXPECT_NE(once, measurements_csv(job_history(other, 1)));
}

TEST(JobHistory, OfOneClusterSizeHasNoOther) {
  const Measurements history =
      job_history({.jobs = 20, .days = 1, .gpus_min = 64, .gpus_max = 64, .seed = 1}, 1);
  for (const Measurement& row : history.rows) {
    EXPECT_EQ(*row.n_gpus, 64);
    EXPECT_EQ(row.date, "2024-01-01");
  }
}

TEST(JobHistory, ReadsBackAsItWasWritten) {
  const Measurements& history = default_history();
  const Measurements read = read_measurements(measurements_csv(history), "history.csv");
  ASSERT_EQ(read.rows.size(), history.rows.size());
  EXPECT_EQ(measurements_csv(read), measurements_csv(history));
}

TEST(JobHistory, SecondThoughtsAreOtherThoughts) {
  const HistoryOptions options;
  const auto layout = [&](std::uint32_t attempt) {
    Measurements one{.file = "", .name = "", .rows = {chosen_job(options, 17, attempt)}};
    return measurements_csv(one);
  };
  EXPECT_EQ(layout(0), layout(0));
  EXPECT_NE(layout(0), layout(1));
}

/// Of every layout: the noise-free and the measured rates of the jobs that had it.
struct Rates {
  std::set<double> noise_free;
  std::vector<double> measured;
};

/// A history of one day has one release of the software; few GPUs leave people few choices.
std::map<std::string, Rates> rates_by_layout(std::uint64_t seed) {
  const Measurements history =
      job_history({.jobs = 300, .days = 1, .gpus_min = 8, .gpus_max = 8, .seed = seed}, 0);
  std::map<std::string, Rates> rates;
  for (const Measurement& row : history.rows) {
    if (!row.noise_free_tokens_per_s_per_gpu) continue;
    Measurement launch = row;
    launch.id.clear();
    launch.step_time_s.reset();
    launch.tokens_per_s_per_gpu.reset();
    launch.noise_free_tokens_per_s_per_gpu.reset();
    launch.peak_mem_gib.reset();
    launch.line = 0;
    Rates& of_layout = rates[measurements_csv({.file = "", .name = "", .rows = {launch}})];
    of_layout.noise_free.insert(*row.noise_free_tokens_per_s_per_gpu);
    of_layout.measured.push_back(*row.tokens_per_s_per_gpu);
  }
  return rates;
}

TEST(JobHistory, EqualLayoutsOfOneReleaseDifferByNoiseAlone) {
  std::size_t repeated = 0;
  for (const auto& [layout, rates] : rates_by_layout(3)) {
    EXPECT_EQ(rates.noise_free.size(), 1U) << layout;
    if (rates.measured.size() < 2) continue;
    ++repeated;
    EXPECT_EQ(std::set<double>(rates.measured.begin(), rates.measured.end()).size(),
              rates.measured.size())
        << layout;
  }
  EXPECT_GE(repeated, 10U);
}

TEST(JobHistory, AnotherSeedIsAnotherCluster) {
  const std::map<std::string, Rates> other = rates_by_layout(4);
  std::size_t shared = 0;
  for (const auto& [layout, rates] : rates_by_layout(3)) {
    const auto found = other.find(layout);
    if (found == other.end()) continue;
    ++shared;
    EXPECT_NE(rates.noise_free, found->second.noise_free) << layout;
  }
  EXPECT_GE(shared, 10U);
}

}  // namespace
}  // namespace cubicbench::datasets
