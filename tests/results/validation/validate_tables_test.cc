#include "datasets/validation/validate_tables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_run.h"
#include "results/validation/summary.h"
#include "results/validation/validation_document.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/evaluation/stage_replay.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using datasets::Exclusion;
using datasets::Measurement;
using datasets::MeasurementQuality;
using datasets::Measurements;
using datasets::MeasurementStatus;
using datasets::RowKind;
using datasets::validate_tables;
using datasets::WantedRows;

const Measurements& sweep() {
  static const Measurements read =
      datasets::find_measurements("hf_ultrascale_nanotron_sweep", "the test's table");
  return read;
}

/// A run of 1.34 B parameters on one node that ended, and was timed.
const Measurement& first_run() {
  const auto found = std::ranges::find(sweep().rows, "hfusp-0001", &Measurement::id);
  EXPECT_NE(found, sweep().rows.end());
  return *found;
}

Validation validate(const std::vector<Measurement>& rows, const WantedRows& wanted = {},
                    int threads = 1) {
  const std::vector<datasets::MeasuredTable> tables{
      Measurements{.file = "some/folder/runs.csv", .name = "runs", .rows = rows}};
  return validate_tables(tables, wanted, threads);
}

ValidatedRow validated(const Measurement& row) {
  const Validation validation = validate({row});
  EXPECT_EQ(validation.rows.size(), 1U);
  return validation.rows.empty() ? ValidatedRow{} : validation.rows.front();
}

const std::vector<std::string> of_nanotron{"nanotron", "all-but-bloom"};

TEST(ValidateTables, RowsSayWhereTheyStandAndWhatTheyAre) {
  Measurement row = first_run();
  row.n_experts = 1;
  const ValidatedRow of = validated(row);
  EXPECT_EQ(of.kind, RowKind::run);
  EXPECT_EQ(of.id, "hfusp-0001");
  EXPECT_EQ(of.source, "runs");
  EXPECT_EQ(of.file, "runs.csv");
  EXPECT_EQ(of.family, row.family);
  EXPECT_EQ(of.group, row.family + " | " + row.model + " | h100-sxm-80gb | 8 | 4096 | bf16");
  EXPECT_EQ(of.n_experts, 1);
  EXPECT_EQ(of.micro_batch, 2);
  EXPECT_EQ(of.parts, of_nanotron);
  EXPECT_EQ(of.assumed, datasets::map_run(row).run->assumed);
}

TEST(ValidateTables, ATableInTheProgramHasAFileToo) {
  const std::vector<datasets::MeasuredTable> tables{
      Measurements{.file = "sweep", .name = "sweep", .rows = {first_run()}}};
  const Validation validation = validate_tables(tables, {}, 1);
  ASSERT_EQ(validation.rows.size(), 1U);
  EXPECT_EQ(validation.rows[0].file, "sweep.csv");
  EXPECT_EQ(validation.rows[0].source, "sweep");
}

TEST(ValidateTables, TimesAreOfTheSameTokensAndTheSameGpus) {
  Measurement row = first_run();  // 256 sequences of 4,096 tokens on 8 GPUs
  row.step_time_s.reset();
  row.tokens_per_s_per_gpu = 10'000.0;
  const auto mapped = datasets::map_run(row);
  ASSERT_TRUE(mapped.run);
  sim::Workspace workspace;
  const double step =
      scenarios::evaluate(mapped.run->scenario, mapped.run->scenario.baseline, workspace)
          .step.value;
  const double measured = 256.0 * 4096.0 / (8.0 * 10'000.0);
  ValidatedRow of = validated(row);
  EXPECT_EQ(of.status_simulated, sim::StepStatus::ok);
  EXPECT_NEAR(*of.step_time_measured, measured, 1e-9);
  EXPECT_EQ(*of.step_time_simulated, step);
  EXPECT_EQ(*of.throughput_measured, 10'000.0);
  EXPECT_NEAR(*of.throughput_simulated, 256.0 * 4096.0 / (8.0 * step), 1e-6);
  EXPECT_NEAR(*of.rel_error, step / measured - 1.0, 1e-12);
  double parts = 0.0;
  for (const sim::Seconds part : of.breakdown) parts += part.value;
  EXPECT_NEAR(parts, step, 1e-9);

  row.tokens_per_s_per_gpu.reset();  // a step time says the same
  row.step_time_s = measured;
  of = validated(row);
  EXPECT_EQ(*of.step_time_measured, measured);
  EXPECT_NEAR(*of.throughput_measured, 10'000.0, 1e-9);
  EXPECT_NEAR(*of.rel_error, step / measured - 1.0, 1e-12);
}

TEST(ValidateTables, AStepOfAResultIsThatOfItsWholeBatch) {
  datasets::RecommendationMeasurement result;
  result.id = "r";
  result.model = "DLRM T3";
  result.framework = "NVIDIA example";
  result.accelerator = "A100-80GB";
  result.n_accel = 8;
  result.global_batch = 65'536 + 4;  // 8,192 on each of 8, and four more
  result.samples_per_s = 1e7;
  const std::vector<datasets::MeasuredTable> tables{
      datasets::RecommendationMeasurements{.file = "r.csv", .name = "r", .rows = {result}}};
  const Validation validation = validate_tables(tables, {}, 1);
  ASSERT_EQ(validation.rows.size(), 1U);
  const ValidatedRow& row = validation.rows[0];
  EXPECT_DOUBLE_EQ(*row.step_time_measured, 65'540.0 / 1e7);
  EXPECT_EQ(row.throughput_measured, 1e7);
  EXPECT_DOUBLE_EQ(*row.throughput_simulated, 65'536.0 / *row.step_time_simulated);
  EXPECT_EQ(std::ranges::count(row.assumed, "global_batch"), 1);
}

TEST(ValidateTables, ABatchThatCannotBeLaidOutGivesWayToTheProduct) {
  Measurement row = first_run();
  row.dp = 8;
  row.tp = row.pp = 1;
  row.micro_batch = 2;
  row.grad_accum = 16;
  row.global_batch = 257;  // of which 8 x 2 x 16 = 256 are simulated
  row.step_time_s.reset();
  row.tokens_per_s_per_gpu = 10'000.0;
  ValidatedRow of = validated(row);
  EXPECT_DOUBLE_EQ(*of.step_time_measured, 256.0 * 4096.0 / (8.0 * 10'000.0));
  EXPECT_EQ(std::ranges::count(of.assumed, "global_batch"), 1);
  const double simulated = *of.step_time_simulated;
  row.step_time_s = 12.5;  // is taken as it is
  row.tokens_per_s_per_gpu.reset();
  of = validated(row);
  EXPECT_EQ(of.step_time_measured, 12.5);
  EXPECT_EQ(of.step_time_simulated, simulated);
  EXPECT_EQ(std::ranges::count(of.assumed, "global_batch"), 1);
}

TEST(ValidateTables, AStepTimeNeedsNoGlobalBatch) {
  Measurement row = first_run();
  row.dp = 8;
  row.tp = row.pp = 1;
  row.micro_batch = 2;
  row.grad_accum = 16;
  row.global_batch.reset();
  row.step_time_s = 12.5;
  row.tokens_per_s_per_gpu.reset();
  const ValidatedRow of = validated(row);
  EXPECT_EQ(of.step_time_measured, 12.5);
  EXPECT_DOUBLE_EQ(*of.throughput_measured, 256.0 * 4096.0 / (8.0 * 12.5));
  EXPECT_DOUBLE_EQ(*of.rel_error, *of.step_time_simulated / 12.5 - 1.0);
  EXPECT_EQ(std::ranges::count(of.assumed, "global_batch"), 1);
}

TEST(ValidateTables, ATimeBeyondAllNumbersIsNoTime) {
  Measurement instant = first_run();
  instant.step_time_s = 1e-320;  // the simulator is wrong by more than any number
  instant.tokens_per_s_per_gpu.reset();
  Measurement endless = first_run();
  endless.step_time_s.reset();
  endless.tokens_per_s_per_gpu = 1e-320;
  const Validation validation = validate({instant, endless, first_run()});
  ASSERT_EQ(validation.rows.size(), 3U);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(validation.rows[i].rel_error, std::nullopt);
    EXPECT_EQ(validation.rows[i].step_time_measured, std::nullopt);
    EXPECT_EQ(validation.rows[i].throughput_measured, std::nullopt);
  }
  const Summary summary = summaries_of(validation).overall;
  EXPECT_EQ(summary.n, 1);
  EXPECT_EQ(summary.mean_abs_rel_error, summary.median_abs_rel_error);

  datasets::CollectiveMeasurement sweep;
  sweep.gpu = "H100";
  sweep.n_gpus = 8;
  sweep.collective = "all_reduce";
  sweep.size_bytes = 1e6;
  std::vector<datasets::CollectiveMeasurement> sizes(3, sweep);
  sizes[0].time_us = 1e-320;
  sizes[1].algbw_gbps = 1e-320;
  sizes[2].time_us = 50.0;
  const std::vector<datasets::MeasuredTable> tables{
      datasets::CollectiveMeasurements{.file = "c.csv", .name = "c", .rows = sizes}};
  const Validation collectives = validate_tables(tables, {}, 1);
  ASSERT_EQ(collectives.rows.size(), 3U);
  EXPECT_EQ(collectives.rows[0].step_time_measured, std::nullopt);
  EXPECT_EQ(collectives.rows[1].step_time_measured, std::nullopt);
  EXPECT_EQ(summaries_of(collectives).overall.n, 1);
}

TEST(ValidateTables, WhatIsNotTimedHasNoTimes) {
  Measurement early = first_run();
  early.quality = MeasurementQuality::early_pp;
  Measurement failed = first_run();
  failed.status = MeasurementStatus::oom;
  Measurement silent = first_run();
  silent.step_time_s.reset();
  silent.tokens_per_s_per_gpu.reset();
  const Validation validation = validate({early, failed, silent});
  ASSERT_EQ(validation.rows.size(), 3U);
  for (const ValidatedRow& row : validation.rows) {
    EXPECT_EQ(row.step_time_measured, std::nullopt);
    EXPECT_EQ(row.step_time_simulated, std::nullopt);
    EXPECT_EQ(row.throughput_measured, std::nullopt);
    EXPECT_EQ(row.rel_error, std::nullopt);
    EXPECT_TRUE(row.memory.demand);  // but a verdict
  }
  EXPECT_EQ(summaries_of(validation).overall.oom.tn, 2);
  EXPECT_EQ(summaries_of(validation).overall.oom.fn, 1);
}

TEST(ValidateTables, ARunThatEndedIsTimedWhereTheSimulatorHasNoRoomForIt) {
  Measurement row = first_run();
  row.micro_batch = 32;  // 32 GiB of logits alone: 32 x 4096 tokens x 131,072 words
  const ValidatedRow of = validated(row);
  EXPECT_EQ(of.status_simulated, sim::StepStatus::oom_late);
  EXPECT_GT(*of.memory.demand, *of.memory.limit);
  ASSERT_TRUE(of.step_time_simulated);
  EXPECT_GT(*of.step_time_simulated, 0.0);
}

ValidatedRow played(const Measurement& row, const datasets::Played& as) {
  const std::vector<datasets::MeasuredTable> tables{
      Measurements{.file = "runs.csv", .name = "runs", .rows = {row}}};
  const Validation validation = validate_tables(tables, {}, 1, as);
  EXPECT_EQ(validation.rows.size(), 1U);
  return validation.rows.empty() ? ValidatedRow{} : validation.rows.front();
}

TEST(ValidateTables, OneStackPlaysEveryRunInItsOwnLayout) {
  const datasets::Library& shipped = datasets::library();
  const sim::Stack& megatron = shipped.stacks.at("megatron-core-2025");
  const datasets::Library one = datasets::played_by(megatron);
  EXPECT_EQ(one.stacks.size(), shipped.stacks.size());
  for (const auto& [name, stack] : one.stacks) EXPECT_EQ(stack, megatron) << name;
  const ValidatedRow as_fitted = validated(first_run());
  const ValidatedRow by_one =
      played(first_run(),
             {.among = [&](const auto&, const auto&) -> const datasets::Library& { return one; }});
  EXPECT_NE(by_one.step_time_simulated, as_fitted.step_time_simulated);
  EXPECT_EQ(by_one.step_time_measured, as_fitted.step_time_measured);
  EXPECT_EQ(by_one.assumed, as_fitted.assumed);
}

TEST(ValidateTables, AnUnnamedRunFallsToAGenericStackAndStaysWhereItWas) {
  const ValidatedRow as_fitted = validated(first_run());
  const ValidatedRow unnamed = played(first_run(), {.unnamed = true});
  EXPECT_EQ(std::ranges::count(unnamed.assumed, "stack"), 1);
  EXPECT_EQ(std::ranges::count(unnamed.assumed, "stack=megatron"), 1);
  EXPECT_EQ(std::ranges::count(as_fitted.assumed, "stack"), 0);
  EXPECT_EQ(unnamed.parts, as_fitted.parts);  // whoever it is, its row is nanotron's
  EXPECT_EQ(unnamed.group, as_fitted.group);
  EXPECT_NE(unnamed.step_time_simulated, as_fitted.step_time_simulated);
}

TEST(ValidateTables, NothingIsSaidOfMemoryWhereNoStackSaysWhatIsKept) {
  Measurement row = first_run();
  row.framework = "MaxText";
  row.stack = "maxtext";
  row.micro_batch = 32;  // which fits nowhere
  const ValidatedRow of = validated(row);
  EXPECT_FALSE(of.memory.judged);
  EXPECT_EQ(of.memory.demand, std::nullopt);
  EXPECT_EQ(of.memory.peak_measured, std::nullopt);
  EXPECT_EQ(of.status_simulated, sim::StepStatus::ok);
  EXPECT_EQ(of.ladder, "");
  EXPECT_TRUE(of.step_time_simulated);
  const std::vector<ValidatedRow> rows{of};
  const Summary summary = summary_of(datasets::all_rows(rows));
  EXPECT_EQ(summary.n, 1);
  EXPECT_FALSE(summary.oom.any());
}

TEST(ValidateTables, NamedQualitiesAreTimed) {
  Measurement row = first_run();
  row.quality = MeasurementQuality::untuned;
  EXPECT_TRUE(validate({row}).rows.empty());
  EXPECT_EQ(validate({row}).excluded[Exclusion::untuned], 1);
  WantedRows wanted;
  wanted.qualities.insert(MeasurementQuality::untuned);
  const Validation validation = validate({row}, wanted);
  ASSERT_EQ(validation.rows.size(), 1U);
  EXPECT_TRUE(validation.rows[0].rel_error);
  EXPECT_EQ(validation.excluded[Exclusion::untuned], 0);
}

TEST(ValidateTables, MemoryIsOfTheKindAndTheStageThatTheSourceLogs) {
  Measurement row = first_run();
  row.dp = 2;
  row.tp = 1;
  row.pp = 4;
  row.micro_batch = 1;
  row.grad_accum = 128;
  row.global_batch = 256;
  row.peak_mem_gib = 40.0;
  row.peak_alloc_gib = 20.0;
  const auto mapped = datasets::map_run(row);
  ASSERT_TRUE(mapped.run);
  const scenarios::Scenario& scenario = mapped.run->scenario;
  sim::Workspace workspace;
  scenarios::evaluate(scenario, scenario.baseline, workspace);
  const auto stage = [&](sim::StageChoice choice) {
    return scenarios::stage_memory(scenario, scenario.baseline, choice, workspace);
  };
  constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
  struct Case {
    const char* kind;
    const char* rank;
    double expected;
  };
  const auto replayed = [&](sim::StageChoice choice) {
    return scenarios::replayed_stage_memory(scenario, scenario.baseline, choice,
                                            scenarios::StageExchange::runs_ahead, workspace);
  };
  for (const Case& c : {Case{"reserved", "first", replayed(sim::StageChoice::first).reserved.value},
                        Case{"reserved", "last", replayed(sim::StageChoice::last).reserved.value},
                        Case{"allocated", "last", stage(sim::StageChoice::last).allocated.value},
                        Case{"device", "", stage(sim::StageChoice::largest).device.value}}) {
    SCOPED_TRACE(c.kind);
    SCOPED_TRACE(c.rank);
    row.mem_kind = c.kind;
    row.mem_rank = c.rank;
    const datasets::ValidatedMemory memory = validated(row).memory;
    EXPECT_EQ(memory.peak_measured, 40.0);
    EXPECT_EQ(memory.peak_simulated, c.expected / gibibyte);
    EXPECT_EQ(memory.kind, c.kind);
    EXPECT_EQ(memory.rank, c.rank);
    EXPECT_EQ(memory.static_measured, 20.0);
  }
  row.mem_kind = "reserved";
  row.mem_rank = "first";
  EXPECT_EQ(validated(row).memory.static_simulated,
            stage(sim::StageChoice::first).static_state.value / gibibyte);
  row.mem_kind = "";  // nobody knows what was counted
  EXPECT_EQ(validated(row).memory.peak_simulated, std::nullopt);
}

TEST(ValidateTables, WhatCannotBeSimulatedIsSkippedWithItsReason) {
  Measurement experts = first_run();
  experts.id = "experts";
  experts.n_experts = 8;
  Measurement uneven = first_run();
  uneven.id = "uneven";
  uneven.tp = 3;
  uneven.dp.reset();
  const Validation validation = validate({experts, uneven});
  EXPECT_TRUE(validation.rows.empty());
  ASSERT_EQ(validation.skipped.size(), 2U);
  EXPECT_EQ(validation.skipped[0].id, "experts");
  EXPECT_EQ(validation.skipped[0].source, "runs");
  EXPECT_EQ(validation.skipped[0].family, experts.family);
  EXPECT_EQ(validation.skipped[0].reason, "top_k is empty and no default fills it");
  EXPECT_EQ(validation.skipped[0].parts, (std::vector<std::string>{"moe", "all-but-bloom"}));
  EXPECT_EQ(validation.skipped[1].id, "uneven");
  EXPECT_TRUE(validation.skipped[1].reason.starts_with("the plan cannot be laid out: "));
  EXPECT_EQ(validation.skipped[1].parts, of_nanotron);
}

TEST(ValidateTables, EveryRowEndsInOneList) {
  const Validation validation = validate(sweep().rows);
  const datasets::ExcludedRows& excluded = validation.excluded;
  EXPECT_EQ(
      validation.rows.size() + validation.skipped.size() +
          static_cast<std::size_t>(excluded[Exclusion::flag] + excluded[Exclusion::untuned] +
                                   excluded[Exclusion::requirement] + excluded[Exclusion::other] +
                                   excluded[Exclusion::duplicate]),
      sweep().rows.size());
  // Counted in the file: 327 failed otherwise, and of the others 18 are flagged.
  EXPECT_EQ(excluded[Exclusion::other], 327);
  EXPECT_EQ(excluded[Exclusion::flag], 18);
  EXPECT_EQ(excluded[Exclusion::duplicate], 0);
  const auto timed = std::ranges::count_if(
      validation.rows, [](const ValidatedRow& row) { return row.rel_error.has_value(); });
  EXPECT_EQ(timed, 852);  // of 853 clean ones; one has more stages than layers
  EXPECT_EQ(summaries_of(validation).overall.n, timed);
  std::set<std::string> early;
  for (const Measurement& row : sweep().rows) {
    if (row.quality == MeasurementQuality::early_pp) early.insert(row.id);
  }
  EXPECT_FALSE(early.empty());
  for (const ValidatedRow& row : validation.rows) {
    EXPECT_FALSE(early.contains(row.id) && row.rel_error) << row.id;
  }
}

TEST(ValidateTables, TheSweepHasTheLaddersThatOthersCounted) {
  // 181 of them hold both outcomes, and in none a larger micro-batch fits where a smaller fails.
  const Validation validation = validate(sweep().rows);
  struct Ends {
    std::int64_t largest_success = 0;
    std::int64_t smallest_failure = 1'000'000;
  };
  std::map<std::string, Ends> ladders;
  for (const ValidatedRow& row : validation.rows) {
    Ends& ends = ladders[row.ladder];
    if (row.status_measured == MeasurementStatus::oom) {
      ends.smallest_failure = std::min(ends.smallest_failure, row.micro_batch);
    } else {
      ends.largest_success = std::max(ends.largest_success, row.micro_batch);
    }
  }
  std::int64_t with_both = 0;
  for (const auto& [name, ends] : ladders) {
    if (ends.largest_success == 0 || ends.smallest_failure == 1'000'000) continue;
    ++with_both;
    EXPECT_LT(ends.largest_success, ends.smallest_failure) << name;
  }
  EXPECT_EQ(with_both, 181);
}

TEST(ValidateTables, ThreadsChangeNoByte) {
  std::vector<Measurement> rows(sweep().rows.begin(), sweep().rows.begin() + 300);
  const auto text = [&](int threads) {
    const Validation validation = validate(rows, {}, threads);
    return support::document_text(validation_json(validation, summaries_of(validation)));
  };
  const std::string alone = text(1);
  EXPECT_EQ(text(2), alone);
  EXPECT_EQ(text(8), alone);
}

}  // namespace
}  // namespace cubicbench::results
