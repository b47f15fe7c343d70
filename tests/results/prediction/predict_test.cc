#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "results/document/bars.h"
#include "results/document/html.h"
#include "results/document/paragraph.h"
#include "results/document/terminal.h"
#include "results/prediction/judgements.h"
#include "support/json/json_document.h"
#include "tests/results/judged_jobs.h"
#include "tests/results/page_text.h"
#include "tests/results/well_formed.h"

namespace cubicbench::results {
namespace {

using testing::ElementsAre;
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

/// What `predict` prints.
std::string terminal_text_of(const predictor::JudgedDataset& judged) {
  return terminal_text(prediction_document(made_up_jobs(50), judged, "cubicbench predict <x>"));
}

TEST(PredictionDocument, SaysWhichJobsTheSimulatorDoesNotKnow) {
  predictor::JudgedDataset judged = exact();
  EXPECT_THAT(terminal_text_of(judged), Not(HasSubstr("no answer")));
  judged.jobs_without_physics = 3;
  judged.no_physics_reason = "needs a wheel";
  EXPECT_THAT(terminal_text_of(judged),
              HasSubstr("The simulator has no answer for 3 of 100 jobs (the first: needs a "
                        "wheel)."));
}

TEST(PredictionDocument, AlignsColumnsWithinATerminal) {
  const std::string text = terminal_text_of(exact());
  EXPECT_THAT(text, HasSubstr("jobs \"of\" May: 100 jobs with a time. Predictors estimate "
                              "tokens/s per GPU.\nSplit: scale, 2 repeats."));
  EXPECT_THAT(
      text,
      HasSubstr("\npredictor  train    tau     sd    rho      r  MAPE  top10  regret   fits\n"
                "ridge         40  0.750  0.125  0.875  0.500   25%  0.750     12%  0.938\n"));
  EXPECT_THAT(text, HasSubstr("Kendall's tau-b of predicted"));
  EXPECT_THAT(text, Not(HasSubstr("* marks")));
  EXPECT_THAT(text, Not(HasSubstr("Noise ceiling")));
  EXPECT_THAT(text, Not(HasSubstr("cubicbench predict")));
  const std::string all = terminal_text_of(made_up_judgements(made_up_jobs(50)));
  EXPECT_THAT(all, HasSubstr("\nroofline *    150  "));
  EXPECT_THAT(all, HasSubstr("predictor: * marks those that ask"));
  EXPECT_THAT(all, HasSubstr("Noise ceiling: tau 0.970"));
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(columns_of(line), static_cast<std::size_t>(text_columns)) << line;
  }
}

std::vector<std::string> names_of(const std::vector<PageFile>& files) {
  std::vector<std::string> names;
  for (const PageFile& file : files) names.push_back(file.name);
  return names;
}

TEST(PredictionDocument, IsAPageWithItsFigures) {
  const datasets::Dataset data = made_up_jobs(100);
  predictor::JudgedDataset judged = made_up_judgements(data);
  const Page page = page_of(prediction_document(data, judged, "cubicbench predict <x>"));
  EXPECT_THAT(names_of(page.files), ElementsAre("training.svg", "training.csv", "scatter.svg",
                                                "scatter.csv", "prediction.csv"));
  EXPECT_EQ(page.files.back().text, predict_csv(judged));
  EXPECT_EQ(xml_problem(page.html), "");
  EXPECT_THAT(page.html, HasSubstr("<pre>cubicbench predict &lt;x&gt;</pre>"));
  EXPECT_THAT(page.html, HasSubstr("<td>roofline *</td><td class=\"number\">40</td>"
                                   "<td class=\"number\">45</td><td class=\"number\">0.900</td>"
                                   "<td class=\"number\">0.020</td>"));
  EXPECT_THAT(without_tooltips(page.html), HasSubstr("Noise ceiling: tau 0.970"));
  judged.judgements = {judged.judgements[0]};
  EXPECT_THAT(names_of(page_of(prediction_document(data, judged, "")).files),
              ElementsAre("scatter.svg", "scatter.csv", "prediction.csv"));
}

TEST(PredictionDocument, APageOpensWithItsResultAndOneTable) {
  const datasets::Dataset data = made_up_jobs(50);
  predictor::JudgedDataset judged = made_up_judgements(data);
  const std::string html = without_tooltips(page_of(prediction_document(data, judged, "")).html);
  // Roofline asks the simulator that made the jobs; mlp learnt order alone and has no error.
  const std::size_t result = html.find(
      "<p>After 150 jobs mlp ranks unseen ones best, with Kendall&#39;s tau 0.750; next "
      "ridge 0.700. More jobs may help: the smaller sizes tried are more than 0.02 "
      "below.</p>");
  ASSERT_NE(result, std::string::npos);
  EXPECT_LT(result, html.find("<section"));
  EXPECT_THAT(html.substr(result), HasSubstr("<td class=\"number\"><b>0.750</b></td>"));
  judged.judgements[4].kendall.mean = 0.74;  // of mlp on 40 jobs
  EXPECT_THAT(page_of(prediction_document(data, judged, "")).html,
              HasSubstr(" 40 jobs come within 0.02 of that.</p>"));
}

TEST(TauTable, ComparesThoseThatDoNotAskTheSimulator) {
  const Table table = tau_table(made_up_judgements(made_up_jobs(20)));
  EXPECT_EQ(table.apart, (std::vector<std::size_t>{1}));
  EXPECT_EQ(best_rows(table, 1), (std::vector<std::size_t>{2}));
}

std::vector<std::string> keys_of(const Table& table) {
  std::vector<std::string> keys;
  for (const Column& column : table.columns) keys.push_back(column.key);
  return keys;
}

TEST(JudgementsTable, HasTheMeansOnOneSize) {
  const predictor::JudgedDataset judged = made_up_judgements(made_up_jobs(20));
  EXPECT_EQ(judgements_table(judged).rows.size(), 6U);
  const Table table = judgements_table(judged, 150);
  EXPECT_THAT(keys_of(table), ElementsAre("predictor", "train", "test", "kendall", "sd", "spearman",
                                          "pearson_log", "mape", "within_gpu_count.kendall",
                                          "top_k_recall.10", "regret_at.1", "feasibility.auroc"));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0], (std::vector<Cell>{"ridge", 150, 45, 0.7, 0.02, 0.7 + 0.1, 0.7 + 0.05,
                                              0.125, 0.7 - 0.2, 0.75, 0.5, 0.96}));
  EXPECT_EQ(table.rows[1].front(), Cell("roofline *"));
  EXPECT_EQ(table.rows[2][7], Cell());   // mlp learnt order alone
  EXPECT_EQ(table.rows[2][11], Cell());  // and has no feasibility head
  Document document;
  add_judgements_reading(document);
  const auto& reading = std::get<Paragraph>(document.blocks.at(0).content);
  for (const Column& column : table.columns) {
    EXPECT_THAT(reading.text, HasSubstr(column.heading + ": " + column.help));
  }
}

TEST(TauTable, HasAColumnForEverySize) {
  predictor::JudgedDataset judged = made_up_judgements(made_up_jobs(20));
  judged.judgements.pop_back();  // mlp on 150
  const Table table = tau_table(judged);
  EXPECT_THAT(keys_of(table), ElementsAre("predictor", "40", "150"));
  EXPECT_EQ(table.rows, (std::vector<std::vector<Cell>>{
                            {"ridge", 0.6, 0.7}, {"roofline *", 0.9, 0.9}, {"mlp", 0.65, Cell()}}));
}

TEST(PredictionsDocument, HasEveryPredictorOnItsLargestTrainingPart) {
  const predictor::JudgedDataset judged = made_up_judgements(made_up_jobs(20));
  const Document document = predictions_document(std::vector<NamedJudgement>{
      {.name = "first", .judged = &judged}, {.name = "second", .judged = &judged}});
  const auto& table = std::get<Table>(document.blocks.at(0).content);
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(table.rows[0],
            (std::vector<Cell>{"first", "ridge", 150, 45, 0.7, 0.7 + 0.1, 0.7 + 0.05}));
  EXPECT_EQ(table.rows[1][0], Cell(""));
  EXPECT_EQ(table.rows[1][1], Cell("roofline *"));
  EXPECT_EQ(table.rows[3][0], Cell("second"));
  EXPECT_THAT(terminal_text(document), HasSubstr("Kendall's tau-b of predicted"));
  EXPECT_EQ(terminal_text(predictions_document({})), "");
}

}  // namespace
}  // namespace cubicbench::results
