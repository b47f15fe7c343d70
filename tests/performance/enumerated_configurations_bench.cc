// How many configurations one thread gives a true value a second where it walks through a space in
// the order of its numbers, from several places of it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/scenario_reader.h"
#include "scenarios/true_values.h"
#include "tests/performance/benches.h"

namespace cubicbench {
namespace {

constexpr std::uint64_t places = 32;
constexpr std::uint64_t walked = 8192;  ///< configurations from each place on

/// Configurations one behind the other. They are numbered beforehand: what is timed is a
/// configuration becoming a plan and a value.
std::vector<std::int64_t> walk(const scenarios::SearchSpace& space) {
  const std::uint64_t length = std::min(walked, space.count());
  std::vector<std::int64_t> entries(places * length * space.size());
  std::span<std::int64_t> left = entries;
  for (std::uint64_t place = 0; place < places; ++place) {
    const std::uint64_t begin = (space.count() - length) / (places - 1) * place;
    for (std::uint64_t i = 0; i < length; ++i) {
      space.configuration_at(begin + i, left.first(space.size()));
      left = left.subspan(space.size());
    }
  }
  return entries;
}

void enumerated_configurations(benchmark::State& state, const scenarios::Instance& instance) {
  const std::size_t size = instance.scenario().space.size();
  const std::vector<std::int64_t> entries = walk(instance.scenario().space);
  scenarios::TrueValues values(instance);
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(values.at(std::span(entries).subspan(at, size)));
    at = at + size == entries.size() ? 0 : at + size;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

}  // namespace

void register_enumerated_configurations() {
  for (const std::string& name : scenarios::model_scenarios()) {
    const scenarios::Instance instance(scenarios::read_scenario(name), 0);
    benchmark::RegisterBenchmark(
        ("BM_EnumeratedConfigurations/" + name).c_str(),
        [instance](benchmark::State& state) { enumerated_configurations(state, instance); });
  }
}

}  // namespace cubicbench
