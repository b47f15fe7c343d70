#include "scenarios/readers/campaign_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::scenarios {
namespace {

constexpr CampaignFigure figures[] = {{"fig2a", ""},
                                      {"fig2b", "fig2b"},
                                      {"fig4-jobs", "fig4-training", true},
                                      {"fig4-training", "fig4-training"}};

/// The campaign in `text`, read from the file `path`; or what is wrong with it, the file being
/// called FILE.
std::string problems_of(const std::string& path, const std::string& text, Campaign* campaign) {
  write_text(path, text);
  try {
    const Campaign read = read_campaign(path, figures);
    if (campaign != nullptr) *campaign = read;
    return "";
  } catch (const support::InputError& error) {
    std::string message = error.what();
    for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;) {
      message.replace(at, path.size(), "FILE");
    }
    return message;
  }
}

/// The same in a folder that is gone afterwards.
std::string problems_of(const std::string& text, Campaign* campaign = nullptr) {
  const TemporaryFolder folder;
  return problems_of(folder / "campaign.json", text, campaign);
}

TEST(Campaign, EveryShippedOneReadsAndNamesScenariosThatShip) {
  const std::vector<Entry> entries = names(Kind::campaign);
  ASSERT_FALSE(entries.empty());
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.name);
    const Campaign campaign = read_campaign(entry.name, figures);
    EXPECT_EQ(campaign.name, entry.name);
    EXPECT_FALSE(campaign.summary.empty());
    for (const CampaignStudies& studies : campaign.studies) {
      EXPECT_EQ(read_scenario(studies.scenario).name, studies.scenario);
    }
    for (const CampaignPrediction& prediction : campaign.predictions) {
      if (prediction.scenario.empty()) continue;
      EXPECT_EQ(read_scenario(prediction.scenario).name, prediction.scenario);
    }
  }
}

TEST(Campaign, OfThePaperIsTheSameWithLongerProtocolsInTheFullOne) {
  const Campaign quick = read_campaign("paper", figures);
  const Campaign full = read_campaign("paper-full", figures);
  EXPECT_EQ(quick.figures,
            (std::vector<std::string>{"fig2a", "fig2b", "fig4-jobs", "fig4-training"}));
  EXPECT_EQ(full.figures, quick.figures);
  ASSERT_EQ(quick.studies.size(), 1U);
  EXPECT_EQ(quick.studies.front().name, "search");
  EXPECT_EQ(quick.studies.front().trials, 150);
  EXPECT_EQ(quick.studies.front().seeds, 10);
  ASSERT_EQ(full.predictions.size(), quick.predictions.size());
  for (std::size_t i = 0; i < quick.predictions.size(); ++i) {
    // The same questions; CubicML's Fig. 4 draws ten times. What only has a scatter takes five, so
    // that the quick one stays quick.
    EXPECT_EQ(full.predictions[i].name, quick.predictions[i].name);
    EXPECT_EQ(full.predictions[i].predictors, quick.predictions[i].predictors);
    EXPECT_EQ(quick.predictions[i].repeats, quick.predictions[i].name.starts_with("fig4") ? 10 : 5);
    EXPECT_EQ(full.predictions[i].repeats, 100);
  }
}

TEST(Campaign, FillsInOneSeedOneInstanceAndOneSlot) {
  Campaign campaign;
  EXPECT_EQ(problems_of(R"({"schema": "cubicbench.campaign/1", "name": "mine", "studies": [
        {"scenario": "tiny-gpt", "searchers": ["random"], "trials": 7}]})",
                        &campaign),
            "");
  const Campaign expected{
      .name = "mine",
      .summary = "",
      .studies = {{.name = "search", .scenario = "tiny-gpt", .searchers = {"random"}, .trials = 7}},
      .predictions = {},
      .figures = {"fig2a"}};
  EXPECT_EQ(campaign, expected);
  EXPECT_EQ(problems_of(R"({"schema": "cubicbench.campaign/1", "name": "mine", "studies": [
        {"scenario": "tiny-gpt", "searchers": ["random"], "trials": 7, "permute": true}]})",
                        &campaign),
            "");
  EXPECT_TRUE(campaign.studies.front().permute);
}

TEST(Campaign, FillsInARandomSplitTenRepeatsAndLaunchFeatures) {
  Campaign campaign;
  EXPECT_EQ(problems_of(R"({"schema": "cubicbench.campaign/1", "name": "mine", "predictions": [
        {"name": "fig2b", "scenario": "tiny-gpt", "predictors": ["mlp"], "train": [150]},
        {"name": "fig4-training", "dataset": "llm-history", "predictors": ["mlp", "knn"],
         "split": "time", "train": [10, 40], "repeats": 3, "features": "measured-fabric"}],
        "figures": ["fig4-jobs", "fig2b", "fig4-training"]})",
                        &campaign),
            "");
  const Campaign expected{.name = "mine",
                          .summary = "",
                          .studies = {},
                          .predictions = {{.name = "fig2b",
                                           .dataset = "",
                                           .scenario = "tiny-gpt",
                                           .rows = 1000,
                                           .predictors = {"mlp"},
                                           .split = "random",
                                           .train = {150},
                                           .repeats = 10,
                                           .features = "launch"},
                                          {.name = "fig4-training",
                                           .dataset = "llm-history",
                                           .scenario = "",
                                           .rows = 0,
                                           .predictors = {"mlp", "knn"},
                                           .split = "time",
                                           .train = {10, 40},
                                           .repeats = 3,
                                           .features = "measured-fabric"}},
                          .figures = {"fig4-jobs", "fig2b", "fig4-training"}};
  EXPECT_EQ(campaign, expected);
}

TEST(Campaign, WithoutFiguresHasAllThatCanBeDrawn) {
  Campaign campaign;
  const std::string prediction = R"({"schema": "cubicbench.campaign/1", "name": "mine",
      "predictions": [{"name": "fig4-training", "predictors": ["mlp"], "train": [9], )";
  EXPECT_EQ(problems_of(prediction + R"("dataset": "llm-history"}]})", &campaign), "");
  EXPECT_EQ(campaign.figures, (std::vector<std::string>{"fig4-jobs", "fig4-training"}));
  EXPECT_EQ(problems_of(prediction + R"("scenario": "tiny-gpt"}]})", &campaign), "");
  EXPECT_EQ(campaign.figures, (std::vector<std::string>{"fig4-training"}));
}

TEST(Campaign, APathStartsFromTheCampaignsFolder) {
  const TemporaryFolder folder;
  Campaign campaign;
  ASSERT_EQ(problems_of(folder / "campaign.json",
                        R"({"schema": "cubicbench.campaign/1", "name": "mine", "studies": [
        {"scenario": "./here.json", "searchers": ["random"], "trials": 7}], "predictions": [
        {"name": "jobs", "dataset": "jobs.csv", "predictors": ["knn"], "train": [7]}]})",
                        &campaign),
            "");
  EXPECT_EQ(campaign.studies.front().scenario, (folder / "here.json").lexically_normal());
  EXPECT_EQ(campaign.predictions.front().dataset, (folder / "jobs.csv").lexically_normal());
}

TEST(Campaign, SaysEverythingThatIsWrongWithIt) {
  struct Case {
    const char* text;
    const char* problems;
  };
  for (const Case& c : {
           Case{"[1]", "FILE#: expected an object, got [1]"},
           Case{R"({"schema": "cubicbench.scenario/1", "x": 1})",
                "FILE#/schema: expected \"cubicbench.campaign/1\", got \"cubicbench.scenario/1\""},
           Case{R"({"schema": "cubicbench.campaign/1"})",
                "FILE#/name: expected a string, got nothing\n"
                "FILE#/studies: expected studies or predictions, got neither"},
           Case{R"({"schema": "cubicbench.campaign/1", "name": "a", "studies": []})",
                "FILE#/studies: expected at least one, got none"},
           Case{R"({"schema": "cubicbench.campaign/1", "name": "a", "studys": [], "figures":
               ["fig2"], "studies": [{"scenario": "", "searchers": [], "trials": 0, "seed": 3}]})",
                "FILE#/studies/0/scenario: expected a scenario, got \"\"\n"
                "FILE#/studies/0/searchers: expected at least one, got none\n"
                "FILE#/studies/0/trials: expected an integer in [1, 1000000000], got 0\n"
                "FILE#/studies/0/seed: unknown key; did you mean \"seeds\"?\n"
                "FILE#/figures/0: expected one of fig2a, fig2b, fig4-jobs, fig4-training, got "
                "\"fig2\"; did you mean \"fig2a\"?\n"
                "FILE#/studys: unknown key; did you mean \"studies\"?"},
           Case{R"({"schema": "cubicbench.campaign/1", "name": "a", "studies": [
               {"scenario": 3, "searchers": ["random", "random", "", 4], "trials": "7"},
               {"scenario": "tiny-gpt", "searchers": ["random"], "trials": 7}]})",
                "FILE#/studies/0/scenario: expected a string, got 3\n"
                "FILE#/studies/0/searchers/1: expected each searcher once, got \"random\" again\n"
                "FILE#/studies/0/searchers/2: expected the name of a searcher, got \"\"\n"
                "FILE#/studies/0/searchers/3: expected a string, got 4\n"
                "FILE#/studies/0/trials: expected an integer in [1, 1000000000], got \"7\"\n"
                "FILE#/studies/1: expected a \"name\" of its own, got \"search\" again"},
           Case{R"({"schema": "cubicbench.campaign/1", "name": "a", "predictions": [
               {"name": "a", "predictors": [], "train": []},
               {"name": "a", "dataset": "x", "scenario": "y", "rows": 5, "predictors": ["", "b"],
                "train": [40, 40, "150"], "repeats": 0},
               {"dataset": "", "rows": 5, "predictors": ["knn", "knn"], "train": [1],
                "split": "rnd", "features": "all"},
               {"name": "c", "scenario": "y", "rows": 1, "predictors": ["knn"], "train": [0],
                "features": "launch", "trian": [1]}]})",
                "FILE#/predictions/0/dataset: expected a dataset or a scenario, got neither\n"
                "FILE#/predictions/0/predictors: expected at least one, got none\n"
                "FILE#/predictions/0/train: expected at least one, got none\n"
                "FILE#/predictions/1/dataset: expected either a dataset or a scenario, got both\n"
                "FILE#/predictions/1/predictors/0: expected the name of a predictor, got \"\"\n"
                "FILE#/predictions/1/train/1: expected sizes that rise, got 40 after 40\n"
                "FILE#/predictions/1/train/2: expected an integer in [1, 1000000], got \"150\"\n"
                "FILE#/predictions/1/repeats: expected an integer in [1, 10000], got 0\n"
                "FILE#/predictions/1: expected a \"name\" of its own, got \"a\" again\n"
                "FILE#/predictions/2/name: expected a string, got nothing\n"
                "FILE#/predictions/2/dataset: expected a dataset, got \"\"\n"
                "FILE#/predictions/2/rows: expected with a scenario only: a dataset has the rows "
                "that it has\n"
                "FILE#/predictions/2/predictors/1: expected each predictor once, got \"knn\" "
                "again\n"
                "FILE#/predictions/2/split: expected one of random, time, scale, workload, "
                "cluster, searcher, got \"rnd\"\n"
                "FILE#/predictions/2/features: expected one of launch, measured-fabric, got "
                "\"all\"\n"
                "FILE#/predictions/3/rows: expected an integer in [2, 1000000], got 1\n"
                "FILE#/predictions/3/features: expected with a dataset only: a scenario's are its "
                "parameters\n"
                "FILE#/predictions/3/train/0: expected an integer in [1, 1000000], got 0\n"
                "FILE#/predictions/3/trian: unknown key; did you mean \"train\"?"},
           Case{R"({"schema": "cubicbench.campaign/1", "name": "a", "predictions": [
               {"name": "fig4-training", "scenario": "x", "predictors": ["a"], "train": [1]}],
               "figures": ["fig2a", "fig4-training", "fig2b", "fig4-training", "fig4-jobs"]})",
                "FILE#/figures/0: expected studies to draw fig2a from, got none\n"
                "FILE#/figures/2: expected a prediction named \"fig2b\" to draw fig2b from, got "
                "none\n"
                "FILE#/figures/3: expected each figure once, got \"fig4-training\" again\n"
                "FILE#/figures/4: expected the prediction \"fig4-training\" to have a dataset, "
                "whose jobs fig4-jobs shows, got a scenario"},
       }) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(problems_of(c.text), c.problems);
  }
}

TEST(Campaign, AnUnknownNameIsSaid) {
  try {
    read_campaign("papr", figures);
    FAIL() << "read a campaign that does not ship";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(), "campaign: unknown campaign \"papr\"; did you mean \"paper\"?");
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
