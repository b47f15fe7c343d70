// What every searcher keeps, whatever it does: each of the registry, with defaults and with other
// options, on spaces small enough to enumerate. A new searcher is in as soon as it is registered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "search/searchers/registry.h"
#include "search/study/telling.h"
#include "sim/base/philox.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::SearchSpace;
using scenarios::TrialState;

/// Every searcher that ships and is no check of the bench, each of them permuted too, and variants
/// whose options make them leave their first phase soon.
std::vector<std::string> all_searchers() {
  std::vector<std::string> texts;
  for (const SearcherEntry& entry : searchers()) {
    if (entry.is_check) continue;
    texts.push_back(quick_text(entry.name));
    texts.push_back(texts.back() + std::string(permuted_mark));
  }
  texts.insert(texts.end(), further_texts().begin(), further_texts().end());
  return texts;
}

/// Those, and the checks of the bench, which keep less.
std::vector<std::string> searchers_and_checks() {
  std::vector<std::string> texts = all_searchers();
  for (const SearcherEntry& entry : searchers()) {
    if (!entry.is_check || entry.needs_known) continue;
    texts.emplace_back(entry.name);
    texts.push_back(texts.back() + std::string(permuted_mark));
  }
  return texts;
}

/// The searcher of a text, permuted or not.
SearcherSpec searcher_in(const std::string& text) {
  return parse_searcher(text.substr(0, text.find(permuted_mark)), "test");
}

struct NamedSpace {
  std::string name;
  SearchSpace space;
};

std::vector<NamedSpace> all_spaces() {
  return {{"box", box()},
          {"conditional", conditional()},
          {"diagonal", diagonal()},
          {"wide box", wide_box()},
          {"listed", listed()},
          {"single", single()},
          {"pair", pair()},
          {"no parameter", SearchSpace()},
          {"tiny-gpt", scenarios::read_scenario("tiny-gpt").space},
          {"tiny-llama", scenarios::read_scenario("tiny-llama").space}};
}

ToldTrial equal_outcome(std::int64_t trial, const Configuration& config) {
  ToldTrial outcome = told(trial, config);
  outcome.score = 1.0;
  return outcome;
}

template <typename Check>
void for_every_space(const std::vector<std::string>& texts, Check check) {
  for (const NamedSpace& named : all_spaces()) {
    for (const std::string& text : texts) {
      SCOPED_TRACE(text + " on " + named.name);
      check(text, named.space);
    }
  }
}

TEST(EverySearcher, ProposesOnlyConfigurationsOfTheSpace) {
  for_every_space(searchers_and_checks(), [](const std::string& text, const SearchSpace& space) {
    for (const std::size_t slots : {1U, 4U}) {
      const auto searcher = make(text, space, 1);
      const auto proposed = drive(*searcher, 200, mixed_outcome, slots);
      EXPECT_FALSE(proposed.empty());
      for (const Configuration& config : proposed) ASSERT_TRUE(space.contains(config));
    }
  });
}

TEST(EverySearcher, IsAFunctionOfTheSeedAndOfWhatItWasTold) {
  for_every_space(searchers_and_checks(), [](const std::string& text, const SearchSpace& space) {
    for (const std::size_t slots : {1U, 4U}) {
      const auto once = make(text, space, 7);
      const auto again = make(text, space, 7);
      // Nothing is shared between searchers: the second runs while the first is half-way.
      const auto begun = drive(*once, 60, mixed_outcome, slots);
      EXPECT_EQ(drive(*again, 60, mixed_outcome, slots), begun);
      EXPECT_EQ(drive(*once, 60, mixed_outcome, slots), drive(*again, 60, mixed_outcome, slots));
    }
  });
}

/// A searcher that was told of every third configuration of the first hundred before it is asked.
std::unique_ptr<Searcher> knowing(const std::string& text, const SearchSpace& space,
                                  std::uint64_t seed) {
  auto searcher = make(text, space, seed);
  Configuration config(space.size());
  const auto known = static_cast<std::int64_t>(std::min<std::uint64_t>(space.count(), 100));
  for (std::int64_t i = 0; i < known; i += 3) {
    space.configuration_at(static_cast<std::uint64_t>(i), config);
    searcher->remember(mixed_outcome(i - known, config));
  }
  return searcher;
}

TEST(EverySearcher, GoesOnFromWhatIsKnown) {
  for_every_space(searchers_and_checks(), [](const std::string& text, const SearchSpace& space) {
    const auto proposed = drive(*knowing(text, space, 7), 60, mixed_outcome, 2);
    EXPECT_EQ(drive(*knowing(text, space, 7), 60, mixed_outcome, 2), proposed);
    for (const Configuration& config : proposed) ASSERT_TRUE(space.contains(config));
    EXPECT_FALSE(proposed.empty());  // known configurations may be launched again
  });
}

TEST(BestKnown, ProposesTheBestOfWhatItWasToldOnce) {
  const SearchSpace space = box();
  const auto searcher = make("best-known:count=3", space, 1);
  // Means: (0, 0, 0) 5 and 7, (1, 0, 0) 8, (2, 0, 0) failed, (3, 0, 0) 6, (3, 1, 0) 1.
  const std::vector<std::pair<Configuration, double>> scores{
      {{0, 0, 0}, 5.0}, {{1, 0, 0}, 8.0}, {{3, 0, 0}, 6.0}, {{0, 0, 0}, 9.0}, {{3, 1, 0}, 1.0}};
  std::int64_t number = -6;
  for (const auto& [config, score] : scores) {
    ToldTrial known = told(number++, config);
    known.score = score;
    searcher->remember(known);
  }
  ToldTrial failed = told(number, {2, 0, 0});
  failed.state = TrialState::fail;
  failed.reason = Reason::oom_late;
  searcher->remember(failed);
  for (const Configuration& best : {Configuration{1, 0, 0}, {0, 0, 0}, {3, 0, 0}}) {
    const auto proposal = searcher->ask();
    ASSERT_TRUE(proposal);
    EXPECT_EQ(proposal->config, best);
  }
  EXPECT_FALSE(searcher->ask());
}

TEST(EverySearcher, DiffersBetweenSeeds) {
  for (const std::string& text : all_searchers()) {
    SCOPED_TRACE(text);
    const SearchSpace space = wide_box();
    std::set<std::vector<Configuration>> runs;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      runs.insert(drive(*make(text, space, seed), 5, equal_outcome));
    }
    EXPECT_EQ(runs.size(), 20U);
  }
}

TEST(EverySearcher, ProposesAsManyAsThereAreOrGoesOn) {
  for_every_space(all_searchers(), [](const std::string& text, const SearchSpace& space) {
    // More than tiny-llama has, also for those who launch short ones first.
    const std::int64_t trials = launches_short(searcher_in(text)) ? 4'000 : 2'500;
    const auto searcher = make(text, space, 3, trials);
    const auto proposed = drive_proposals(*searcher, trials, mixed_outcome);
    std::set<Configuration> whole;
    std::set<std::pair<Configuration, double>> distinct;
    for (const Proposal& proposal : proposed) {
      if (proposal.fidelity == whole_launch) whole.insert(proposal.config);
      distinct.emplace(proposal.config, proposal.fidelity);
    }
    const auto all = std::min<std::uint64_t>(space.count(), static_cast<std::uint64_t>(trials));
    if (text == "random:replacement=1") {
      EXPECT_EQ(proposed.size(), static_cast<std::size_t>(trials));
      return;
    }
    // Each of the others proposes nothing twice, everything in the end, and then ends for good.
    EXPECT_EQ(proposed.size(), distinct.size());
    if (!launches_short(searcher_in(text))) {
      EXPECT_EQ(proposed.size(), all);
    }
    if (all == space.count()) {
      EXPECT_EQ(whole.size(), all);
      EXPECT_FALSE(searcher->ask().has_value());
      EXPECT_FALSE(searcher->ask().has_value());
    }
  });
}

TEST(EverySearcher, EndsWithoutBeingTold) {
  for (const NamedSpace& named : {NamedSpace{"single", single()}, NamedSpace{"pair", pair()}}) {
    for (const std::string& text : searchers_and_checks()) {
      SCOPED_TRACE(text + " on " + named.name);
      const auto searcher = make(text, named.space, 5);
      std::uint64_t asked = 0;
      std::uint64_t whole = 0;
      for (; asked < 50; ++asked) {
        const auto proposal = searcher->ask();
        if (!proposal) break;
        if (proposal->fidelity == whole_launch) ++whole;
      }
      EXPECT_TRUE(asked == 50 || whole == named.space.count()) << asked;
    }
  }
}

TEST(EverySearcher, LivesWithTrialsThatAreNeverTold) {
  for_every_space(all_searchers(), [](const std::string& text, const SearchSpace& space) {
    for (const std::int64_t dropped : {1, 2, 5}) {
      const auto searcher = make(text, space, 9);
      const auto proposed = drive(*searcher, 200, mixed_outcome, 3, dropped);
      EXPECT_GE(proposed.size(), std::min<std::uint64_t>(200, space.count()));
      for (const Configuration& config : proposed) ASSERT_TRUE(space.contains(config));
    }
  });
}

TEST(EverySearcher, LivesWithNothingButFailures) {
  constexpr std::array reasons{Reason::none,    Reason::invalid, Reason::oom_init, Reason::oom_late,
                               Reason::timeout, Reason::infra,   Reason::numeric};
  const SearchSpace space = conditional();
  for (const std::string& text : all_searchers()) {
    for (const Reason reason : reasons) {
      SCOPED_TRACE(text + " told " + std::string(name_of(reason)));
      const auto searcher = make(text, space, 2);
      const auto fail = [&](std::int64_t trial, const Configuration& config) {
        ToldTrial outcome = told(trial, config);
        outcome.state = TrialState::fail;
        outcome.reason = reason;
        return outcome;
      };
      EXPECT_GE(drive(*searcher, 100, fail, 4).size(), std::min<std::uint64_t>(100, space.count()));
    }
  }
}

// Every second configuration fails, and the searcher hears of that in each of the five ways: it
// goes through all of the space, and so finds the best that runs.
TEST(EverySearcher, FindsTheBestOfWhatRunsUnderEveryTelling) {
  const SearchSpace space = conditional();
  const scenarios::Objective objective = scenarios::read_scenario("tiny-gpt").objective;
  std::uint64_t best = space.count();
  const auto fails = [](std::uint64_t number) { return number * number % 11 < 6; };
  do --best;
  while (fails(best));
  for (const std::string& text : all_searchers()) {
    for (const std::string_view name : telling_names()) {
      SCOPED_TRACE(text + " told " + std::string(name));
      Teller teller(parse_telling(name, "test"), objective);
      const auto searcher = make(text, space, 6);
      bool found = false;
      double left = 5.0 * static_cast<double>(space.count());
      for (std::int64_t trial = 0; left > 0.0; ++trial) {
        searcher->observe({.launches_left = left});
        const auto proposal = searcher->ask();
        if (!proposal) break;
        left -= charge_of(proposal->fidelity);
        ASSERT_TRUE(space.contains(proposal->config));
        const std::uint64_t number = space.number_of(proposal->config);
        found = found || (number == best && proposal->fidelity == whole_launch);
        scenarios::TrialOutcome outcome;
        if (fails(number)) {
          outcome.state = TrialState::fail;
          outcome.reason = Reason::oom_init;
          outcome.metrics.emplace_back(over_bytes_metric, 1e9);
        } else {
          outcome.value = static_cast<double>(number + 1);
        }
        auto heard = teller.told(trial, proposal->config, outcome);
        if (!heard) continue;
        heard->fidelity = proposal->fidelity;
        searcher->tell(*heard);
      }
      EXPECT_TRUE(found);
    }
  }
}

TEST(EverySearcher, FindsTheOptimumOfASmallSpaceWithinFiveTimesItsSize) {
  for (const NamedSpace& named : all_spaces()) {
    if (named.space.count() > 200) continue;
    const std::uint64_t count = named.space.count();
    for (const std::string& text : all_searchers()) {
      SCOPED_TRACE(text + " on " + named.name);
      for (const std::uint64_t optimum : {std::uint64_t{0}, count / 2, count - 1}) {
        const auto away_from_optimum = [&](std::int64_t trial, const Configuration& config) {
          const std::uint64_t number = named.space.number_of(config);
          ToldTrial outcome = told(trial, config);
          outcome.score = -std::abs(static_cast<double>(number) - static_cast<double>(optimum));
          return outcome;
        };
        const auto proposed = drive_proposals(
            *make(text, named.space, 1), 5 * static_cast<std::int64_t>(count), away_from_optimum);
        EXPECT_TRUE(std::ranges::any_of(proposed, [&](const Proposal& proposal) {
          return proposal.fidelity == whole_launch &&
                 named.space.number_of(proposal.config) == optimum;
        })) << optimum;
      }
    }
  }
}

TEST(EverySearcher, EndsAfterTheOneConfigurationThatThereIs) {
  for (const NamedSpace& named :
       {NamedSpace{"single", single()}, NamedSpace{"no parameter", SearchSpace()}}) {
    for (const std::string& text : all_searchers()) {
      SCOPED_TRACE(text + " on " + named.name);
      if (text.starts_with("random:replacement=1")) continue;
      const auto searcher = make(text, named.space, 4);
      EXPECT_EQ(drive(*searcher, 10, equal_outcome).size(), 1U);
      EXPECT_FALSE(searcher->ask().has_value());
    }
  }
}

double chi_square(const std::vector<int>& observed, double expected) {
  double sum = 0.0;
  for (const int times : observed) sum += (times - expected) * (times - expected) / expected;
  return sum;
}

// The first value of a list is nothing special, nor the first parameter: where outcomes do not
// tell configurations apart, each value of each parameter is proposed equally often, early and
// late. Over seeds; the 99.99th percentile of chi-square with 1, 3 and 7 degrees of freedom.
TEST(EverySearcher, FavoursNoValue) {
  constexpr int seeds = 1'600;
  constexpr std::array<std::size_t, 4> trials{0, 1, 10, 29};
  const SearchSpace space =
      built({ordinal("tensor_parallel", run_of(4)), ordinal("micro_batch", run_of(8)),
             ordinal("async_tensor_parallel", {0, 1}), ordinal("pipeline_parallel", run_of(8))});
  constexpr std::array<double, 4> chi_square_max{21.11, 29.88, 15.14, 29.88};
  for (const std::string& text : all_searchers()) {
    std::vector<std::vector<Configuration>> runs;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      runs.push_back(drive(*make(text, space, seed), 30, equal_outcome));
    }
    for (const std::size_t trial : trials) {
      for (std::size_t i = 0; i < space.size(); ++i) {
        SCOPED_TRACE(text + ", trial " + std::to_string(trial) + ", parameter " +
                     std::to_string(i));
        std::vector<int> times(space.parameters()[i].values.size());
        for (const auto& run : runs) ++times[static_cast<std::size_t>(run[trial][i])];
        EXPECT_LT(chi_square(times, seeds / static_cast<double>(times.size())), chi_square_max[i]);
      }
    }
  }
}

// With conditions and constraints too, the first proposal is uniform over the configurations.
TEST(EverySearcher, StartsUniformly) {
  constexpr int seeds = 12'800;
  const SearchSpace space = box();
  constexpr double chi_square_max = 113.50;  // 63 degrees of freedom
  const SearchSpace narrow = diagonal();
  constexpr double narrow_max = 29.88;  // 7
  for (const std::string& text : all_searchers()) {
    SCOPED_TRACE(text);
    std::vector<int> times(space.count());
    std::vector<int> narrow_times(narrow.count());
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      ++times[space.number_of(make(text, space, seed)->ask()->config)];
      ++narrow_times[narrow.number_of(make(text, narrow, seed)->ask()->config)];
    }
    EXPECT_LT(chi_square(times, seeds / 64.0), chi_square_max);
    EXPECT_LT(chi_square(narrow_times, seeds / 8.0), narrow_max);
  }
}

// A label is a name and no number: under other names, in whatever order their codes are, a
// searcher does the same. So no order can be told but the one that a permuted space draws.
TEST(EverySearcher, ReadsNothingIntoLabels) {
  const SearchSpace space = labelled();
  const SearchSpace renamed =
      built({ordinal("micro_batch", run_of(8)), categorical("sharding", {3, 5, 0, 4, 1}),
             categorical("recompute", {2, 0, 3}), categorical("dtype", {4, 1, 3, 0})});
  for (const std::string& text : searchers_and_checks()) {
    SCOPED_TRACE(text);
    EXPECT_EQ(drive(*make(text, space, 3), 120, mixed_outcome),
              drive(*make(text, renamed, 3), 120, mixed_outcome));
  }
}

// ---- what each is for

TEST(RandomSearch, EnumeratesTheSpaceOnce) {
  for (const char* name : {"tiny-gpt", "tiny-llama"}) {
    SCOPED_TRACE(name);
    const SearchSpace space = scenarios::read_scenario(name).space;
    const auto searcher = make("random", space, 1);
    std::vector<int> times(space.count());
    while (const auto proposal = searcher->ask()) ++times[space.number_of(proposal->config)];
    EXPECT_EQ(times, std::vector<int>(space.count(), 1));
  }
}

TEST(RandomSearch, WithReplacementRepeatsAsOftenAsChanceDoes) {
  // Of 64 draws from 64, (1 - 1/64)^64 = 36.5 % of the configurations stay out: 23.4 on average,
  // with a standard deviation of 2.4 a run, so of 0.11 over 500 runs.
  constexpr int seeds = 500;
  const SearchSpace space = box();
  double missed = 0.0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto proposed = drive(*make("random:replacement=1", space, seed), 64, equal_outcome);
    const std::set<Configuration> distinct(proposed.begin(), proposed.end());
    missed += static_cast<double>(64 - distinct.size()) / seeds;
  }
  EXPECT_NEAR(missed, 23.36, 0.55);
}

TEST(SobolSearch, BalancesEveryParameter) {
  // Of 64 points every value of a parameter with eight gets eight.
  const SearchSpace space = wide_box();
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::array<std::array<int, 8>, 8> times{};
    for (const Configuration& config : drive(*make("sobol", space, seed), 64, equal_outcome)) {
      for (std::size_t i = 0; i < config.size(); ++i) {
        ++times[i][static_cast<std::size_t>(config[i])];
      }
    }
    for (const auto& of_parameter : times) EXPECT_THAT(of_parameter, testing::Each(8));
  }
}

/// The value of a configuration is the sum of a fixed random weight for each parameter's value.
class Additive {
 public:
  explicit Additive(const SearchSpace& space) : space_(space) {}

  double value(const Configuration& config) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < config.size(); ++i) sum += weight(i, config[i]);
    return sum;
  }

  double best() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < space_.size(); ++i) {
      double most = 0.0;
      for (std::size_t v = 0; v < space_.parameters()[i].values.size(); ++v) {
        most = std::max(most, weight(i, static_cast<std::int64_t>(v)));
      }
      sum += most;
    }
    return sum;
  }

 private:
  static double weight(std::size_t parameter, std::int64_t value) {
    return sim::uniform({.seed = 1,
                         .purpose = sim::Purpose::test,
                         .entity = parameter,
                         .draw = static_cast<std::uint32_t>(value)});
  }
  const SearchSpace& space_;
};

double mean_regret(const std::string& text, const SearchSpace& space, bool failures,
                   std::uint64_t seeds = 50) {
  const Additive landscape(space);
  double sum = 0.0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    double best = 0.0;
    const auto outcome = [&](std::int64_t trial, const Configuration& config) {
      ToldTrial result = told(trial, config);
      // Half the space runs out of memory.
      if (failures && config[0] >= 4) {
        result.state = TrialState::fail;
        result.reason = Reason::oom_init;
        return result;
      }
      result.score = landscape.value(config);
      best = std::max(best, *result.score);
      return result;
    };
    drive(*make(text, space, seed), 200, outcome);
    sum += (landscape.best() - best) / static_cast<double>(seeds);
  }
  return sum;
}

TEST(EvolutionSearch, BeatsRandomOnAnAdditiveLandscape) {
  const SearchSpace space = wide_box();
  for (const bool failures : {false, true}) {
    SCOPED_TRACE(failures);
    const double random = mean_regret("random", space, failures);
    const double evolution = mean_regret("evolution", space, failures);
    EXPECT_LT(evolution, 0.6 * random) << random;
  }
}

// Values are in no order here, so that numbers say little: what is left is the chance to leave out
// what is bad.
TEST(CubicSearch, BeatsRandomOnAnAdditiveLandscape) {
  const SearchSpace space = wide_box();
  for (const bool failures : {false, true}) {
    SCOPED_TRACE(failures);
    const double random = mean_regret("random", space, failures);
    for (const char* cubicml :
         {"cubicml", "cubicml:paper=1:random=40:ensemble=4:epochs=30:steps=150"}) {
      EXPECT_LT(mean_regret(cubicml, space, failures, 4), 0.6 * random) << cubicml << random;
    }
  }
}

// ---- the checks of the bench

TEST(ConstantSearch, ProposesOneConfiguration) {
  const SearchSpace space = conditional();
  const auto proposed = drive(*make("constant", space, 4), 50, mixed_outcome);
  EXPECT_EQ(proposed.size(), 50U);
  EXPECT_THAT(proposed, testing::Each(proposed.front()));
  EXPECT_EQ(space.number_of(proposed.front()), 0U);
}

TEST(FirstValueSearch, CountsUp) {
  const SearchSpace space = conditional();
  const auto proposed = drive(*make("first-value", space, 4), 1'000, mixed_outcome);
  ASSERT_EQ(proposed.size(), space.count());
  for (std::size_t i = 0; i < proposed.size(); ++i) EXPECT_EQ(space.number_of(proposed[i]), i);
}

TEST(CornerSearch, ProposesEveryCornerOnce) {
  const auto proposed = drive(*make("corner", box(), 4), 1'000, mixed_outcome);
  EXPECT_THAT(proposed, testing::UnorderedElementsAre(
                            Configuration{0, 0, 0}, Configuration{0, 0, 1}, Configuration{0, 7, 0},
                            Configuration{0, 7, 1}, Configuration{3, 0, 0}, Configuration{3, 0, 1},
                            Configuration{3, 7, 0}, Configuration{3, 7, 1}));
  // Where a constraint leaves one value, there are fewer: the ends of the diagonal are all.
  EXPECT_THAT(drive(*make("corner", diagonal(), 4), 1'000, mixed_outcome),
              testing::UnorderedElementsAre(Configuration{0, 0, 0}, Configuration{7, 7, 7}));
}

}  // namespace
}  // namespace cubicbench::search
