#include <gtest/gtest.h>

#include <set>

#include "datasets/problem/table_scenario.h"
#include "scenarios/problem/granted_baseline.h"
#include "search/permuted/permuted_searcher.h"
#include "search/study/study.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

std::vector<Configuration> proposals(const std::string& text, const scenarios::Scenario& scenario) {
  const StudySpec spec{.scenario = scenario.name, .searcher = parse_searcher(text, "test")};
  const auto searcher = searcher_of(spec, scenario);
  std::vector<Configuration> all;
  while (auto proposal = searcher->ask()) all.push_back(std::move(proposal->config));
  return all;
}

TEST(Portfolio, TriesOptimaOfOtherProblemsThatTheSpaceHasAndEnds) {
  std::size_t tried = 0;
  for (const char* const name : {"ads-mixed@1", "ads-mixed@16", "moe@18", "dense-small@17"}) {
    SCOPED_TRACE(name);
    const scenarios::Scenario scenario = datasets::read_scenario(name);
    const std::vector<Configuration> all = proposals("portfolio:random=0", scenario);
    EXPECT_LT(all.size(), 16U);
    EXPECT_EQ(std::set<Configuration>(all.begin(), all.end()).size(), all.size());
    for (const Configuration& config : all) EXPECT_TRUE(scenario.space.contains(config));
    tried += all.size();
    EXPECT_LE(proposals("portfolio:size=1:random=0", scenario).size(), 1U);
  }
  EXPECT_GT(tried, 0U);
}

TEST(Portfolio, SaysWhatIsNoLongerRemembered) {
  const scenarios::Scenario scenario = datasets::read_scenario("ads-mixed@16");
  const std::size_t remembered = proposals("portfolio:random=0", scenario).size();
  const StudySpec spec{.scenario = scenario.name, .searcher = parse_searcher("portfolio", "test")};
  const auto searcher = searcher_of(spec, scenario);
  for (std::size_t i = 0; i < remembered + 3; ++i) {
    EXPECT_EQ(searcher->ask()->round, i < remembered ? 0 : 1) << i;
  }
}

TEST(Portfolio, KnowsTheOptimumOfAProblemOnlyUnderAnotherName) {
  scenarios::Scenario scenario = datasets::read_scenario("ads-mixed@16");
  const std::size_t without = proposals("portfolio:random=0", scenario).size();
  scenario.name = "mine";
  EXPECT_EQ(proposals("portfolio:random=0", scenario).size(), without + 1);
}

TEST(Portfolio, OnAForeignSpaceHasNothing) {
  const scenarios::SearchSpace space = box();
  const SearchContext context{.space = space, .seed = 1, .trials = 9};
  EXPECT_FALSE(make_searcher(parse_searcher("portfolio:random=0", "test"), context)->ask());
  EXPECT_EQ(make_searcher(parse_searcher("portfolio", "test"), context)->ask()->config,
            make_searcher(parse_searcher("random", "test"), context)->ask()->config);
}

}  // namespace
}  // namespace cubicbench::search
