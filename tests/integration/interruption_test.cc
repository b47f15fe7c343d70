// Ctrl-C while any command works: soon, with the exit code of the table, and nothing half-written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/integration/program_run.h"
#include "tests/temporary_folder.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;
using testing::StartsWith;

using Words = std::vector<std::string>;

/// Commands that would go on for minutes, most of them without anything to bring in order.
class Interruption : public testing::TestWithParam<Words> {};

TEST_P(Interruption, EndsACommandSoon) {
  const TemporaryFolder folder;
  Words words = GetParam();
  for (std::string& word : words) {
    if (word.starts_with("OUT/")) word = folder / word.substr(4);
  }
  const Ending ending = interrupted(words);
  EXPECT_EQ(ending.exit_code, 130) << ending.signal;
  EXPECT_EQ(ending.out, "");
  EXPECT_THAT(ending.err, StartsWith("cubicbench: ended by SIGINT"));
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "search" || entry.path().extension() == ".tmp") << name;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Commands, Interruption,
    testing::Values(
        Words{"landscape", "ads-73b", "--rows", "10000000", "--out", "OUT/page"},
        Words{"validate", "--ablation", "--markdown", "OUT/v.md"},
        Words{"calibrate", "--stack", "nanotron-2024", "--out", "OUT/fit.json"},
        Words{"family", "moe", "--members", "10000", "--out", "OUT/members.json"},
        Words{"suite", "standard", "--markdown", "OUT/suite.md"},
        Words{"dataset", "generate", "llm-history", "--jobs", "1000000", "--out", "OUT/jobs.csv"},
        Words{"lesson", "--out", "OUT/lessons"},
        Words{"predict", "ads-73b", "--rows", "100000", "--train", "90000", "--predictor",
              "mlp,gp,knn,xgboost", "--out", "OUT/page"},
        Words{"search", "ads-73b", "--searcher", "tpe-multivariate:candidates=10000:first=1",
              "--trials", "100000", "--out", "OUT/search"},
        Words{"search", "tiny-gpt", "--searcher", "random", "--seeds", "1000000", "--out",
              "OUT/search"}),
    [](const auto& test) { return test.param.front() + std::to_string(test.index); });

}  // namespace
}  // namespace cubicbench::integration
