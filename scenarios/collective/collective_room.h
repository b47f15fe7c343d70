#pragma once

#include <cstdint>
#include <string>

#include "scenarios/collective/collective_question.h"

namespace cubicbench::scenarios {

/// GPUs that all groups may have together.
inline constexpr std::int64_t ranks_max = 131'072;

/// Where each number of AskedGroups was asked for, of errors.
struct GroupsWhere {
  std::string ranks;
  std::string groups;
  std::string per_domain;
};

/// Whether the cluster has room for the groups, and each of them as many members in each of its
/// domains. Throws InputError at the number that is too large.
void check_room(const AskedGroups& asked, const AskedCluster& cluster, const GroupsWhere& where);

}  // namespace cubicbench::scenarios
