#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/check.h"
#include "sim/network/topology.h"

namespace cubicbench::sim {

/// The links from one GPU to another, in order. A value without memory of its own.
class Route {
 public:
  void add(LinkId link) {
    SIM_ASSERT(size_ < links_.size(), size_);
    links_[size_++] = link;
  }
  /// Of a route that lives on: a loop over a temporary's links would outlive it.
  std::span<const LinkId> links() const& { return {links_.data(), size_}; }
  std::span<const LinkId> links() const&& = delete;
  std::size_t size() const { return size_; }

  bool operator==(const Route& other) const {
    return std::equal(links().begin(), links().end(), other.links().begin(), other.links().end());
  }

 private:
  std::array<LinkId, route_links_max> links_{};
  std::size_t size_ = 0;
};

struct RouteRequest {
  std::int64_t from = 0;  ///< GPU
  std::int64_t to = 0;    ///< GPU
  /// Label that the switches hash: flows with other labels may go elsewhere.
  std::uint64_t flow = 0;
};

/// The way of a flow: a shortest one, picked among equals by a hash of its label at every switch
/// (ECMP), so that it is the same each time. A GPU reaches itself over no link. On a torus one axis
/// after the other, the shorter way round, forward on a tie; in a cube mesh over a neighbour of
/// both GPUs where they have no cable; between groups of a dragonfly over one of the cables that
/// join the two (minimal routing). Left out: detours around congestion. `topology` was made by
/// build_topology(); the GPUs exist.
Route route(const Topology& topology, const RouteRequest& request);

}  // namespace cubicbench::sim
