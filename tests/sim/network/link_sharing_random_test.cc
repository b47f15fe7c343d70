// The incremental solver against the textbook, and the laws of max-min sharing, on random networks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sim/base/philox.h"
#include "sim/network/link_sharing.h"
#include "tests/sim/network/textbook_sharing.h"

namespace cubicbench::sim {
namespace {

/// Random networks tried; 10^4 in the full stage.
std::uint64_t network_count() {
  const char* text = std::getenv("CUBICBENCH_SHARING_NETWORKS");
  return text == nullptr ? 1000 : std::strtoull(text, nullptr, 10);
}

class Dice {
 public:
  Dice(std::uint64_t seed, std::uint64_t network) : seed_(seed), network_(network) {}

  std::int64_t below(std::size_t n) {
    return static_cast<std::int64_t>(
        uniform_below({.seed = seed_, .entity = network_, .draw = next_++}, n));
  }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + below(static_cast<std::size_t>(high - low + 1));
  }
  std::int64_t one_of(const std::vector<std::int64_t>& values) {
    return values[static_cast<std::size_t>(below(values.size()))];
  }

 private:
  std::uint64_t seed_;
  std::uint64_t network_;
  std::uint32_t next_ = 0;
};

struct Network {
  std::vector<std::int64_t> capacities;
  std::vector<SharingSet> sets;
};

/// What capacities, caps and weights a network draws from.
struct Taste {
  std::vector<std::int64_t> capacities =
      {};  ///< these alone, so that many are equal; {}: to `largest`
  std::int64_t largest = 0;
  std::vector<std::int64_t> weights = {};
  bool shared_spine = false;  ///< all sets use bundle 0, which holds no one up or many
  bool chain = false;         ///< each set uses two bundles, and shares each with one other
};

Taste taste_of(Dice& dice) {
  const std::vector<std::int64_t> plain = {256};
  const std::vector<std::int64_t> folded = {1, 128, 256, 512, 768, 4096};
  switch (dice.below(6)) {
    case 0:
      return {.capacities = {25'000'000'000, 50'000'000'000}, .weights = plain};
    case 1:
      return {.capacities = {12, 17, 60}, .weights = {128, 256, 512}};
    case 2:
      return {.largest = 9, .weights = folded};  // levels are 1 B/s or a few
    case 3:
      return {.largest = 1'000'000'000'000, .weights = folded, .shared_spine = true};
    case 4:
      return {.largest = 1'000'000, .weights = plain, .chain = true};
    default:
      return {.largest = 6'000'000'000'000'000, .weights = {1, 255, 256, 1 << 20, 1 << 26}};
  }
}

std::int64_t drawn_rate(const Taste& taste, Dice& dice) {
  return taste.capacities.empty() ? dice.between(1, taste.largest) : dice.one_of(taste.capacities);
}

SharingSet drawn_set(const Network& network, const Taste& taste, Dice& dice) {
  SharingSet set{.uses = {}, .cap = drawn_rate(taste, dice)};
  if (taste.chain) {
    for (const std::size_t bundle : {network.sets.size(), network.sets.size() + 1}) {
      set.uses.push_back({id_at<BundleId>(bundle % network.capacities.size()), 256});
    }
    return set;
  }
  if (taste.shared_spine) set.uses.push_back({BundleId{0}, dice.one_of(taste.weights)});
  for (std::int64_t uses = dice.between(0, 5); uses > 0; --uses) {
    const auto bundle = static_cast<std::size_t>(dice.below(network.capacities.size()));
    set.uses.push_back({id_at<BundleId>(bundle), dice.one_of(taste.weights)});
  }
  return set;
}

Network drawn_network(const Taste& taste, Dice& dice) {
  Network network;
  for (std::int64_t bundles = dice.between(1, 24); bundles > 0; --bundles) {
    network.capacities.push_back(drawn_rate(taste, dice));
  }
  if (taste.chain) {
    // What a set at the head does not get the next one does, and so on down the chain.
    std::int64_t share = 0;
    for (std::int64_t& capacity : network.capacities) {
      capacity = 2 * share + dice.between(1, 100);
      share = capacity - share;
    }
  }
  if (taste.shared_spine) network.capacities[0] *= dice.between(1, 20);
  for (std::int64_t sets = dice.between(1, 32); sets > 0; --sets) {
    network.sets.push_back(drawn_set(network, taste, dice));
  }
  return network;
}

using Rates = std::vector<std::int64_t>;

LinkSharing sharing_of(const Network& network) {
  return LinkSharing(IdVector<BundleId, std::int64_t>(network.capacities));
}

Rates rates_of(const LinkSharing& sharing, const Network& network) {
  Rates rates;
  for (std::size_t set = 0; set < network.sets.size(); ++set) {
    rates.push_back(sharing.rate(id_at<FlowSetId>(set)));
  }
  return rates;
}

/// The network that the incremental solver sees, and the same as a table.
class Played {
 public:
  explicit Played(const Network& network) : network_(network), sharing_(sharing_of(network)) {
    for (const SharingSet& set : network.sets) sharing_.add(set.uses, set.cap);
    before_ = rates_of(sharing_, network_);
  }

  const Network& network() const { return network_; }

  void change(std::size_t row, Dice& dice) {
    SharingSet& set = network_.sets[row];
    const auto id = id_at<FlowSetId>(row);
    if (set.active) {
      sharing_.stop(id);
      before_[row] = 0;  // where it starts again, it counts as changed
    } else {
      if (dice.below(4) == 0)
        sharing_.set_cap(id, set.cap = std::max<std::int64_t>(set.cap / 2, 1));
      sharing_.start(id);
    }
    set.active = !set.active;
  }

  void add(const SharingSet& set) {
    network_.sets.push_back(set);
    sharing_.add(set.uses, set.cap);
    before_.push_back(0);
  }

  /// Shares, and compares with the textbook both rates and whose rate changed.
  Rates settle() {
    const auto changed = sharing_.settle();
    const Rates rates = rates_of(sharing_, network_);
    EXPECT_EQ(rates, textbook_rates(network_.capacities, network_.sets));
    std::vector<FlowSetId> expected;
    for (std::size_t set = 0; set < rates.size(); ++set) {
      if (network_.sets[set].active && rates[set] != before_[set]) {
        expected.push_back(id_at<FlowSetId>(set));
      }
    }
    EXPECT_EQ(std::vector<FlowSetId>(changed.begin(), changed.end()), expected);
    before_ = rates;
    return rates;
  }

 private:
  Network network_;
  LinkSharing sharing_;
  Rates before_;
};

/// What a bundle carries, in 1/256 B/s, and the sets on it that are fastest.
struct Load {
  __extension__ typedef __int128 Wide;

  Wide used = 0;
  std::int64_t highest = 0;
  Wide highest_weight = 0;  ///< of the sets at the highest rate
};

std::vector<Load> loads_of(const Network& network, const Rates& rates) {
  std::vector<Load> loads(network.capacities.size());
  const auto each_use = [&](const auto& see) {
    for (std::size_t set = 0; set < rates.size(); ++set) {
      if (!network.sets[set].active) continue;
      for (const LinkUse& use : network.sets[set].uses) {
        see(loads[index_of(use.bundle)], rates[set], use.weight);
      }
    }
  };
  each_use([](Load& load, std::int64_t rate, std::int64_t weight) {
    load.used += Load::Wide{rate} * weight;
    load.highest = std::max(load.highest, rate);
  });
  each_use([](Load& load, std::int64_t rate, std::int64_t weight) {
    if (rate == load.highest) load.highest_weight += weight;
  });
  return loads;
}

/// No bundle carries more than it can, but what 1 B/s a set comes to; no set is above its cap; and
/// each is at its cap, or on a full bundle where no other is faster.
void expect_fair(const Network& network, const Rates& rates) {
  const std::vector<Load> loads = loads_of(network, rates);
  const auto free = [&](std::size_t bundle) {
    return Load::Wide{256} * network.capacities[bundle] - loads[bundle].used;
  };
  for (std::size_t bundle = 0; bundle < loads.size(); ++bundle) {
    EXPECT_TRUE(free(bundle) >= 0 || loads[bundle].highest == 1) << "bundle " << bundle;
  }
  for (std::size_t set = 0; set < rates.size(); ++set) {
    if (!network.sets[set].active) {
      EXPECT_EQ(rates[set], 0) << "set " << set;
      continue;
    }
    const auto& uses = network.sets[set].uses;
    EXPECT_GE(rates[set], 1) << "set " << set;
    EXPECT_LE(rates[set], network.sets[set].cap) << "set " << set;
    const bool held_up = std::any_of(uses.begin(), uses.end(), [&](const LinkUse& use) {
      const std::size_t bundle = index_of(use.bundle);
      return loads[bundle].highest == rates[set] && free(bundle) < loads[bundle].highest_weight;
    });
    EXPECT_TRUE(rates[set] == network.sets[set].cap || held_up) << "set " << set;
  }
}

TEST(LinkSharingRandom, EqualsTheTextbookAfterEveryChange) {
  for (std::uint64_t seed = 0; seed < network_count(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Dice dice(1, seed);
    const Taste taste = taste_of(dice);
    Played played(drawn_network(taste, dice));
    const std::int64_t batch = dice.one_of({1, 1, 4, 20});
    for (int step = 0; step < 40; ++step) {
      for (std::int64_t change = dice.between(1, batch); change > 0; --change) {
        const std::size_t sets = played.network().sets.size();
        played.change(static_cast<std::size_t>(dice.below(sets)), dice);
      }
      if (dice.below(10) == 0) played.add(drawn_set(played.network(), taste, dice));
      const Rates rates = played.settle();
      expect_fair(played.network(), rates);
      if (HasFailure()) return;
    }
  }
}

/// What the first set of a chain takes, the second leaves to the third, and so on: one start or
/// stop changes all rates, far from where it was.
TEST(LinkSharingRandom, AChangeRunsDownAChain) {
  constexpr std::int64_t length = 60;
  Network network;
  std::int64_t share =
      0;  // of set i where all run: 100 (i + 1), of bundle i - 1 what set i - 1 left
  for (std::int64_t set = 0; set < length; ++set) {
    const std::int64_t before = share;
    share += 100;
    network.capacities.push_back(before + share);
    SharingSet row{.uses = {{id_at<BundleId>(static_cast<std::size_t>(set))}}, .cap = 1'000'000};
    if (set + 1 < length) row.uses.push_back({id_at<BundleId>(static_cast<std::size_t>(set) + 1)});
    network.sets.push_back(row);
  }
  Dice dice(7, 0);
  Played played(network);
  for (std::size_t row = 0; row < network.sets.size(); ++row) played.change(row, dice);
  Rates before = played.settle();
  for (int turn = 0; turn < 4; ++turn) {
    played.change(0, dice);
    const Rates rates = played.settle();
    expect_fair(played.network(), rates);
    for (std::size_t set = 0; set < rates.size(); ++set) EXPECT_NE(rates[set], before[set]) << set;
    before = rates;
  }
}

/// All sets start at once, in the order of `order`.
Rates started(const Network& network, const std::vector<std::size_t>& order) {
  LinkSharing sharing = sharing_of(network);
  for (const SharingSet& set : network.sets) sharing.add(set.uses, set.cap);
  for (const std::size_t set : order) sharing.start(id_at<FlowSetId>(set));
  sharing.settle();
  return rates_of(sharing, network);
}

std::vector<std::size_t> in_order(const Network& network) {
  std::vector<std::size_t> order;
  for (std::size_t set = 0; set < network.sets.size(); ++set) order.push_back(set);
  return order;
}

void shuffle(std::vector<std::size_t>& order, Dice& dice) {
  for (std::size_t end = order.size(); end > 1; --end) {
    std::swap(order[end - 1], order[static_cast<std::size_t>(dice.below(end))]);
  }
}

TEST(LinkSharingRandom, OrderOfStartsAndNumbersOfBundlesDoNotCount) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Dice dice(2, seed);
    const Network network = drawn_network(taste_of(dice), dice);
    std::vector<std::size_t> order = in_order(network);
    const Rates rates = started(network, order);
    shuffle(order, dice);
    EXPECT_EQ(started(network, order), rates);

    std::vector<std::size_t> number(network.capacities.size());
    for (std::size_t bundle = 0; bundle < number.size(); ++bundle) number[bundle] = bundle;
    shuffle(number, dice);
    Network renamed = network;
    for (std::size_t bundle = 0; bundle < number.size(); ++bundle) {
      renamed.capacities[number[bundle]] = network.capacities[bundle];
    }
    for (SharingSet& set : renamed.sets) {
      for (LinkUse& use : set.uses) use.bundle = id_at<BundleId>(number[index_of(use.bundle)]);
    }
    EXPECT_EQ(started(renamed, in_order(renamed)), rates);
  }
}

/// Folding: of sets that are alike one may stand for all, with their weights in sum.
TEST(LinkSharingRandom, EqualSetsAreOneOfTheirWeight) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Dice dice(3, seed);
    Taste taste = taste_of(dice);
    taste.weights = {1, 100, 256, 1024};
    const Network folded = drawn_network(taste, dice);
    Network unfolded{.capacities = folded.capacities, .sets = {}};
    std::vector<std::size_t> folded_row;
    Network weighted = folded;
    for (std::size_t row = 0; row < folded.sets.size(); ++row) {
      const std::int64_t copies = dice.between(1, 5);
      for (std::int64_t copy = 0; copy < copies; ++copy) {
        unfolded.sets.push_back(folded.sets[row]);
        folded_row.push_back(row);
      }
      for (LinkUse& use : weighted.sets[row].uses) use.weight *= copies;
    }
    const Rates rates = started(weighted, in_order(weighted));
    const Rates each = started(unfolded, in_order(unfolded));
    for (std::size_t set = 0; set < each.size(); ++set) {
      EXPECT_EQ(each[set], rates[folded_row[set]]) << "copy of set " << folded_row[set];
    }
  }
}

/// Folding of cables: k equal networks in one, k times as wide.
TEST(LinkSharingRandom, EqualNetworksAreOneAsWideAsAll) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Dice dice(4, seed);
    Taste taste = taste_of(dice);
    taste.weights = {1, 100, 256, 1024};
    const Network narrow = drawn_network(taste, dice);
    const std::int64_t copies = dice.between(2, 3);  // 1.8e16 is as wide as a bundle may be
    Network wide = narrow;
    for (std::int64_t& capacity : wide.capacities) capacity *= copies;
    for (SharingSet& set : wide.sets) {
      for (LinkUse& use : set.uses) use.weight *= copies;
    }
    EXPECT_EQ(started(wide, in_order(wide)), started(narrow, in_order(narrow)));
  }
}

TEST(LinkSharingRandom, OnOneBundleNobodyGainsWhenASetStarts) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Dice dice(5, seed);
    const Taste taste = taste_of(dice);
    Network network = drawn_network(taste, dice);
    network.capacities.resize(1);
    for (SharingSet& set : network.sets) {
      set.uses = {{.bundle = BundleId{0}, .weight = dice.one_of(taste.weights)}};
    }
    Played played(network);
    Rates before(network.sets.size());
    for (std::size_t row = 0; row < network.sets.size(); ++row) {
      played.change(row, dice);
      const Rates rates = played.settle();
      for (std::size_t other = 0; other < row; ++other) EXPECT_LE(rates[other], before[other]);
      before = rates;
    }
  }
}

TEST(LinkSharingRandom, TwiceTheCapacityIsTwiceTheRate) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Dice dice(6, seed);
    const Taste taste{.largest = 1'000'000'000'000, .weights = {128, 256, 512}};
    const Network single = drawn_network(taste, dice);
    Network twice = single;
    for (std::int64_t& capacity : twice.capacities) capacity *= 2;
    for (SharingSet& set : twice.sets) set.cap *= 2;
    const Rates rates = started(single, in_order(single));
    const Rates doubled = started(twice, in_order(twice));
    for (std::size_t set = 0; set < rates.size(); ++set) {
      // Rounding down takes less than 1 B/s of a level, which the next ones may multiply.
      EXPECT_NEAR(static_cast<double>(doubled[set]), 2.0 * static_cast<double>(rates[set]), 1000.0);
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
