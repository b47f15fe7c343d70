#include "results/document/series_look.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cubicbench::results {
namespace {

TEST(Looks, OfThoseThatShipAreTheSameOnEveryPage) {
  const auto looks = looks_of({"random", "cubicml", "evolution:population=8", "evolution", "mine"});
  EXPECT_EQ(looks[1].color, "#0072B2");
  EXPECT_EQ(looks[2].color, "#E69F00");
  EXPECT_EQ(looks[3].color, "#E69F00");
  EXPECT_NE(looks[2].dash, looks[3].dash);
  EXPECT_EQ(looks_of({"evolution (slots 4)"})[0].color, "#E69F00");
  EXPECT_EQ(looks_of({"other", "cubicml"})[1].color, "#0072B2");
}

TEST(Looks, NoTwoOnAPageAreEqual) {
  std::vector<std::string> names;
  for (int i = 0; i < 6; ++i) names.push_back("evolution:sample=" + std::to_string(i));
  for (const char* const name : {"random", "sobol", "cubicml", "a", "b", "c"})
    names.push_back(name);
  std::set<std::pair<std::string, int>> seen;
  for (const SeriesLook& look : looks_of(names)) {
    EXPECT_TRUE(seen.insert({look.color, look.dash}).second) << look.color << " " << look.dash;
  }
}

}  // namespace
}  // namespace cubicbench::results
