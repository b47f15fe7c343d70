#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/collective/asked_cluster.h"
#include "sim/network/collective.h"

namespace cubicbench::scenarios {

// Names as NCCL and nccl-tests have them, in the order of the enumerators.

/// "all_gather", "reduce_scatter", "all_reduce", "alltoall", "broadcast", "sendrecv".
std::span<const std::string_view> collective_names();
/// "ring", "tree", "nvls", "nvls_tree", "in_network", "pat", "recursive_doubling", "hierarchical",
/// "direct".
std::span<const std::string_view> algorithm_names();

std::string_view name_of(sim::Collective op);
std::string_view name_of(sim::Algorithm algorithm);
std::string_view name_of(sim::Protocol protocol);
std::string_view name_of(sim::Bottleneck bottleneck);

/// Equal groups of neighbouring GPUs that run one collective at the same time.
struct AskedGroups {
  std::int64_t ranks = 2;                     ///< of a group
  std::int64_t groups = 1;                    ///< at once
  std::int64_t ranks_per_domain = 0;          ///< of a group; 0: as many as a domain has
  std::optional<sim::Placement> placement{};  ///< else the cluster's
};

/// How many of a group share a domain.
std::int64_t ranks_per_domain(const AskedGroups& asked, const AskedCluster& cluster);

/// A group as the network sees it: what it shares with the others, and what lies between its
/// members. Requires ranks >= 1, that fill each of their domains alike.
sim::Group group_of(const AskedGroups& asked, const AskedCluster& cluster);

/// How much the event engine played of a collective.
struct CollectiveCounts {
  std::uint64_t events = 0;  ///< times at which the flows of a group started or ended
  std::uint64_t ranks = 0;
  std::uint64_t flows = 0;
};

/// One collective on it, and its rates as nccl-tests prints them.
struct CollectiveAnswer {
  sim::Collective op = sim::Collective::all_reduce;
  double size_bytes = 0.0;
  sim::CollectiveCost cost;
  double algbw_gb_s = 0.0;                  ///< size over time
  double busbw_gb_s = 0.0;                  ///< that times the bus factor of the operation
  std::optional<CollectiveCounts> event{};  ///< of the event engine
};

/// `answer` with another time, and the rates of that.
CollectiveAnswer with_time(CollectiveAnswer answer, sim::Seconds time, std::int64_t ranks);

/// Nothing where the group or the network cannot run `algorithm`. Requires ranks >= 2.
std::optional<CollectiveAnswer> answer(sim::Collective op, double size_bytes,
                                       const sim::Group& group, const sim::Network& network,
                                       std::optional<sim::Algorithm> algorithm = std::nullopt);

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

/// Bytes of "8M", "1.5g", "1GiB", "1e9": K, M, G and T of either case count in powers of 1024 as
/// nccl-tests has them, with or without "iB"; KB, MB, GB and TB in powers of 1000. "1K:8G" is every
/// doubling from the first to the last, "1K:8G:4" every fourfold. `where` names it in messages.
/// Throws InputError.
std::vector<double> message_sizes(const std::string& text, const std::string& where);

}  // namespace cubicbench::scenarios
