#include "sim/network/domain_runs.h"

namespace cubicbench::sim {

std::vector<DomainRun> domain_runs(const TopologyShape& shape, std::span<const std::int64_t> gpus) {
  std::vector<DomainRun> runs;
  std::int64_t domain = -1;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    const std::int64_t here = gpus[i] / shape.domain_gpus;
    if (here != domain) runs.push_back({i, 0});
    ++runs.back().size;
    domain = here;
  }
  return runs;
}

}  // namespace cubicbench::sim
