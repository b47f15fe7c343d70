#include "sim/memory/memory_report.h"

#include <algorithm>

#include "sim/base/numeric.h"

namespace cubicbench::sim {
namespace {

constexpr double even_odds = 0.046;  // margin over capacity at which every second run fails
constexpr double width = 0.052;

}  // namespace

double oom_probability(const MemoryReport& memory) {
  if (memory.capacity <= Bytes{}) return 1.0;
  return 1.0 / (1.0 + exp((margin(memory) / memory.capacity - even_odds) / width));
}

double demand_factor(double u) {
  const double luck = std::clamp(u, oom_luck_min, oom_luck_max);
  // The share of the capacity from which on a demand is too much for this run.
  const double filled_max = 1.0 - even_odds + width * log(luck / (1.0 - luck));
  return 1.0 / filled_max;
}

}  // namespace cubicbench::sim
