#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/validation/summary.h"
#include "results/validation/validation_document.h"
#include "tests/datasets/validation/made_rows.h"

namespace cubicbench::results {
namespace {

using datasets::memory_row;
using datasets::row_with_error;
using datasets::RowKind;
using datasets::skipped_row;
using Json = nlohmann::ordered_json;
using Keys = std::vector<std::string>;

Keys keys_of(const Json& object) {
  Keys keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

/// Those of `object` that are among `asked`, in its order: a summary may have more figures than the
/// contract names.
Keys keys_among(const Json& object, const Keys& asked) {
  Keys keys = keys_of(object);
  std::erase_if(
      keys, [&](const std::string& key) { return std::ranges::find(asked, key) == asked.end(); });
  return keys;
}

Json json_of(const Validation& validation) {
  return validation_json(validation, summaries_of(validation));
}

ValidatedRow collective_row() {
  ValidatedRow row = row_with_error("nccl", "a system", -0.5);
  row.kind = RowKind::collective;
  row.system = "a system";
  row.collective = "all_reduce";
  row.gpus = 16;
  row.size_bytes = 1024.0;
  return row;
}

/// A run, one that hung, one that failed for memory, a collective, and one that was skipped.
Validation small() {
  Validation validation;
  ValidatedRow run = row_with_error("runs", "x", 0.25);
  run.id = "runs:2";
  run.parts = {"sc21"};
  run.memory.peak_measured = 10.0;
  run.memory.peak_simulated = 12.0;
  run.memory.kind = "reserved";
  run.assumed = {"network", "sp"};
  ValidatedRow hung = row_with_error("runs", "x", -0.75);
  hung.id = "runs:3";
  ValidatedRow failed = memory_row(true, 90.0, 80.0);
  failed.id = "runs:4";
  failed.source = "runs";
  failed.family = "x";
  validation.rows = {run, hung, failed, collective_row()};
  validation.skipped = {
      skipped_row("runs:5", "runs", "the plan cannot be laid out: tensor_parallel is 7"),
      skipped_row("runs:6", "runs", "the plan cannot be laid out: tensor_parallel is 5"),
      skipped_row("runs:7", "runs", "needs mixture_of_experts", "y")};
  validation.skipped.back().parts = {"moe"};
  validation.excluded = {.rows = {0, 3, 4, 1, 2, 1500, 0}};
  return validation;
}

TEST(ValidationJson, HasTheKeysOfTheContractInItsOrder) {
  const Json json = json_of(small());
  EXPECT_EQ(keys_of(json), (Keys{"schema", "version", "rows", "skipped", "excluded", "summary",
                                 "sources", "by_part", "by_family", "hung", "crossovers"}));
  EXPECT_EQ(json["schema"], "cubicbench.validate/1");
  const Keys of_a_run{"id",
                      "source",
                      "family",
                      "file",
                      "n_experts",
                      "group",
                      "status_measured",
                      "status_simulated",
                      "step_time_s_measured",
                      "step_time_s_simulated",
                      "throughput_measured",
                      "throughput_simulated",
                      "rel_error",
                      "peak_mem_gib_measured",
                      "peak_mem_gib_simulated",
                      "mem_kind",
                      "mem_rank",
                      "static_gib_measured",
                      "static_gib_simulated",
                      "memory_demand_gib",
                      "memory_limit_gib",
                      "assumed"};
  EXPECT_EQ(keys_of(json["rows"][0]), of_a_run);
  Keys of_a_collective = of_a_run;
  for (const char* key : {"system", "collective", "n_gpus", "size_bytes"}) {
    of_a_collective.emplace_back(key);
  }
  EXPECT_EQ(keys_of(json["rows"][3]), of_a_collective);
  const Keys of_a_summary{"n",
                          "coverage",
                          "families",
                          "median_abs_rel_error",
                          "mean_abs_rel_error",
                          "p90_abs_rel_error",
                          "bias",
                          "median_family_abs_rel_error",
                          "median_source_abs_rel_error",
                          "family_kendall_median",
                          "families_ranked",
                          "pair_kendall_5pct",
                          "group_top1_share",
                          "group_top1_ratio",
                          "oom",
                          "memory",
                          "static",
                          "n_hung"};
  EXPECT_EQ(keys_among(json["sources"]["runs"], of_a_summary), of_a_summary);
  EXPECT_EQ(keys_among(json["by_part"]["moe"], of_a_summary), of_a_summary);
  EXPECT_EQ(keys_among(json["by_family"]["y"], of_a_summary), of_a_summary);
  EXPECT_FALSE(json["sources"]["runs"].contains("by_size"));
  EXPECT_FALSE(json["sources"]["runs"].contains("rows"));
  Keys with_sizes = of_a_summary;
  with_sizes.emplace_back("by_size");
  with_sizes.emplace_back("by_size_p90");
  EXPECT_EQ(keys_among(json["summary"], with_sizes), with_sizes);
  EXPECT_EQ(keys_of(json["summary"]["oom"]),
            (Keys{"tp", "fp", "tn", "fn", "balanced_accuracy", "auroc", "ladder_edges"}));
  EXPECT_EQ(keys_of(json["summary"]["static"]),
            (Keys{"n", "median_abs_rel_error", "p90_abs_rel_error"}));
}

TEST(ValidationJson, SaysWhatTheRowsSay) {
  const Json json = json_of(small());
  const Json& run = json["rows"][0];
  EXPECT_EQ(run["id"], "runs:2");
  EXPECT_EQ(run["file"], "runs.csv");
  EXPECT_EQ(run["status_measured"], "ok");
  EXPECT_EQ(run["status_simulated"], "ok");
  EXPECT_EQ(run["step_time_s_simulated"], 1.25);
  EXPECT_EQ(run["rel_error"], 0.25);
  EXPECT_EQ(run["mem_kind"], "reserved");
  EXPECT_EQ(run["mem_rank"], nullptr);
  EXPECT_EQ(run["n_experts"], nullptr);
  EXPECT_EQ(run["assumed"], (Json{"network", "sp"}));
  const Json& failed = json["rows"][2];
  EXPECT_EQ(failed["status_measured"], "oom");
  EXPECT_EQ(failed["status_simulated"], "oom_late");
  EXPECT_EQ(failed["rel_error"], nullptr);
  EXPECT_EQ(failed["memory_demand_gib"], 90.0);
  EXPECT_EQ(json["rows"][3]["size_bytes"].dump(), "1024");
  EXPECT_EQ(json["rows"][3]["n_gpus"], 16);
  EXPECT_EQ(json["skipped"][2], (Json{{"id", "runs:7"}, {"reason", "needs mixture_of_experts"}}));
  EXPECT_EQ(
      json["excluded"],
      (Json{{"flag", 1}, {"untuned", 2}, {"requirement", 3}, {"other", 4}, {"duplicate", 1500}}));
  EXPECT_EQ(json["hung"], (Json::array({{{"id", "runs:3"}, {"ratio", 4.0}}})));
  EXPECT_EQ(json["sources"]["runs"]["n_hung"], 1);
  EXPECT_EQ(json["sources"]["runs"]["coverage"], 0.5);
  EXPECT_EQ(json["sources"]["runs"]["oom"]["tp"], 1);
  EXPECT_EQ(json["sources"]["runs"]["memory"]["median_abs_rel_error"], 0.2);
  EXPECT_EQ(json["sources"]["nccl"]["by_size"],
            (Json{{"<1MiB", 0.5}, {"1-64MiB", nullptr}, {">=64MiB", nullptr}}));
  EXPECT_EQ(json["by_part"]["moe"]["n"], 0);
  EXPECT_EQ(json["by_part"]["moe"]["coverage"], 0.0);
}

TEST(ValidationJson, CrossoversStandInMebibytes) {
  constexpr double mebibyte = 0x1p20;
  Validation validation;
  for (double size = 1024.0; size <= 1024.0 * mebibyte; size *= 2.0) {
    // 10 us + S / 1 GB/s and (10 us + 1 MiB / 1 GB/s) + S / 1 TB/s meet near 1 MiB.
    const double time = std::min(1e-5 + size / 1e9, 1e-5 + mebibyte * 0.999e-9 + size / 1e12);
    ValidatedRow row = collective_row();
    row.size_bytes = size;
    row.step_time_measured = time;
    row.step_time_simulated = size / 1e9;
    validation.rows.push_back(row);
  }
  const Json of = json_of(validation)["crossovers"];
  EXPECT_EQ(keys_of(of), (Keys{"n", "share_within_factor_3", "median_factor", "curves"}));
  EXPECT_EQ(of["n"], 1);
  EXPECT_EQ(of["share_within_factor_3"], 0.0);
  EXPECT_EQ(of["median_factor"], nullptr);
  EXPECT_NEAR(of["curves"][0]["measured_mib"], 1.0, 1e-6);
  EXPECT_EQ(of["curves"][0]["simulated_mib"], nullptr);
  EXPECT_FALSE(json_of({}).contains("crossovers"));
}

TEST(ValidationJson, FiguresWithoutRowsAreNull) {
  const Json json = json_of({});
  EXPECT_EQ(json["rows"], Json::array());
  EXPECT_EQ(json["sources"], Json::object());
  EXPECT_EQ(json["summary"]["n"], 0);
  for (const char* key : {"coverage", "median_abs_rel_error", "bias", "family_kendall_median",
                          "pair_kendall_5pct", "group_top1_ratio"}) {
    EXPECT_EQ(json["summary"][key], nullptr) << key;
  }
  EXPECT_EQ(json["summary"]["oom"]["balanced_accuracy"], nullptr);
  EXPECT_EQ(json["summary"]["memory"],
            (Json{{"n", 0}, {"median_abs_rel_error", nullptr}, {"p90_abs_rel_error", nullptr}}));
}

TEST(ValidationJson, WhatIsNotFiniteIsNull) {
  Validation validation;
  validation.rows = {row_with_error("a", "x", std::numeric_limits<double>::infinity())};
  const Json json = json_of(validation);
  EXPECT_EQ(json["rows"][0]["rel_error"], nullptr);
  EXPECT_EQ(json["summary"]["mean_abs_rel_error"], nullptr);
  EXPECT_EQ(json["summary"]["n"], 1);
}

}  // namespace
}  // namespace cubicbench::results
