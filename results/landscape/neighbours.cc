#include "results/landscape/neighbours.h"

#include <algorithm>
#include <cstddef>

namespace cubicbench::results {
namespace {

using scenarios::Configuration;

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

}  // namespace cubicbench::results
