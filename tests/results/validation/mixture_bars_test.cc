// How near the simulator is to the shipped runs of models with experts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/tables/measurement.h"
#include "datasets/validation/validate_tables.h"
#include "results/validation/summary.h"

namespace cubicbench::results {
namespace {

using datasets::validate_tables;

const Validation& validation() {
  static const Validation of = [] {
    std::vector<datasets::MeasuredTable> tables;
    for (const char* name : {"nvidia_megatron_bridge", "megatron_core_ci_golden",
                             "other_frameworks", "papers_and_reports"}) {
      tables.emplace_back(datasets::find_measurements(name, "the test's table"));
    }
    return validate_tables(tables, {});
  }();
  return of;
}

bool has_experts(const ValidatedRow& row) {
  return std::ranges::find(row.parts, "moe") != row.parts.end();
}

TEST(MixtureBars, RunsAreCoveredAndNear) {
  const Summary summary = summaries_of(validation()).parts.at("moe");
  EXPECT_GE(summary.n, 150);
  EXPECT_GE(summary.coverage.value(), 0.9);
  EXPECT_LE(summary.median_abs_rel_error.value(), 0.10);
  EXPECT_LE(std::abs(summary.bias.value()), 0.05);
}

TEST(MixtureBars, EveryModelOfTheVendorIsNear) {
  std::map<std::string, std::vector<double>> errors;
  for (const ValidatedRow& row : validation().rows) {
    if (!has_experts(row) || row.source != "nvidia_megatron_bridge" || !row.rel_error) continue;
    for (const char* model : {"DeepSeek", "Kimi", "GPT OSS", "Qwen3_235B", "Qwen3_30B"}) {
      if (row.group.find(model) != std::string::npos) {
        errors[model].push_back(std::abs(*row.rel_error));
      }
    }
  }
  EXPECT_EQ(errors.size(), 5U);
  for (auto& [model, of] : errors) {
    std::ranges::sort(of);
    EXPECT_LE(of[of.size() / 2], 0.10) << model << ", " << of.size() << " runs";
  }
}

}  // namespace
}  // namespace cubicbench::results
