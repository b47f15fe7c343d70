#include "scenarios/campaign_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "scenarios/catalog.h"
#include "scenarios/input_error.h"
#include "scenarios/scenario_reader.h"

namespace cubicbench::scenarios {
namespace {

/// The campaign in `text`, read from a file of its own; or what is wrong with it, the file being
/// called FILE.
std::string problems_of(const std::string& text, Campaign* campaign = nullptr) {
  const std::string path = testing::TempDir() + "/campaign_" + std::to_string(::getpid()) + ".json";
  std::ofstream(path) << text;
  try {
    const Campaign read = read_campaign(path);
    if (campaign != nullptr) *campaign = read;
    return "";
  } catch (const InputError& error) {
    std::string message = error.what();
    for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;) {
      message.replace(at, path.size(), "FILE");
    }
    return message;
  }
}

TEST(Campaign, EveryShippedOneReadsAndNamesScenariosThatShip) {
  const std::vector<Entry> entries = names(Kind::campaign);
  ASSERT_FALSE(entries.empty());
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.name);
    const Campaign campaign = read_campaign(entry.name);
    EXPECT_EQ(campaign.name, entry.name);
    EXPECT_FALSE(campaign.summary.empty());
    for (const CampaignStudies& studies : campaign.studies) {
      EXPECT_EQ(read_scenario(studies.scenario).name, studies.scenario);
    }
  }
}

TEST(Campaign, OfThePaperComparesEvolutionWithRandom) {
  const Campaign campaign = read_campaign("paper");
  ASSERT_EQ(campaign.studies.size(), 1U);
  const CampaignStudies& studies = campaign.studies.front();
  EXPECT_EQ(studies.name, "search");
  EXPECT_EQ(studies.trials, 150);
  EXPECT_EQ(studies.seeds, 10);
  EXPECT_EQ(studies.searchers, (std::vector<std::string>{"random", "sobol", "evolution"}));
  EXPECT_EQ(campaign.figures, figure_names());
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
      .figures = {}};
  EXPECT_EQ(campaign, expected);
}

TEST(Campaign, AScenarioPathStartsFromTheCampaignsFolder) {
  Campaign campaign;
  ASSERT_EQ(problems_of(R"({"schema": "cubicbench.campaign/1", "name": "mine", "studies": [
        {"scenario": "./here.json", "searchers": ["random"], "trials": 7}]})",
                        &campaign),
            "");
  const std::filesystem::path folder(testing::TempDir());
  EXPECT_EQ(campaign.studies.front().scenario, (folder / "here.json").lexically_normal());
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
                "FILE#/studies: expected an array, got nothing"},
           Case{R"({"schema": "cubicbench.campaign/1", "name": "a", "studies": []})",
                "FILE#/studies: expected at least one, got none"},
           Case{R"({"schema": "cubicbench.campaign/1", "name": "a", "studys": [], "figures":
               ["fig2"], "studies": [{"scenario": "", "searchers": [], "trials": 0, "seed": 3}]})",
                "FILE#/studies/0/scenario: expected a scenario, got \"\"\n"
                "FILE#/studies/0/searchers: expected at least one, got none\n"
                "FILE#/studies/0/trials: expected an integer in [1, 1000000000], got 0\n"
                "FILE#/studies/0/seed: unknown key; did you mean \"seeds\"?\n"
                "FILE#/figures/0: expected \"fig2a\", got \"fig2\"\n"
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
       }) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(problems_of(c.text), c.problems);
  }
}

TEST(Campaign, AnUnknownNameIsSaid) {
  try {
    read_campaign("papr");
    FAIL() << "read a campaign that does not ship";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "campaign: unknown campaign \"papr\"; did you mean \"paper\"?");
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
