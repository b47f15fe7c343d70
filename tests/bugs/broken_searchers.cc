#include "tests/bugs/broken_searchers.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "search/searchers/crossover.h"
#include "search/searchers/fitness.h"
#include "search/searchers/known_trials.h"
#include "search/searchers/mutation.h"
#include "search/searchers/random_stream.h"
#include "search/searchers/unproposed.h"
#include "sim/base/numeric.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::TrialState;

struct Member {
  Configuration config;
  Fitness fitness{};
};

/// search/searchers/evolution.cc with its defaults.
class Evolution final : public Searcher {
 public:
  Evolution(const SearchContext& context, EvolutionFault fault)
      : space_(context.space), seed_(context.seed), fault_(fault), unproposed_(space_, seed_) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    asked_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    const std::uint64_t number = asked_++;
    std::optional<Configuration> config;
    if (number >= population_max && !population_.empty()) {
      RandomStream random(seed_, Stream::decision, number);
      config = child(parent(random).config, random);
    }
    if (!config) config = any();
    if (!config) return std::nullopt;
    return Proposal{.config = std::move(config).value(), .round = 0};
  }

  void tell(const ToldTrial& trial) override {
    if (fault_ == EvolutionFault::poisoned_visited) {
      Configuration known = trial.config;
      known.resize(known.size() / 2);
      visited_.insert(known);
    }
    population_.push_back({.config = trial.config, .fitness = fitness_of(trial)});
    if (population_.size() > population_max) population_.pop_front();
  }

 private:
  static constexpr std::size_t population_max = 50;
  static constexpr std::size_t sample = 10;

  const Member& parent(RandomStream& random) const {
    std::array<const Member*, sample> drawn{};
    for (const Member*& one : drawn) one = &population_[random.position(population_.size())];
    if (fault_ == EvolutionFault::other_end) std::ranges::reverse(drawn);
    const auto better = [](const Member* a, const Member* b) { return a->fitness > b->fitness; };
    return **std::ranges::min_element(drawn, better);
  }

  std::optional<Configuration> child(const Configuration& of, RandomStream& random) {
    if (fault_ == EvolutionFault::no_mutation) {
      return unproposed_.take(of) ? std::optional(of) : std::nullopt;
    }
    if (fault_ == EvolutionFault::poisoned_visited) return unvisited_child(of, random);
    return fresh_mutation(space_, of, 1, unproposed_, random);
  }

  /// As fresh_mutation(), but the set of what was visited knows the first half of the knobs alone.
  std::optional<Configuration> unvisited_child(Configuration at, RandomStream& random) {
    for (int i = 0; i < 100; ++i) {
      Configuration next = at;
      if (!mutate(space_, next, random)) continue;
      at = next;
      next.resize(next.size() / 2);
      if (visited_.insert(next).second && unproposed_.take(at)) return at;
    }
    return std::nullopt;
  }

  std::optional<Configuration> any() {
    if (fault_ != EvolutionFault::ties_by_order) return unproposed_.take_random();
    Configuration config(space_.size());
    for (; first_ < space_.count(); ++first_) {
      space_.configuration_at(first_, config);
      if (unproposed_.take(config)) return config;
    }
    return std::nullopt;
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  EvolutionFault fault_;
  Unproposed unproposed_;
  std::deque<Member> population_;
  std::uint64_t asked_ = 0;
  std::uint64_t first_ = 0;
  std::set<Configuration> visited_;
};

/// search/searchers/genetic.cc with its defaults.
class Genetic final : public Searcher {
 public:
  Genetic(const SearchContext& context, GeneticFault fault)
      : space_(context.space),
        seed_(context.seed),
        fault_(fault),
        unproposed_(space_, seed_),
        known_(space_) {
    if (!context.baseline) return;
    unproposed_.take(*context.baseline);
    born_ = 1;
  }

  std::optional<Proposal> ask() override {
    if (unproposed_.empty()) return std::nullopt;
    RandomStream random(seed_, Stream::decision, asked_++);
    if (born_ >= population) begin_generation();
    std::optional<Configuration> config;
    if (parents_.size() >= 2) config = next_child(random);
    if (!config) config = unproposed_.take_random();
    ++born_;
    return Proposal{.config = std::move(config).value(), .round = generation_};
  }

  void tell(const ToldTrial& trial) override {
    members_.push_back({.config = trial.config, .fitness = known_.add(trial)});
  }

 private:
  static constexpr std::size_t population = 20;

  void begin_generation() {
    ++generation_;
    born_ = 0;
    if (members_.size() < 2) return;
    parents_ = std::move(members_);
    members_.clear();
    std::ranges::stable_sort(parents_, std::ranges::greater(), &Member::fitness);
  }

  std::optional<Configuration> next_child(RandomStream& random) {
    const auto draw = [&] {
      if (born_ >= population) begin_generation();
      return child(random);
    };
    const auto learn = [&](Member& born, const Fitness& fitness) {
      if (std::ranges::find(members_, born.config, &Member::config) != members_.end()) return;
      born.fitness = fitness;
      members_.push_back(std::move(born));
      ++born_;
    };
    auto born = fresh_draw(unproposed_, known_, draw, learn);
    return born ? std::optional(std::move(born->config)) : std::nullopt;
  }

  std::size_t favoured(RandomStream& random) const {
    const double share = 1.0 - sim::pow(1.0 - random.uniform(), 1.0 / 2.5);
    const auto place = static_cast<std::size_t>(share * static_cast<double>(parents_.size()));
    const std::size_t shift = fault_ == GeneticFault::skips_first ? 1 : 0;
    return std::min(parents_.size() - 1, place + shift);
  }

  std::optional<Member> child(RandomStream& random) const {
    const std::size_t mother = favoured(random);
    std::size_t father = favoured(random);
    for (int i = 0; i < 100 && father == mother; ++i) father = favoured(random);
    auto config = crossed(space_, parents_[mother].config, parents_[father].config, random);
    if (!config) return std::nullopt;
    if (random.below(10) == 0 && !mutate(space_, *config, random)) return std::nullopt;
    return Member{.config = std::move(*config)};
  }

  const scenarios::SearchSpace& space_;
  std::uint64_t seed_;
  GeneticFault fault_;
  Unproposed unproposed_;
  KnownTrials known_;
  std::vector<Member> parents_;
  std::vector<Member> members_;
  std::size_t born_ = 0;
  std::uint64_t asked_ = 0;
  std::int64_t generation_ = 0;
};

/// Stands between a study and a searcher, and passes everything on.
class Between : public Searcher {
 public:
  explicit Between(std::unique_ptr<Searcher> inner) : inner_(std::move(inner)) {}

  void announce(std::int64_t launches) override { inner_->announce(launches); }
  void observe(const StudyState& state) override { inner_->observe(state); }
  std::optional<Proposal> ask() override { return inner_->ask(); }
  bool waits() const override { return inner_->waits(); }
  void tell(const ToldTrial& trial) override { inner_->tell(trial); }
  std::optional<Configuration> recommend() override { return inner_->recommend(); }

 private:
  std::unique_ptr<Searcher> inner_;
};

using Change = std::function<ToldTrial(const ToldTrial&)>;

/// What it is told is changed on the way.
class Retold final : public Between {
 public:
  Retold(std::unique_ptr<Searcher> inner, Change change)
      : Between(std::move(inner)), change_(std::move(change)) {}

  void tell(const ToldTrial& trial) override { Between::tell(change_(trial)); }

 private:
  Change change_;
};

MakeSearcher retold(const std::string& text, std::function<Change()> change) {
  return [inner = shipped(text), change = std::move(change)](const SearchContext& context) {
    return std::make_unique<Retold>(inner(context), change());
  };
}

class ShortQuota final : public Between {
 public:
  ShortQuota(std::unique_ptr<Searcher> inner, std::int64_t quota)
      : Between(std::move(inner)), left_(quota) {}

  std::optional<Proposal> ask() override {
    if (left_-- <= 0) return std::nullopt;
    return Between::ask();
  }

 private:
  std::int64_t left_;
};

/// Two equal searchers take turns, and each is told of its own proposals.
class SeedTwice final : public Searcher {
 public:
  SeedTwice(std::unique_ptr<Searcher> one, std::unique_ptr<Searcher> two)
      : workers_{std::move(one), std::move(two)} {}

  std::optional<Proposal> ask() override { return workers_[turn_]->ask(); }

  void tell(const ToldTrial& trial) override {
    const bool granted = trial.trial == 0 && !is_told_;
    is_told_ = true;
    if (granted) {
      for (const auto& worker : workers_) worker->tell(trial);
      return;
    }
    workers_[turn_]->tell(trial);
    turn_ = 1 - turn_;
  }

 private:
  std::array<std::unique_ptr<Searcher>, 2> workers_;
  std::size_t turn_ = 0;
  bool is_told_ = false;
};

}  // namespace

MakeSearcher shipped(const std::string& text) {
  return [spec = parse_searcher(text, text)](const SearchContext& context) {
    return make_searcher(spec, context);
  };
}

MakeSearcher evolution_with(EvolutionFault fault) {
  return
      [fault](const SearchContext& context) { return std::make_unique<Evolution>(context, fault); };
}

MakeSearcher genetic_with(GeneticFault fault) {
  return
      [fault](const SearchContext& context) { return std::make_unique<Genetic>(context, fault); };
}

MakeSearcher with_reward_sign(const std::string& text) {
  return retold(text, [] {
    return [](const ToldTrial& trial) {
      ToldTrial told = trial;
      if (told.score) told.score = -*told.score;
      return told;
    };
  });
}

MakeSearcher with_short_quota(const std::string& text) {
  return [inner = shipped(text)](const SearchContext& context) {
    return std::make_unique<ShortQuota>(inner(context), context.trials * 3 / 4);
  };
}

MakeSearcher with_stale_labels(const std::string& text) {
  return retold(text, [] {
    return [before = std::optional<ToldTrial>()](const ToldTrial& trial) mutable {
      ToldTrial told = before.value_or(trial);
      told.trial = trial.trial;
      told.config = trial.config;
      before = trial;
      return told;
    };
  });
}

MakeSearcher with_last_as_best(const std::string& text) {
  return retold(text, [] {
    return [successes = 0.0](const ToldTrial& trial) mutable {
      ToldTrial told = trial;
      if (told.score) told.score = ++successes;
      return told;
    };
  });
}

MakeSearcher with_failures_as_zero(const std::string& text) {
  return retold(text, [] {
    return [](const ToldTrial& trial) {
      ToldTrial told = trial;
      if (told.state != TrialState::fail) return told;
      told.state = TrialState::complete;
      told.reason = scenarios::Reason::none;
      told.score = 0.0;
      told.over_bytes.reset();
      return told;
    };
  });
}

MakeSearcher with_seed_twice(const std::string& text) {
  return [inner = shipped(text)](const SearchContext& context) {
    return std::make_unique<SeedTwice>(inner(context), inner(context));
  };
}

MakeSearcher with_logarithms(const std::string& text) {
  return retold(text, [] {
    return [](const ToldTrial& trial) {
      ToldTrial told = trial;
      if (told.score) told.score = sim::log(*told.score);
      return told;
    };
  });
}

}  // namespace cubicbench::search
