#include "results/studies/study_commands.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace cubicbench::results {
namespace {

TEST(SimulateCommand, LeavesOutWhatTheBaselineHas) {
  using Config = std::vector<std::pair<std::string, std::string>>;
  search::StudyResult study;
  study.scenario = "ads";
  const Config config{{"a", "1"}, {"b", "x y"}};
  EXPECT_EQ(simulate_command(study, config, {}), "cubicbench simulate ads --set a=1 --set 'b=x y'");
  study.instance = 3;
  const Config baseline{{"a", "1"}, {"b", "z"}};
  EXPECT_EQ(simulate_command(study, config, baseline),
            "cubicbench simulate ads --instance 3 --set 'b=x y'");
  study.salt_sha256 = "1234";
  EXPECT_EQ(simulate_command(study, {}, {}), "cubicbench simulate ads --instance 3 --salt SALT");
}

TEST(SearchCommands, AreOneAFolder) {
  search::AskedSearch asked{.version = "1",
                            .scenarios = {{.name = "ads", .trials = 150}},
                            .searchers = {"evolution", "random"},
                            .seeds = 3,
                            .instances = 1,
                            .slots = 1,
                            .telling = "reason",
                            .backend = "simulator"};
  search::StudySet set;
  set.folders.push_back({"out/./x/", asked});
  asked.scenarios.push_back({.name = "mine", .trials = 20});  // each its own budget
  asked.slots = 4;
  asked.instances = 2;
  asked.telling = "drop";
  asked.backend = "command-sha256:0123456789abcdef";
  set.folders.push_back({"/somewhere/y", asked});
  asked.backend = "simulator";
  asked.salt_sha256 = "1234";
  asked.permute = true;
  asked.shard = {.index = 2, .of = 3};
  set.folders.push_back({"z", asked});
  EXPECT_EQ(
      search_commands(set),
      (std::vector<std::string>{
          "cubicbench search ads --searcher evolution,random --trials 150 --seeds 3 --start none "
          "--out "
          "out/x",
          "cubicbench search ads mine --searcher evolution,random --seeds 3 --instances 2 "
          "--slots 4 --telling drop --backend command:CMD --start none --out y",
          "cubicbench search ads mine --searcher evolution,random --seeds 3 --instances 2 "
          "--salt SALT --slots 4 --telling drop --start none --permute --shard 2/3 --out z"}));
  // A program with an absolute path, and a study that an agent drove.
  search::AskedSearch driven{.version = "1",
                             .scenarios = {{.name = "ads", .trials = 150}},
                             .searchers = {"external-sha256:0123456789abcdef"},
                             .telling = "reason",
                             .start = "baseline",
                             .backend = "simulator"};
  search::StudySet outside;
  outside.folders.push_back({"a", driven});
  driven.searchers = {"my-agent"};
  driven.first_seed = 7;
  driven.first_instance = 2;
  outside.folders.push_back({"b", driven});
  driven.scenarios.push_back({.name = "mine", .trials = 150});
  outside.folders.push_back({"c", driven});
  EXPECT_EQ(search_commands(outside),
            (std::vector<std::string>{
                "cubicbench search ads --searcher external:CMD --trials 150 --seeds 1 --out a",
                "cubicbench serve ads --trials 150 --seed 7 --instance 2 --as my-agent --out b",
                "cubicbench serve ads mine --mcp --trials 150 --seed 7 --instance 2 --as my-agent "
                "--out c"}));
  set.folders.push_back({"/elsewhere/y", asked});
  EXPECT_EQ(folder_names(set), (std::vector<std::string>{"DIR1", "DIR2", "DIR3", "DIR4"}));
}

TEST(SearchCommands, NameWhatMakesTheStudyAgainOrNothing) {
  const search::AskedSearch driven{.version = "1",
                                   .scenarios = {{.name = "ads", .trials = 9}},
                                   .searchers = {"agent"},
                                   .telling = "reason",
                                   .start = "baseline",
                                   .backend = "simulator"};
  const auto commands_of = [&](auto change) {
    search::AskedSearch asked = driven;
    change(asked);
    search::StudySet set;
    set.folders.push_back({"a", asked});
    return search_commands(set);
  };
  using Commands = std::vector<std::string>;
  // The name that an agent has by default.
  EXPECT_EQ(commands_of([](auto&) {}),
            Commands{"cubicbench serve ads --mcp --trials 9 --seed 0 --out a"});
  EXPECT_EQ(commands_of([](auto& asked) { asked.searchers = {"client"}; }),
            Commands{"cubicbench serve ads --trials 9 --seed 0 --out a"});
  EXPECT_EQ(commands_of([](auto& asked) { asked.backend = "command:run.sh"; }),
            Commands{"cubicbench serve ads --mcp --trials 9 --seed 0 --backend command:run.sh "
                     "--out a"});
  EXPECT_EQ(commands_of([](auto& asked) { asked.backend = "command-sha256:0123456789abcdef"; }),
            Commands{"cubicbench serve ads --mcp --trials 9 --seed 0 --backend command:CMD "
                     "--out a"});
  // What a program in Python drove: `serve` has one study a scenario.
  EXPECT_EQ(commands_of([](auto& asked) { asked.seeds = 3; }), Commands{});
  EXPECT_EQ(commands_of([](auto& asked) { asked.instances = 2; }), Commands{});
  EXPECT_EQ(commands_of([](auto& asked) { asked.shard = {.index = 1, .of = 2}; }), Commands{});
  EXPECT_EQ(
      commands_of([](auto& asked) { asked.scenarios.push_back({.name = "mine", .trials = 20}); }),
      Commands{"cubicbench serve ads mine --mcp --seed 0 --out a"});
}

}  // namespace
}  // namespace cubicbench::results
