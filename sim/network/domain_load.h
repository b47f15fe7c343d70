#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sim/network/link_rings.h"
#include "sim/network/router.h"

namespace cubicbench::sim {

/// What members of one domain put on its links. They are GPUs in rank order, equal distances apart;
/// one alone has nothing to send.
class DomainLoad {
 public:
  explicit DomainLoad(const Router& router) : router_(&router) {}

  /// Every member passes `bytes` on, along rings or chains that use all links of the group: the
  /// switch; in a full mesh every link to another member; in a cube mesh its link-disjoint rings;
  /// on a torus all axes, both ways, each with the part that its links carry.
  void pass_around(std::span<const std::int64_t> members, double bytes, BundleLoads& loads);

  /// Every member sends `bytes` to each of the others; on a torus one axis after the other, the
  /// shorter way round and half each way on a tie.
  void exchange(std::span<const std::int64_t> members, double bytes, BundleLoads& loads) const;

  /// Every member sends `up` to the switch and gets `down` from it, which reduces and copies.
  void through_switch(std::span<const std::int64_t> members, double up, double down,
                      BundleLoads& loads) const;

 private:
  void pass_around_cube_mesh(std::span<const std::int64_t> members, double bytes,
                             BundleLoads& loads);

  const Router* router_;
  std::map<std::vector<std::int64_t>, LinkRings> rings_;  ///< by the members' places in the domain
};

/// Adds what is carried between domains while every one of `gpus` sends `bytes` to each of them
/// that lies in another domain. Counted for each block of the fabric, in as many steps as there are
/// GPUs and blocks, not pairs; the sum of Router::spread() over all pairs. Members of a domain
/// follow on one another.
void add_pairs_between_domains(const Router& router, std::span<const std::int64_t> gpus,
                               double bytes, BundleLoads& loads);

/// Adds what is carried while the switches of the fabric add up `bytes` of each of `gpus` and send
/// back as much, member i of one domain to member i of the others: adapters pass all of it, links
/// above a switch or block the sum of each i once.
void add_reduction_in_fabric(const Router& router, std::span<const std::int64_t> gpus, double bytes,
                             BundleLoads& loads);

}  // namespace cubicbench::sim
