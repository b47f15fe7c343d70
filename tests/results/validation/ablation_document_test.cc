#include "results/validation/ablation_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/results/validation/document_parts.h"

namespace cubicbench::results {
namespace {

using predictor::AblatedRuns;
using predictor::Ablation;
using predictor::ablation_of;
using predictor::FittedPlan;
using predictor::TermErrors;
using testing::ElementsAre;
using testing::HasSubstr;

TermErrors without(const char* name, bool in_runs, double median, double p90) {
  TermErrors errors{.term = name == nullptr ? nullptr : predictor::find_step_term(name),
                    .in_runs = in_runs};
  errors.median_abs_rel_error = median;
  errors.p90_abs_rel_error = p90;
  errors.ranks.kendall_median = 0.8;
  return errors;
}

const char* const dash = "\xE2\x80\x93";

FittedPlan plan(const std::string& name, std::size_t models, double left_out) {
  FittedPlan plan{
      .name = name, .of = "megatron-2021", .constants_of_subject = 2, .calibration = {}};
  plan.calibration.rows = 12;
  plan.calibration.models = models;
  plan.calibration.error_before = 0.2;
  plan.calibration.error_after = 0.04;
  if (models > 1) plan.calibration.error_left_out = left_out;
  plan.calibration.constants = {
      {.name = "gemm_factor", .before = 1.0, .after = 0.9, .low = 0.85, .high = 0.95}};
  return plan;
}

/// One stack whose host matters, whose optimizer does not, and that has no attention.
Ablation made_up_ablation() {
  AblatedRuns runs{
      .stack = "megatron-2021",
      .constants = {"gemm_factor", "overlap_cost"},
      .rows = 1200,
      .models = 1,
      .terms = {without(nullptr, true, 0.05, 0.15), without("optimizer", true, 0.0502, 0.1501),
                without("attention", false, 0.05, 0.15), without("host floor", true, 0.30, 0.60)}};
  Ablation ablation{.all = runs, .stacks = {runs}, .plans = {}};
  ablation.all.stack = "";
  ablation.plans = {plan("three", 3, 0.05), plan("far", 4, 0.09), plan("two", 2, 0.5),
                    plan("one", 1, 0.0)};
  return ablation;
}

Document document_of(const Ablation& ablation) {
  Document document;
  add_ablation(ablation, document);
  return document;
}

/// Of the first stack.
Folded folded_stack(const Document& document) {
  for (const Block& block : document.blocks) {
    if (const auto* const folded = std::get_if<Folded>(&block.content)) return *folded;
  }
  ADD_FAILURE() << "no stack";
  return {};
}

TEST(AblationSection, TheTermThatIsMissedMostIsFirst) {
  const Folded stack = folded_stack(document_of(made_up_ablation()));
  EXPECT_EQ(stack.summary, "Without terms: megatron-2021");
  const auto& table = std::get<Table>(stack.blocks.at(1).content);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(texts_of(table, 0), ElementsAre("nothing", "5.0 %", "15.0 %", "0.800", dash));
  EXPECT_THAT(texts_of(table, 1), ElementsAre("host floor", "30.0 %", "60.0 %", "0.800", dash));
  EXPECT_THAT(texts_of(table, 2), ElementsAre("optimizer", "5.0 %", "15.0 %", "0.800", dash));
}

TEST(AblationSection, OfAllStacksSaysWhatIsSupposedInstead) {
  const Table table = table_under(document_of(made_up_ablation()), "terms", 1);
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_THAT(texts_of(table, 1),
              ElementsAre("host floor", "30.0 %", "60.0 %", "0.800", dash, "1",
                          std::string(predictor::find_step_term("host floor")->without)));
  EXPECT_EQ(texts_of(table, 0)[6], dash);
}

TEST(AblationSection, SaysWhatTheNumbersSay) {
  const Ablation ablation = made_up_ablation();
  const std::string text = markdown_text(document_of(ablation));
  EXPECT_THAT(text, HasSubstr("All figures are of the 1,200 runs that these constants are fitted "
                              "to. Median or 90 % rise by half or more without: host floor. "
                              "Indifferent, both within a tenth of a point: optimizer.\n"));
  EXPECT_THAT(text, HasSubstr("1,200 runs of 1 model; fitted again: gemm_factor, overlap_cost. "
                              "Median or 90 % rise"));
  EXPECT_THAT(text, HasSubstr(" No run has: attention.\n"));
  EXPECT_THAT(text, HasSubstr("1 of 2 calibrations are."));
  EXPECT_THAT(terminal_text(document_of(ablation)), HasSubstr("\nhost floor"));
  Ablation better = ablation;
  better.all.terms[1].median_abs_rel_error = 0.04;
  EXPECT_THAT(markdown_text(document_of(better)),
              HasSubstr(" The median is lower without: optimizer.\n"));
  EXPECT_TRUE(document_of({}).blocks.empty());
}

TEST(AblationSection, ModelsLeftOutStandBesideTheFit) {
  const Document document = document_of(made_up_ablation());
  const Table table = table_under(document, "left-out");
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_THAT(texts_of(table, 0), ElementsAre("three", "stack megatron-2021", "12", "3", "2", "6",
                                              "20.0 %", "4.0 %", "5.0 %", "1.25"));
  EXPECT_EQ(texts_of(table, 3)[9], dash);
  EXPECT_THAT(texts_of(table_under(document, "left-out", 1), 0),
              ElementsAre("three", "gemm_factor", "1.000", "0.900", "0.850", "0.950"));
}

TEST(AblationJson, HasEveryTermAndCalibration) {
  const nlohmann::ordered_json json = ablation_json(made_up_ablation());
  EXPECT_TRUE(json["all"]["stack"].is_null());
  EXPECT_TRUE(json["all"]["terms"][0]["left_out"].is_null());
  EXPECT_EQ(json["stacks"][0]["terms"][3]["left_out"], "host floor");
  EXPECT_EQ(json["stacks"][0]["terms"][2]["in_runs"], false);
  EXPECT_EQ(json["calibrations"][0]["stack"], "megatron-2021");
  EXPECT_DOUBLE_EQ(json["calibrations"][0]["ratio"], 1.25);
  EXPECT_TRUE(json["calibrations"][3]["error_left_out"].is_null());
}

/// Two plans that share runs of InternEvo, and one of timed kernels.
std::vector<datasets::CalibrationPlan> three_plans() {
  datasets::CalibrationRows rows;
  rows.table = "internevo";
  datasets::CalibrationPlan plan;
  plan.name = "first";
  plan.of = "internevo-2023";
  plan.fit = {"gemm_factor"};
  plan.rows = {rows};
  plan.reason = "a test";
  std::vector<datasets::CalibrationPlan> plans{plan, plan};
  plans[1].name = "second";
  plans[1].fit = {"latency_per_rank_us"};
  datasets::CalibrationPlan kernels = *datasets::find_calibration_plan("a100 matrix products");
  kernels.fit = {"gemm_efficiency"};
  plans.push_back(kernels);
  return plans;
}

/// The time of a launch, by twelve runs.
datasets::LawPlan few_laws() {
  datasets::LawPlan plan = datasets::law_plan();
  plan.tables = {"ibm_fms_fsdp"};
  plan.constants.resize(1);
  return plan;
}

TEST(Ablation, RunsOfTwoPlansCountOnceAndThreadsChangeNoBit) {
  const Ablation one = ablation_of(few_laws(), three_plans(), 1);
  ASSERT_EQ(one.stacks.size(), 2U);
  EXPECT_EQ(one.stacks[0].stack, "laws");
  EXPECT_THAT(one.stacks[0].constants, ElementsAre("launch_us"));
  EXPECT_EQ(one.stacks[0].rows, 12);
  EXPECT_THAT(one.stacks[1].constants, ElementsAre("gemm_factor", "latency_per_rank_us"));
  ASSERT_EQ(one.plans.size(), 3U);
  EXPECT_EQ(one.plans[2].calibration.rows, 29U);
  // The second is fitted with what the first one found.
  const auto after = [&](std::size_t plan) { return one.plans[plan].calibration.error_after; };
  EXPECT_NEAR(one.plans[1].calibration.error_before, after(0), 0.002);
  EXPECT_EQ(one.stacks[1].rows, static_cast<std::int64_t>(one.plans[0].calibration.rows));
  EXPECT_EQ(one.plans[0].constants_of_subject, 2);
  for (const AblatedRuns& runs : one.stacks) {
    EXPECT_EQ(runs.terms.size(), predictor::step_terms().size() + 1);
  }
  EXPECT_EQ(one.all.rows, one.stacks[0].rows + one.stacks[1].rows);
  EXPECT_EQ(ablation_json(ablation_of(few_laws(), three_plans(), 2)), ablation_json(one));
}

// Runs that the laws are fitted to are not ablated again with the stack that they are of.
TEST(Ablation, RunsOfTheLawsCountOnce) {
  datasets::LawPlan laws = few_laws();
  laws.tables = {"internevo"};
  const Ablation ablation = ablation_of(laws, three_plans(), 0);
  ASSERT_EQ(ablation.stacks.size(), 1U);
  EXPECT_EQ(ablation.stacks[0].stack, "laws");
}

}  // namespace
}  // namespace cubicbench::results
