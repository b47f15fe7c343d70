#include "search/constrained_gp/neighbourhood.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "search/searchers/knob_changes.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

void append(LevelRows& to, const std::vector<Configuration>& configurations,
            const scenarios::SearchSpace& space, const SpaceAxes& axes) {
  predictor::Levels levels;
  for (const Configuration& configuration : configurations) {
    axes.levels_of(configuration, levels);
    to.add(space.number_of(configuration), levels);
  }
}

/// A uniform choice of `count` of the numbers below `all`, or all of them in their order.
std::vector<std::size_t> some_below(std::size_t all, std::size_t count, RandomStream& random) {
  std::vector<std::size_t> chosen(all);
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  if (all <= count) return chosen;
  for (std::size_t i = 0; i < count; ++i)
    std::swap(chosen[i], chosen[i + random.position(all - i)]);
  chosen.resize(count);
  return chosen;
}

}  // namespace

LevelRows neighbours(const scenarios::SearchSpace& space, const SpaceAxes& axes,
                     const Configuration& centre) {
  LevelRows found(space.size());
  for (std::size_t knob = 0; knob < space.size(); ++knob) {
    append(found, knob_changes(space, centre, knob, centre), space, axes);
  }
  return found;
}

void SecondNeighbours::find(const Configuration& centre) {
  centre_ = centre;
  found_ = LevelRows(space_.size());
  for (std::size_t first = 0; first < space_.size(); ++first) {
    for (const Configuration& changed : knob_changes(space_, centre, first, centre)) {
      for (std::size_t second = first + 1; second < space_.size(); ++second) {
        append(found_, knob_changes(space_, changed, second, centre), space_, axes_);
      }
    }
  }
}

LevelRows SecondNeighbours::some(const Configuration& centre, std::size_t count,
                                 RandomStream& random) {
  LevelRows chosen(space_.size());
  if (count == 0) return chosen;
  if (centre_ != centre) find(centre);
  for (const std::size_t i : some_below(found_.size(), count, random)) {
    chosen.add(found_.number(i), found_.levels(i));
  }
  return chosen;
}

}  // namespace cubicbench::search
