#include "scenarios/collective/collective_room.h"

#include <algorithm>

#include "support/input_error.h"

namespace cubicbench::scenarios {
namespace {

using support::InputError;

void check_full_domains(const AskedGroups& asked, const AskedCluster& cluster,
                        const GroupsWhere& where) {
  const std::int64_t per_domain = ranks_per_domain(asked, cluster);
  const std::int64_t below = asked.ranks / per_domain * per_domain;
  if (below == asked.ranks) return;
  throw InputError(where.ranks, "expected a multiple of the " + std::to_string(per_domain) +
                                    " in each domain (" + where.per_domain + "), such as " +
                                    std::to_string(below) + " or " +
                                    std::to_string(below + per_domain) + ", got " +
                                    std::to_string(asked.ranks));
}

}  // namespace

void check_room(const AskedGroups& asked, const AskedCluster& cluster, const GroupsWhere& where) {
  const std::int64_t gpus = cluster.gpus == 0 ? ranks_max : cluster.gpus;
  if (asked.ranks * asked.groups > gpus) {
    throw InputError(asked.groups > 1 ? where.groups : where.ranks,
                     "expected at most " + std::to_string(gpus) + " GPUs in all, got " +
                         std::to_string(asked.ranks * asked.groups));
  }
  const std::int64_t domain = std::min(cluster.gpus_per_domain, asked.ranks);
  if (asked.ranks_per_domain > domain) {
    throw InputError(where.per_domain, "expected at most " + std::to_string(domain) + ", got " +
                                           std::to_string(asked.ranks_per_domain));
  }
  check_full_domains(asked, cluster, where);
}

}  // namespace cubicbench::scenarios
