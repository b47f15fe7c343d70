#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/network/traffic.h"

namespace cubicbench::sim {

/// The flows of one collective, as its algorithm writes them down.
class FlowWriter {
 public:
  using Ranks = std::vector<std::int64_t>;

  FlowWriter(Collective asked, Bytes buffer, const Group& group)
      : op(asked), size(buffer), n(group.ranks), r(group.ranks_per_node), nodes(nodes_of(group)) {}

  const Collective op;
  const Bytes size;
  const std::int64_t n;      ///< ranks
  const std::int64_t r;      ///< of one domain
  const std::int64_t nodes;  ///< domains

  std::vector<Flow> take() { return std::move(flows_); }

  /// Nothing where a rank would send to itself.
  void send(std::int64_t from, std::int64_t to, Bytes bytes, int phase) {
    if (from != to && bytes > Bytes{}) flows_.push_back({from, to, bytes, phase});
  }

  /// `count` ranks from `first` on, `stride` apart.
  static Ranks every(std::int64_t stride, std::int64_t first, std::int64_t count) {
    Ranks ranks;
    for (std::int64_t i = 0; i < count; ++i) ranks.push_back(first + i * stride);
    return ranks;
  }
  Ranks everyone() const { return every(1, 0, n); }

  void ring(const Ranks& ranks, Bytes bytes, int phase) {
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      send(ranks[i], ranks[(i + 1) % ranks.size()], bytes, phase);
    }
  }

  /// All of the buffer from the first to the last.
  void chain(const Ranks& ranks, int phase) {
    for (std::size_t i = 1; i < ranks.size(); ++i) send(ranks[i - 1], ranks[i], size, phase);
  }

  void through_switch(std::int64_t rank, Bytes up, Bytes down, int phase) {
    send(rank, in_domain_switch, up, phase);
    send(in_domain_switch, rank, down, phase);
  }

  std::int64_t end_of(std::int64_t node) const { return std::min((node + 1) * r, n); }

 private:
  std::vector<Flow> flows_;
};

}  // namespace cubicbench::sim
