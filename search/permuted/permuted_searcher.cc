#include "search/permuted/permuted_searcher.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/problem/granted_baseline.h"
#include "scenarios/problem/seal.h"
#include "scenarios/space/listed_space.h"
#include "scenarios/space/resolved_rules.h"
#include "search/searchers/random_stream.h"
#include "sim/base/check.h"
#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using scenarios::BuiltSpace;
using scenarios::Configuration;
using scenarios::Parameter;
using scenarios::ParameterSpec;
using scenarios::ParameterType;
using scenarios::SearchSpace;

/// 0 .. count - 1 in an order drawn uniformly, by Fisher and Yates' shuffle.
std::vector<std::int64_t> shuffled(std::size_t count, RandomStream random) {
  std::vector<std::int64_t> order(count);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  shuffle(order, random);
  return order;
}

bool is_category(const Parameter& parameter) {
  return parameter.type == ParameterType::categorical || parameter.type == ParameterType::boolean;
}

std::vector<std::int64_t> drawn_values(const Parameter& parameter, std::size_t number,
                                       std::uint64_t key, Shuffled which) {
  if (which == Shuffled::everything || is_category(parameter)) {
    return shuffled(parameter.values.size(), RandomStream(key, Stream::labels, number));
  }
  std::vector<std::int64_t> as_they_are(parameter.values.size());
  std::iota(as_they_are.begin(), as_they_are.end(), std::int64_t{0});
  return as_they_are;
}

bool ready(const Parameter& parameter, const std::vector<bool>& placed) {
  return std::ranges::all_of(parameter.when, [&](const scenarios::Condition& condition) {
    return placed[static_cast<std::size_t>(condition.parameter)];
  });
}

/// The parameters' numbers in an order in which each comes after those that it depends on: again
/// and again one of those that may come next, each as likely as another.
std::vector<std::size_t> drawn_order(const SearchSpace& space, std::uint64_t key) {
  RandomStream random(key, Stream::knobs, 0);
  std::vector<bool> placed(space.size(), false);
  std::vector<std::size_t> order;
  while (order.size() < space.size()) {
    std::vector<std::size_t> next;
    for (std::size_t i = 0; i < space.size(); ++i) {
      if (!placed[i] && ready(space.parameters()[i], placed)) next.push_back(i);
    }
    order.push_back(next[random.position(next.size())]);
    placed[order.back()] = true;
  }
  return order;
}

/// The parameter with its values in another order.
ParameterSpec reordered(ParameterSpec spec, const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> values;
  for (const std::int64_t index : order) {
    values.push_back(spec.values[static_cast<std::size_t>(index)]);
  }
  spec.values = std::move(values);
  return spec;
}

SearchSpace checked(BuiltSpace built) {
  if (built.problems.empty()) return std::move(built.space);
  throw support::InputError("--permute", "expected a space that can be put into another order, " +
                                             built.problems.front().text);
}

/// The image of an index that the parameter has, any other as it is.
std::int64_t image(const std::vector<std::int64_t>& of_index, std::int64_t index) {
  const bool known = index >= 0 && index < std::ssize(of_index);
  return known ? of_index[static_cast<std::size_t>(index)] : index;
}

class PermutedSearcher final : public Searcher {
 public:
  PermutedSearcher(const SearcherSpec& spec, const SearchContext& context, std::uint64_t key,
                   Shuffled which)
      : permuted_(context.space, key, which), searcher_(make_searcher(spec, seen(context))) {}

  void announce(std::int64_t launches) override { searcher_->announce(launches); }
  void observe(const StudyState& state) override { searcher_->observe(state); }
  bool waits() const override { return searcher_->waits(); }

  std::optional<Proposal> ask() override {
    std::optional<Proposal> proposal = searcher_->ask();
    if (proposal) proposal->config = permuted_.original(proposal->config);
    return proposal;
  }

  void tell(const ToldTrial& trial) override {
    ToldTrial seen = trial;
    seen.config = permuted_.permuted(trial.config);
    searcher_->tell(seen);
  }

  void remember(const ToldTrial& known) override {
    ToldTrial seen = known;
    seen.config = permuted_.permuted(known.config);
    searcher_->remember(seen);
  }

  std::optional<Configuration> recommend() override {
    const std::optional<Configuration> recommended = searcher_->recommend();
    return recommended ? std::optional(permuted_.original(*recommended)) : std::nullopt;
  }

 private:
  SearchContext seen(const SearchContext& context) const {
    SearchContext seen{.space = permuted_.space(), .seed = context.seed, .trials = context.trials};
    seen.problem = context.problem;
    if (context.baseline) seen.baseline = permuted_.permuted(*context.baseline);
    return seen;
  }

  PermutedSpace permuted_;
  std::unique_ptr<Searcher> searcher_;  ///< of the space above
};

}  // namespace

std::uint64_t permutation_key(std::string_view scenario_sha256, std::uint64_t seed) {
  return scenarios::seed_of_text("cubicbench permutation\nscenario " +
                                 std::string(scenario_sha256) + "\nseed " + std::to_string(seed) +
                                 "\n");
}

PermutedSpace::PermutedSpace(const SearchSpace& space, std::uint64_t key, Shuffled which) {
  const std::vector<ParameterSpec> originals = scenarios::parameter_specs(space.rules());
  std::vector<ParameterSpec> specs;
  for (const std::size_t number : drawn_order(space, key)) {
    Place place{.original = number,
                .values = drawn_values(space.parameters()[number], number, key, which)};
    specs.push_back(reordered(originals[number], place.values));
    place.inverse.resize(place.values.size());
    for (std::size_t i = 0; i < place.values.size(); ++i) {
      place.inverse[static_cast<std::size_t>(place.values[i])] = static_cast<std::int64_t>(i);
    }
    places_.push_back(std::move(place));
  }
  if (!scenarios::is_listed(space)) {
    space_ = checked(SearchSpace::build(specs, scenarios::constraint_specs(space.rules()),
                                        space.base(), space.facts()));
  } else {
    std::vector<Configuration> list(space.count(), Configuration(space.size()));
    for (std::uint64_t number = 0; number < space.count(); ++number) {
      space.configuration_at(number, list[number]);
      list[number] = permuted(list[number]);
    }
    space_ = checked(listed_space(specs, std::move(list), space.base(), space.facts()));
  }
  SIM_ASSERT(space_.count() == space.count(), space_.count(), space.count());
}

Configuration PermutedSpace::original(const Configuration& permuted) const {
  SIM_ASSERT(permuted.size() == places_.size(), permuted.size(), places_.size());
  Configuration configuration(permuted.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    configuration[places_[i].original] = image(places_[i].values, permuted[i]);
  }
  return configuration;
}

Configuration PermutedSpace::permuted(const Configuration& original) const {
  SIM_ASSERT(original.size() == places_.size(), original.size(), places_.size());
  Configuration configuration(original.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    configuration[i] = image(places_[i].inverse, original[places_[i].original]);
  }
  return configuration;
}

std::unique_ptr<Searcher> make_permuted_searcher(const SearcherSpec& spec,
                                                 const SearchContext& context, std::uint64_t key,
                                                 Shuffled which) {
  return std::make_unique<PermutedSearcher>(spec, context, key, which);
}

std::unique_ptr<Searcher> searcher_of(const StudySpec& spec, const scenarios::Scenario& scenario) {
  const SearchContext context{.space = scenario.space,
                              .seed = static_cast<std::uint64_t>(spec.seed),
                              .trials = spec.trials,
                              .baseline = spec.start == Start::baseline
                                              ? scenarios::granted_baseline(scenario)
                                              : std::nullopt,
                              .problem = scenario.name};
  if (!spec.permute) return make_searcher(spec.searcher, context);
  return make_permuted_searcher(spec.searcher, context,
                                permutation_key(scenario.sha256, context.seed));
}

}  // namespace cubicbench::search
