#include "datasets/landscape/hill_climb.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "datasets/exhaustive/best_found.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Direction;
using scenarios::SearchSpace;
using scenarios::TrueValue;
using Numbers = std::vector<std::uint64_t>;

constexpr int changes_max = 2;

void add_changed(const scenarios::SearchSpace& space, const Configuration& configuration,
                 int changes, std::vector<std::uint64_t>& numbers) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (configuration[i] == scenarios::inactive) continue;
    for (std::int64_t value = 0; value < std::ssize(space.parameters()[i].values); ++value) {
      if (value == configuration[i]) continue;
      Configuration changed = configuration;
      changed[i] = value;
      space.canonicalise(changed);
      if (space.satisfies(changed)) numbers.push_back(space.number_of(changed));
      if (changes > 1) add_changed(space, changed, changes - 1, numbers);
    }
  }
}

/// What runs is better than what does not.
bool is_higher(Direction direction, const TrueValue& value, const TrueValue& than) {
  if (value.reason != scenarios::Reason::none) return false;
  return than.reason != scenarios::Reason::none || is_better(value.value, than.value, direction);
}

struct Climber {
  std::uint64_t at = 0;
  int changes = 1;  ///< of one parameter, then of two; more: it stands on a summit
  Numbers around{};
};

/// The best of `numbers`, the first of equals; nothing where none is better than `than`.
std::optional<std::uint64_t> best_above(const JudgedValues& values, Direction direction,
                                        const Numbers& numbers, std::uint64_t than) {
  std::uint64_t best = than;
  for (const std::uint64_t number : numbers) {
    if (is_higher(direction, values.of(number), values.of(best))) best = number;
  }
  return best == than ? std::nullopt : std::optional(best);
}

}  // namespace

std::vector<std::uint64_t> neighbours(const scenarios::SearchSpace& space, std::uint64_t number,
                                      int changes) {
  Configuration configuration(space.size());
  space.configuration_at(number, configuration);
  std::vector<std::uint64_t> numbers;
  add_changed(space, configuration, changes, numbers);
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::erase(numbers, number);  // a change and its reverse
  return numbers;
}

ClimbEnds climb_ends(const SearchSpace& space, Direction direction, const Judge& judge,
                     std::span<const std::uint64_t> starts, int changes) {
  JudgedValues values(judge);
  std::vector<Climber> climbers;
  std::map<std::uint64_t, std::uint64_t> step_from;  ///< of a summit: itself
  const auto go_on_from = [&](std::uint64_t number) {
    if (step_from.emplace(number, number).second) climbers.push_back({.at = number});
  };
  values.ask(Numbers(starts.begin(), starts.end()));
  for (const std::uint64_t number : starts) {
    if (values.of(number).reason == scenarios::Reason::none) go_on_from(number);
  }
  while (!climbers.empty()) {
    // All take their steps together, so that one batch of questions serves them all.
    Numbers asked;
    for (Climber& climber : climbers) {
      climber.around = neighbours(space, climber.at, climber.changes);
      asked.insert(asked.end(), climber.around.begin(), climber.around.end());
    }
    values.ask(std::move(asked));
    for (const Climber& climber : std::exchange(climbers, {})) {
      if (const auto next = best_above(values, direction, climber.around, climber.at)) {
        step_from[climber.at] = *next;
        go_on_from(*next);
      } else if (climber.changes < changes) {
        climbers.push_back({.at = climber.at, .changes = climber.changes + 1});
      }
    }
  }
  ClimbEnds ends;
  for (std::uint64_t at : starts) {
    ends.emplace_back();
    if (!step_from.contains(at)) continue;
    while (step_from[at] != at) at = step_from[at];
    ends.back() = {.number = at, .value = values.of(at).value, .evaluations = values.count()};
  }
  return ends;
}

std::optional<Summit> hill_climb(const SearchSpace& space, Direction direction, const Judge& judge,
                                 std::span<const std::uint64_t> starts) {
  std::optional<Summit> best;
  for (const std::optional<Summit>& end :
       climb_ends(space, direction, judge, starts, changes_max)) {
    if (end && (!best || is_better(end->value, best->value, direction))) best = end;
  }
  return best;
}

}  // namespace cubicbench::datasets
