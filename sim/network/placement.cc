#include "sim/network/placement.h"

#include <algorithm>
#include <numeric>

#include "sim/base/check.h"
#include "sim/network/mix.h"

namespace cubicbench::sim {
namespace {

/// 0 to domains - 1 in an order that depends on `seed`.
std::vector<std::int64_t> shuffled(std::int64_t domains, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(domains));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t left = order.size(); left > 1; --left) {
    std::swap(order[left - 1], order[mix(mix(seed) ^ left) % left]);
  }
  return order;
}

/// The domains of a job of `needed`, in the order of its ranks.
std::vector<std::int64_t> job_domains(Placement placement, std::int64_t needed,
                                      const TopologyShape& shape, std::uint64_t seed) {
  // The last domain may be smaller: only a job that needs all of them gets it, and as its last.
  const std::int64_t all = domains_of(shape);
  const std::int64_t whole = shape.gpus / shape.domain_gpus;
  const bool takes_rest = needed > whole;
  std::vector<std::int64_t> domains(static_cast<std::size_t>(whole));
  std::iota(domains.begin(), domains.end(), 0);
  if (placement != Placement::packed) domains = shuffled(whole, seed);
  if (placement == Placement::partly_used) {
    const auto others =
        static_cast<std::int64_t>(share_used_by_others * static_cast<double>(whole));
    const std::int64_t free = std::max(std::min(needed, whole), whole - others);
    domains.resize(static_cast<std::size_t>(free));
    std::sort(domains.begin(), domains.end());
  }
  domains.resize(static_cast<std::size_t>(std::min(needed, whole)));
  if (takes_rest) domains.push_back(all - 1);
  return domains;
}

}  // namespace

std::vector<std::int64_t> place(Placement placement, std::int64_t ranks, const TopologyShape& shape,
                                std::uint64_t seed) {
  SIM_ASSERT(ranks >= 1 && ranks <= shape.gpus, ranks, shape.gpus);
  const std::int64_t needed = (ranks + shape.domain_gpus - 1) / shape.domain_gpus;
  std::vector<std::int64_t> gpus;
  gpus.reserve(static_cast<std::size_t>(ranks));
  for (const std::int64_t domain : job_domains(placement, needed, shape, seed)) {
    const std::int64_t first = domain * shape.domain_gpus;
    const std::int64_t left = ranks - static_cast<std::int64_t>(gpus.size());
    for (std::int64_t i = 0; i < std::min(shape.domain_gpus, left); ++i) gpus.push_back(first + i);
  }
  return gpus;
}

}  // namespace cubicbench::sim
