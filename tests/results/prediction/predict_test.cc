#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "results/layout/bars.h"
#include "results/layout/paragraph.h"
#include "results/prediction/predict_csv.h"
#include "results/prediction/predict_json.h"
#include "results/prediction/predict_text.h"
#include "support/json/json_document.h"
#include "tests/results/judged_jobs.h"

namespace cubicbench::results {
namespace {

using testing::HasSubstr;
using testing::Not;

/// One predictor with numbers that are exact in binary.
predictor::JudgedDataset exact() {
  predictor::Judgement of;
  of.predictor = "ridge";
  of.train = 40;
  of.test = 60;
  of.repeats = 2;
  of.kendall = {0.75, 0.125};
  of.spearman = {0.875, 0.0625};
  of.pearson_log = {0.5, 0.25};
  of.mape = support::MeanAndSd{0.25, 0.5};
  of.top_k_recall[0] = {0.5, 0.5};
  of.top_k_recall[1] = {0.625, 0.25};
  of.top_k_recall[2] = {0.75, 0.25};
  of.regret_at[0] = {0.125, 0.0};
  of.regret_at[1] = {0.0625, 0.0};
  of.regret_at[2] = {0.0, 0.0};
  of.within_gpu_count_kendall = {0.375, 0.125};
  of.feasibility = predictor::Judgement::Feasibility{
      .auroc = {0.9375, 0.0}, .auprc = {0.875, 0.0}, .brier = {0.03125, 0.0}};
  of.kendall_of_repeat = {0.6875, 0.8125};
  predictor::JudgedDataset judged;
  judged.dataset = "jobs \"of\" May";
  judged.split = datasets::SplitKind::scale;
  judged.rows = 100;
  judged.judgements = {of};
  return judged;
}

TEST(PredictJson, HasTheKeysOfTheContract) {
  predictor::JudgedDataset judged = exact();
  judged.noise_ceiling_kendall = 0.96875;
  const std::string version = support::new_document("predict").at("version");
  EXPECT_EQ(support::line_text(predict_json(judged)),
            R"({"schema":"cubicbench.predict/1","version":")" + version +
                R"(","dataset":"jobs \"of\" May","split":"scale","rows":100,"results":[)"
                R"({"predictor":"ridge","privileged":false,"train":40,"test":60,"repeats":2,)"
                R"("kendall":{"mean":0.75,"sd":0.125},"spearman":{"mean":0.875,"sd":0.0625},)"
                R"("pearson_log":{"mean":0.5,"sd":0.25},"mape":{"mean":0.25,"sd":0.5},)"
                R"("top_k_recall":{"1":0.5,"5":0.625,"10":0.75},)"
                R"("regret_at":{"1":0.125,"5":0.0625,"10":0},)"
                R"("within_gpu_count":{"kendall":{"mean":0.375,"sd":0.125}},)"
                R"("feasibility":{"auroc":0.9375,"auprc":0.875,"brier":0.03125}}],)"
                R"("noise_ceiling":{"kendall":0.96875}})"
                "\n");
}

TEST(PredictJson, HasNullForWhatDoesNotApply) {
  predictor::JudgedDataset judged = exact();
  judged.judgements[0].mape.reset();
  judged.judgements[0].feasibility.reset();
  judged.judgements[0].within_gpu_count_kendall.mean = std::numeric_limits<double>::quiet_NaN();
  const nlohmann::ordered_json document = predict_json(judged);
  EXPECT_TRUE(document["results"][0]["mape"].is_null());
  EXPECT_TRUE(document["results"][0]["feasibility"].is_null());
  EXPECT_TRUE(document["results"][0]["within_gpu_count"]["kendall"]["mean"].is_null());
  EXPECT_TRUE(document["noise_ceiling"]["kendall"].is_null());
  judged.judgements.clear();
  EXPECT_EQ(support::line_text(predict_json(judged)["results"]), "[]\n");
}

TEST(PredictCsv, HoldsMeanSpreadAndTauOfEveryRepeat) {
  EXPECT_EQ(
      predict_csv(exact()),
      "dataset,split,predictor,privileged,train,test,repeat,kendall,spearman,pearson_log,mape,"
      "top_1_recall,top_5_recall,top_10_recall,regret_at_1,regret_at_5,regret_at_10,"
      "within_gpu_count_kendall,kendall_of_total,spearman_of_total,pearson_of_total,"
      "feasibility_auroc,feasibility_auprc,feasibility_brier,noise_ceiling_kendall,rows\n"
      "\"jobs \"\"of\"\" May\",scale,ridge,false,40,60,mean,0.75,0.875,0.5,0.25,0.5,0.625,0.75,"
      "0.125,0.0625,0,0.375,,,,0.9375,0.875,0.03125,,100\n"
      "\"jobs \"\"of\"\" May\",scale,ridge,false,40,60,sd,0.125,0.0625,0.25,0.5,0.5,0.25,0.25,"
      "0,0,0,0.125,,,,0,0,0,,100\n"
      "\"jobs \"\"of\"\" May\",scale,ridge,false,40,60,0,0.6875,,,,,,,,,,,,,,,,,,100\n"
      "\"jobs \"\"of\"\" May\",scale,ridge,false,40,60,1,0.8125,,,,,,,,,,,,,,,,,,100\n");
}

TEST(PredictText, SaysWhichJobsTheSimulatorDoesNotKnow) {
  predictor::JudgedDataset judged = exact();
  EXPECT_THAT(predict_text(judged), Not(HasSubstr("no answer")));
  judged.jobs_without_physics = 3;
  judged.no_physics_reason = "needs a wheel";
  EXPECT_THAT(predict_text(judged),
              HasSubstr("The simulator has no answer for 3 of 100 jobs (the first: needs a "
                        "wheel):"));
}

TEST(PredictText, AlignsColumnsWithinATerminal) {
  const std::string text = predict_text(exact());
  EXPECT_THAT(text,
              HasSubstr("jobs \"of\" May: 100 jobs with a time, split by scale, 2 repeats\n"));
  EXPECT_THAT(
      text,
      HasSubstr("predictor  train    tau     sd    rho      r  MAPE  top10  regret   fits\n"
                "ridge         40  0.750  0.125  0.875  0.500   25%   0.75     12%  0.938\n"));
  EXPECT_THAT(text, Not(HasSubstr("* asks")));
  EXPECT_THAT(text, Not(HasSubstr("Noise ceiling")));
  const std::string all = predict_text(made_up_judgements(made_up_jobs(50)));
  EXPECT_THAT(all, HasSubstr("\nroofline *    150  "));
  EXPECT_THAT(all, HasSubstr("* asks the simulator"));
  EXPECT_THAT(all, HasSubstr("learnt order alone"));
  EXPECT_THAT(all, HasSubstr("Noise ceiling: tau 0.970"));
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(columns_of(line), static_cast<std::size_t>(text_columns)) << line;
  }
}

}  // namespace
}  // namespace cubicbench::results
