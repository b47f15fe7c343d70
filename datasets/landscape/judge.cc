#include "datasets/landscape/judge.h"

#include <algorithm>
#include <cstddef>

#include "support/parallel.h"

namespace cubicbench::datasets {

void JudgedValues::ask(std::vector<std::uint64_t> numbers) {
  std::erase_if(numbers, [&](std::uint64_t number) { return known_.contains(number); });
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const std::vector<scenarios::TrueValue> values = judge_(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) known_.emplace(numbers[i], values[i]);
}

Judge truth_judge(const scenarios::Instance& instance, int threads) {
  return [&instance, threads](std::span<const std::uint64_t> numbers) {
    constexpr std::size_t block = 256;  // configurations that share a workspace
    const scenarios::SearchSpace& space = instance.scenario().space;
    std::vector<scenarios::TrueValue> values(numbers.size());
    support::parallel_for((numbers.size() + block - 1) / block, threads, [&](std::size_t b) {
      sim::Workspace workspace;
      scenarios::Configuration configuration(space.size());
      const std::size_t end = std::min(numbers.size(), (b + 1) * block);
      for (std::size_t i = b * block; i < end; ++i) {
        space.configuration_at(numbers[i], configuration);
        values[i] = instance.true_value(configuration, workspace);
      }
    });
    return values;
  };
}

}  // namespace cubicbench::datasets
