#include "results/landscape/redraws.h"

namespace cubicbench::results {
namespace {

double hidden_probability(const scenarios::SearchSpace& space,
                          std::span<const std::int64_t> configuration) {
  double probability = 1.0;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (configuration[i] == scenarios::inactive) {
      probability /= static_cast<double>(space.parameters()[i].values.size());
    }
  }
  return probability;
}

}  // namespace

std::vector<Redraw> redraws(const scenarios::SearchSpace& space,
                            std::span<const std::int64_t> configuration,
                            std::span<const std::int64_t> held, std::size_t parameter) {
  if (configuration[parameter] == scenarios::inactive) return {};
  std::vector<Redraw> found;
  scenarios::Configuration drawn(space.size());
  for (std::int64_t value = 0; value < std::ssize(space.parameters()[parameter].values); ++value) {
    drawn.assign(held.begin(), held.end());
    drawn[parameter] = value;
    space.canonicalise(drawn);
    if (!space.satisfies(drawn)) continue;
    found.push_back({.number = space.number_of(drawn), .weight = hidden_probability(space, drawn)});
  }
  return found;
}

}  // namespace cubicbench::results
