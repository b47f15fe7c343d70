#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/fits/calibration_plan.h"
#include "datasets/fits/collective_plan.h"
#include "datasets/fits/law_plan.h"
#include "datasets/fits/peer_result.h"
#include "datasets/mapping/mapped_recommendation.h"
#include "datasets/mapping/measured_run.h"
#include "datasets/mapping/named_parts.h"
#include "datasets/mapping/text_match.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using testing::HasSubstr;

TEST(InSamples, SaySomethingOfEveryTableAndPart) {
  std::size_t measured = 0;
  for (const NamedDataset& dataset : named_datasets()) {
    if (!dataset.measured) continue;
    ++measured;
    EXPECT_NE(find_in_sample(in_samples().sources, dataset.name), nullptr) << dataset.name;
  }
  EXPECT_EQ(in_samples().sources.size(), measured);
  for (const NamedPart& part : named_parts()) {
    EXPECT_NE(find_in_sample(in_samples().parts, part.name), nullptr) << part.name;
  }
  EXPECT_EQ(in_samples().parts.size(), named_parts().size());
  EXPECT_EQ(find_in_sample(in_samples().sources, "vtrain")->fitted, Fitted::yes);
  EXPECT_EQ(find_in_sample(in_samples().sources, "maxtext_tpu_gpu")->fitted, Fitted::no);
  EXPECT_EQ(find_in_sample(in_samples().sources, "mine"), nullptr);
}

TEST(InSamples, TablesThatCostsAreFittedToAreFitted) {
  for (const CollectivePlan& plan : collective_plans()) {
    for (const std::string& table : plan.tables) {
      const InSample* const said = find_in_sample(in_samples().sources, table);
      ASSERT_NE(said, nullptr) << table;
      EXPECT_EQ(said->fitted, Fitted::yes) << table << ", to which " << plan.of << " is fitted";
    }
  }
}

/// How many of some rows a plan of calibrations.json is fitted to.
struct RowCount {
  std::size_t fitted = 0;
  std::size_t all = 0;

  void add(bool is_fitted) {
    ++all;
    fitted += is_fitted ? 1 : 0;
  }
  Fitted flag() const {
    if (fitted == 0) return Fitted::no;
    return fitted == all ? Fitted::yes : Fitted::partly;
  }
};

/// Whether constants of the stack or device that plays a row were fitted to it. `matches`: whether
/// a selection of its table asks for it, by its cells.
template <class Matches>
bool is_fitted(const std::string& table, const scenarios::Scenario& played, Matches matches) {
  return std::ranges::any_of(calibration_plans(), [&](const CalibrationPlan& plan) {
    const bool of_stack = plan.subject == CalibrationSubject::stack;
    return plan.of == (of_stack ? played.stack_name : played.device) &&
           std::ranges::any_of(plan.rows, [&](const CalibrationRows& rows) {
             return rows.table == table && (rows.device.empty() || rows.device == played.device) &&
                    matches(rows);
           });
  });
}

/// Whether the stack that plays a row has the constants of the laws, which were fitted to it.
bool is_of_laws(const std::string& table, const MeasuredRun& run, bool mixture) {
  const std::vector<std::string>& tables = law_plan().tables;
  return !mixture && sim::counts_kernels(run.scenario.stack) &&
         std::ranges::find(tables, table) != tables.end();
}

bool is_timed(const Measurement& row) {
  return row.status == MeasurementStatus::ok && row.quality == MeasurementQuality::ok &&
         (row.step_time_s || row.tokens_per_s_per_gpu);
}

/// Rows that the simulator times, by table and by part.
struct RowCounts {
  std::map<std::string, RowCount> tables;
  std::map<std::string, RowCount> parts;
};

void count_runs(const std::string& name, RowCounts& counts) {
  for (const Measurement& row : find_measurements(name, "in_sample.json").rows) {
    const MappedRun mapped = map_run(row);
    if (!mapped.run || !is_timed(row)) continue;
    const std::vector<std::string> parts = parts_of(row, row.n_experts.value_or(0) > 1);
    const bool fitted = is_of_laws(name, *mapped.run, mapped.mixture) ||
                        is_fitted(name, mapped.run->scenario, [&](const CalibrationRows& rows) {
                          const bool in_part = rows.part.empty() ||
                                               std::ranges::find(parts, rows.part) != parts.end();
                          return in_part && contains_any_case(row.family, rows.family) &&
                                 contains_any_case(row.source, rows.source);
                        });
    counts.tables[name].add(fitted);
    for (const std::string& part : parts_of(row, mapped.mixture)) counts.parts[part].add(fitted);
  }
}

void count_results(const std::string& name, RowCounts& counts) {
  for (const auto& row : find_recommendation_measurements(name, "in_sample.json").rows) {
    const MappedRun mapped = map_recommendation(row);
    if (!mapped.run || !row.samples_per_s || !row.repeat_of_round.empty()) continue;
    counts.tables[name].add(is_fitted(name, mapped.run->scenario, [&](const CalibrationRows& rows) {
      return contains_any_case(row.source, rows.source);
    }));
  }
}

RowCounts counted_rows() {
  RowCounts counts;
  for (const NamedDataset& dataset : named_datasets()) {
    if (!dataset.measured) continue;
    const std::string name(dataset.name);
    if (dataset.kind == DatasetKind::runs) count_runs(name, counts);
    if (dataset.kind == DatasetKind::recommendation) count_results(name, counts);
  }
  return counts;
}

/// Each flag admits at least what the plans fitted, and may admit more: constants read off a table
/// by hand are in no plan.
void expect_no_less(const std::vector<InSample>& said,
                    const std::map<std::string, RowCount>& done) {
  for (const auto& [name, count] : done) {
    SCOPED_TRACE(name);
    const InSample* const entry = find_in_sample(said, name);
    ASSERT_NE(entry, nullptr);
    EXPECT_GE(static_cast<int>(entry->fitted), static_cast<int>(count.flag()))
        << "constants were fitted to " << count.fitted << " of " << count.all
        << " rows (calibrations.json), and in_sample.json says " << name_of(entry->fitted);
  }
}

TEST(InSamples, SayNoLessThanWhatCalibrationsSay) {
  const RowCounts counts = counted_rows();
  expect_no_less(in_samples().sources, counts.tables);
  expect_no_less(in_samples().parts, counts.parts);
  // Twelve results of HugeCTR; 34 of NVIDIA's examples and four of TorchRec.
  EXPECT_EQ(counts.tables.at("mlperf_dlrm_results").flag(), Fitted::yes);
  EXPECT_EQ(counts.tables.at("training_throughput").flag(), Fitted::yes);
  EXPECT_EQ(counts.tables.at("flagperf").flag(), Fitted::partly);
  // NeMo's runs stand on the laws, which were fitted to them among others.
  EXPECT_EQ(counts.tables.at("mlperf_llm_pretraining").flag(), Fitted::yes);
  EXPECT_EQ(counts.tables.at("dlperf_llm").flag(), Fitted::yes);
}

TEST(InSamples, NameEveryProblem) {
  std::string message;
  try {
    read_in_samples(R"({"schema": "cubicbench.in_sample/1",
      "sources": [{"name": "a", "fitted": "perhaps", "why": ""}], "parts": [{"name": "b"}]})",
                    "in_sample.json");
  } catch (const support::InputError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr("in_sample.json#/sources/0/fitted: expected one of no, partly, "
                                 "yes, got \"perhaps\""));
  EXPECT_THAT(message, HasSubstr("in_sample.json#/sources/0/why: expected a text, got \"\""));
  EXPECT_THAT(message, HasSubstr("in_sample.json#/parts/0/why: "));
}

}  // namespace
}  // namespace cubicbench::datasets
