#include "search/finished/known_launches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "search/folder/campaign.h"
#include "search/journal/journal.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using scenarios::Reason;
using scenarios::Scenario;
using testing::HasSubstr;

void search(const char* scenario, std::vector<std::string> searchers, std::int64_t trials,
            const fs::path& out, std::int64_t seeds = 1, std::int64_t instances = 1) {
  SearchPlan plan;
  plan.scenarios.push_back(datasets::read_scenario(scenario));
  for (const std::string& name : searchers) plan.searchers.push_back(parse_searcher(name, ""));
  plan.trials = trials;
  plan.seeds = seeds;
  plan.instances = instances;
  run_search(plan, {.out = out, .threads = 1});
}

KnownLaunches known_from(const fs::path& place, const Scenario& scenario) {
  return read_known_launches(std::vector{place.string()}, std::vector{scenario}, "");
}

std::string refusal(const fs::path& place, const Scenario& scenario) {
  try {
    known_from(place, scenario);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(KnownLaunches, AreTheTrialsOfAFolderOnce) {
  const TemporaryFolder folder;
  search("tiny-llama", {"constant", "random"}, 6, folder / "s", 2);
  const Scenario scenario = datasets::read_scenario("tiny-llama");
  const KnownLaunches known = known_from(folder / "s", scenario);
  ASSERT_EQ(known.warm.problems.size(), 1U);
  // Both seeds of `constant` launched the same six; random's two seeds drew others.
  EXPECT_EQ(known.warm.problems.front()->launches.size(), 6U + 2U * 6U);
  EXPECT_THAT(known.notes, testing::ElementsAre(HasSubstr(": 18 launches told.")));
  EXPECT_THAT(known.warm.from, testing::ElementsAre(testing::StartsWith("sha256:")));
  const JournalFile journal = read_journal(folder / "s/journals/tiny-llama.0.constant.0.jsonl");
  for (std::size_t i = 0; i < 6; ++i) {
    const KnownLaunch& launch = known.warm.problems.front()->launches[i];
    EXPECT_EQ(launch.config, journal.lines[i].config);
    EXPECT_EQ(launch.outcome.value, journal.lines[i].outcome.value);
  }
}

// Instance 0 has the nominal constants: its launches are better than none.
TEST(KnownLaunches, AreThoseOfTheInstanceOrElseTheNominalOnes) {
  const TemporaryFolder folder;
  search("tiny-llama", {"random"}, 3, folder / "s", 1, 2);
  const Scenario scenario = datasets::read_scenario("tiny-llama");
  const WarmStarts warm = known_from(folder / "s", scenario).warm;
  ASSERT_EQ(warm.problems.size(), 2U);
  EXPECT_EQ(warm.of("tiny-llama", 0)->instance, 0);
  EXPECT_EQ(warm.of("tiny-llama", 1)->instance, 1);
  EXPECT_EQ(warm.of("tiny-llama", 2)->instance, 0);
  EXPECT_EQ(warm.of("tiny-gpt", 0), nullptr);
  EXPECT_NE(warm.of("tiny-llama", 0)->id(), warm.of("tiny-llama", 1)->id());
}

TEST(KnownLaunches, RefuseWhatSaysNothing) {
  const TemporaryFolder folder;
  search("tiny-llama", {"random"}, 3, folder / "s");
  const std::string where = (folder / "s").string();
  EXPECT_EQ(refusal(folder / "s", datasets::read_scenario("tiny-gpt")),
            where + ": expected launches of what is searched, got a search of tiny-llama");
  Scenario timed = datasets::read_scenario("tiny-llama");
  timed.objective.percentile = 95.0;
  EXPECT_EQ(refusal(folder / "s", timed),
            where +
                ": expected launches that are judged as tiny-llama is here, got another "
                "objective");
  EXPECT_EQ(refusal(folder / "none", timed),
            (folder / "none").string() +
                ": expected the folder of a search, a table of runs or logs, got none");
}

// ---- tables. tiny-llama: 32 layers on 8 H100, sequences of 4,096 tokens.

constexpr const char* header =
    "n_gpus,device,n_layers,seq_len,tp,pp,micro_batch,global_batch,sharding,recompute,compile,"
    "status,quality,tokens_per_s_per_gpu\n";

KnownLaunches known_of(const std::string& rows, const Scenario& scenario) {
  const TemporaryFolder folder;
  write_text(folder / "runs.csv", header + rows);
  return known_from(folder / "runs.csv", scenario);
}

TEST(KnownRows, AreConfigurationsByWhatTheyState) {
  const Scenario scenario = datasets::read_scenario("tiny-llama");
  const auto* const model = std::get_if<sim::Transformer>(&scenario.workload);
  ASSERT_NE(model, nullptr);
  const std::string start = std::to_string(scenario.cluster.gpus) + "," + scenario.device + "," +
                            std::to_string(model->layers) + "," + std::to_string(model->sequence);
  const KnownLaunches known =
      known_of(start + ",1,1,1,,full_shard,selective,false,ok,ok,5000\n" +  //
                   start + ",2,1,1,,full_shard,none,false,oom,ok,\n" +      //
                   start + ",3,1,1,,full_shard,none,false,ok,ok,5000\n" +   // three is no degree
                   start + ",1,1,1,,full_shard,none,false,other,ok,\n" +    //
                   "1024" + start.substr(start.find(',')) + ",1,1,1,,no_shard,none,false,ok,ok,1\n",
               scenario);
  ASSERT_EQ(known.warm.problems.size(), 1U);
  const std::vector<KnownLaunch>& launches = known.warm.problems.front()->launches;
  ASSERT_EQ(launches.size(), 2U);
  ASSERT_TRUE(launches[0].outcome.value);
  EXPECT_GT(*launches[0].outcome.value, 0.0);
  EXPECT_EQ(launches[1].outcome.reason, Reason::oom_late);
  EXPECT_THAT(launches[1].config, testing::Contains(testing::Pair("tensor_parallel", "2")));
  EXPECT_THAT(known.notes.front(),
              testing::AllOf(HasSubstr(": 2 launches told, rows left out: "),
                             HasSubstr("1 on other GPU counts"),
                             HasSubstr("1 that are no configuration of the scenario"),
                             HasSubstr("1 without a clean time")));
}

TEST(KnownRows, RefuseATableOfOtherRuns) {
  const Scenario scenario = datasets::read_scenario("tiny-llama");
  try {
    known_of("1024,h100-sxm-80gb,32,4096,1,1,1,,full_shard,none,false,ok,ok,1\n", scenario);
    ADD_FAILURE() << "expected an InputError";
  } catch (const support::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("expected runs of what is searched, got 1 row: 1 on "
                                        "other GPU counts"));
  }
}

}  // namespace
}  // namespace cubicbench::search
