#include "sim/memory/memory_report.h"

#include "sim/base/numeric.h"

namespace cubicbench::sim {

double oom_probability(const MemoryReport& memory) {
  constexpr double even_odds = 0.046;  // margin over capacity at which every second run fails
  constexpr double width = 0.052;
  if (memory.capacity <= Bytes{}) return 1.0;
  return 1.0 / (1.0 + exp((margin(memory) / memory.capacity - even_odds) / width));
}

}  // namespace cubicbench::sim
