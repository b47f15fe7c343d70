// Bugs that people really put into searchers, each in a searcher that ships, and what `compare`
// says of it with its defaults: question not-worse, margin 0.01, alpha 0.01. The quick cases play a
// few seeds; with CUBICBENCH_BUGS set all are played, and docs/compare.md must have their rows.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "results/comparison/comparison.h"
#include "results/document/number_text.h"
#include "tests/bugs/broken_searchers.h"
#include "tests/bugs/played_side.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"
#include "tests/text_files.h"

namespace cubicbench::results {
namespace {

using namespace search;  // NOLINT(google-build-using-namespace)

struct Case {
  std::string name;      ///< as docs/compare.md has it
  std::string searcher;  ///< that ships
  MakeSearcher make;
  std::int64_t seeds = 0;
  std::int64_t quick_seeds = 0;  ///< 0: not among the quick ones
  Verdict verdict = Verdict::worse;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"mutation rate zero", "evolution", evolution_with(EvolutionFault::no_mutation), 20, 8},
      {"off-by-one top-k", "genetic", genetic_with(GeneticFault::skips_first), 20},
      {"reward's sign", "reinforce:rate=1", with_reward_sign("reinforce:rate=1"), 20},
      {"poisoned visited set", "evolution", evolution_with(EvolutionFault::poisoned_visited), 100},
      {"quota cut short", "evolution", with_short_quota("evolution"), 20},
      {"incumbent lost", "local-search", with_last_as_best("local-search"), 20},
      {"stale labels", "evolution", with_stale_labels("evolution"), 20, 8},
      {"failures told as zero", "constrained-gp", with_failures_as_zero("constrained-gp"), 20},
      {"seed used twice", "evolution", with_seed_twice("evolution"), 20},
      {"policy never updated", "reinforce:rate=1", shipped("reinforce:rate=0.000001"), 20},
      {"ties by order", "evolution", evolution_with(EvolutionFault::ties_by_order), 20, 8},
      {"a tournament read from its other end", "evolution",
       evolution_with(EvolutionFault::other_end), 30, 0, Verdict::not_worse},
      {"scores told as logarithms", "evolution", with_logarithms("evolution"), 20, 8,
       Verdict::not_worse}};
  return all;
}

bool plays_all() { return std::getenv("CUBICBENCH_BUGS") != nullptr; }

/// The one that ships, played once for all cases of it.
const ComparedSide& baseline(const std::string& searcher, std::int64_t seeds) {
  static std::map<std::pair<std::string, std::int64_t>, ComparedSide> played;
  const auto [at, is_new] = played.try_emplace({searcher, seeds});
  if (is_new) at->second = played_side(searcher, shipped(searcher), seeds);
  return at->second;
}

std::string row_of(const Case& c, const Comparison& found) {
  const auto number = [](double value) { return (value < 0.0 ? "" : "+") + fixed(value, 3); };
  return "| " + c.name + " | `" + c.searcher + "` | " + std::to_string(c.seeds) + " | " +
         fixed(found.scores[0], 3) + " | " + number(found.difference.mean) + " | " +
         number(found.difference.low.value()) + " to " + number(found.difference.high.value()) +
         " | `" + std::string(name_of(found.verdict)) + "` |";
}

class DeliberateBugs : public testing::TestWithParam<Case> {};

TEST_P(DeliberateBugs, AreCalledWorseAndRewritesAreNot) {
  const Case& c = GetParam();
  const std::int64_t seeds = plays_all() ? c.seeds : c.quick_seeds;
  if (seeds == 0) GTEST_SKIP() << "CUBICBENCH_BUGS is unset";
  const Comparison found =
      compare(baseline(c.searcher, seeds), played_side(c.searcher, c.make, seeds), {});
  EXPECT_EQ(found.verdict, c.verdict) << row_of(c, found);
  if (!plays_all()) return;
  const std::string docs = read_text(CUBICBENCH_SOURCE_DIR "/docs/compare.md");
  const std::string row = row_of(c, found);
  EXPECT_NE(docs.find(row), std::string::npos) << "docs/compare.md lacks\n" << row;
}

INSTANTIATE_TEST_SUITE_P(All, DeliberateBugs, testing::ValuesIn(cases()),
                         [](const auto& one) { return std::to_string(one.index); });

/// What it proposes for one space after the other.
auto proposals_of(const MakeSearcher& make) {
  const scenarios::SearchSpace spaces[] = {wide_box(), conditional()};
  std::vector<decltype(drive(std::declval<Searcher&>(), 150, mixed_outcome))> all;
  for (const scenarios::SearchSpace& space : spaces) {
    const auto searcher = make({.space = space, .seed = 3, .trials = 150});
    all.push_back(drive(*searcher, 150, mixed_outcome));
  }
  return all;
}

// What is put together here anew differs from what ships by the fault alone.
TEST(RebuiltSearchers, ProposeWhatTheShippedOnesDo) {
  EXPECT_EQ(proposals_of(evolution_with(EvolutionFault::none)), proposals_of(shipped("evolution")));
  EXPECT_EQ(proposals_of(genetic_with(GeneticFault::none)), proposals_of(shipped("genetic")));
}

}  // namespace
}  // namespace cubicbench::results
