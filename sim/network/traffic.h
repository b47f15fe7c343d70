#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {

/// Ends of a flow that are no rank: the switch of a domain (one for each domain) and the switches
/// of the fabric, where they reduce or copy.
constexpr std::int64_t in_domain_switch = -1;
constexpr std::int64_t in_fabric_switch = -2;

/// All that one rank sends to another in one phase of a collective. What an algorithm sends there
/// in many steps is one flow: the steps share their fate.
struct Flow {
  std::int64_t from = 0;  ///< rank of the group, or a switch
  std::int64_t to = 0;
  Bytes bytes;
  int phase = 0;  ///< phases follow on one another

  bool operator==(const Flow&) const = default;
};

/// Whether `algorithm` is a way to run `op` on `group`, as far as who sends what is concerned.
///
///   ring               all but all-to-all
///   tree               all-reduce
///   nvls               all-reduce, gather, scatter in one domain
///   nvls_tree          all-reduce on equal domains
///   in_network         all-reduce on equal domains
///   pat                gather and scatter, one rank a domain
///   recursive_doubling all-reduce; gather and scatter of 2^k ranks; domains of 2^j ranks
///   hierarchical       all but send/receive, on equal domains
///   direct             everything
bool has_traffic(Collective op, Algorithm algorithm, const Group& group);

/// The flows of a collective of `size` bytes (convention of nccl-tests) on `group`, whose ranks
/// fill its domains in order; the root of a broadcast is rank 0. Buffers are divided evenly,
/// fractions of a byte included. Nothing for one rank. Direct algorithms have n (n - 1) flows.
/// Requires has_traffic().
std::vector<Flow> traffic(Collective op, Algorithm algorithm, Bytes size, const Group& group);

}  // namespace cubicbench::sim
