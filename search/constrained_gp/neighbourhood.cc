#include "search/constrained_gp/neighbourhood.h"

#include <iterator>
#include <utility>

#include "search/searchers/knob_changes.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;

void append(std::vector<Configuration>& to, std::vector<Configuration>&& more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// Those that differ from `single`, which differs from `centre` in `knob`, in a later knob.
std::vector<Configuration> with_a_second(const scenarios::SearchSpace& space,
                                         const Configuration& single, std::size_t knob,
                                         const Configuration& centre) {
  std::vector<Configuration> twice;
  for (std::size_t second = knob + 1; second < space.size(); ++second) {
    append(twice, knob_changes(space, single, second, centre));
  }
  return twice;
}

/// A uniform choice of `count` of them.
void keep_some(std::vector<Configuration>& all, std::size_t count, RandomStream& random) {
  if (all.size() <= count) return;
  for (std::size_t i = 0; i < count; ++i)
    std::swap(all[i], all[i + random.position(all.size() - i)]);
  all.resize(count);
}

}  // namespace

std::vector<Configuration> neighbourhood(const scenarios::SearchSpace& space,
                                         const Configuration& centre, std::size_t pairs,
                                         RandomStream& random) {
  std::vector<Configuration> singles;
  std::vector<Configuration> found;
  for (std::size_t knob = 0; knob < space.size(); ++knob) {
    std::vector<Configuration> of_knob = knob_changes(space, centre, knob, centre);
    for (std::size_t i = 0; pairs > 0 && i < of_knob.size(); ++i) {
      append(found, with_a_second(space, of_knob[i], knob, centre));
    }
    append(singles, std::move(of_knob));
  }
  keep_some(found, pairs, random);
  append(found, std::move(singles));
  return found;
}

}  // namespace cubicbench::search
