#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

TEST(Sobol, ProposesEveryConfigurationOnceAndAllInItsOneRound) {
  const scenarios::SearchSpace space = box();
  const auto searcher = make("sobol", space, 3);
  const std::vector<Proposal> proposed = drive_proposals(*searcher, 100, told);
  std::set<scenarios::Configuration> different;
  for (const Proposal& proposal : proposed) {
    EXPECT_EQ(proposal.round, 0);
    different.insert(proposal.config);
  }
  EXPECT_EQ(proposed.size(), 64u);
  EXPECT_EQ(different.size(), 64u);
}

}  // namespace
}  // namespace cubicbench::search
