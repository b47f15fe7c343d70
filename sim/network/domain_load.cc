#include "sim/network/domain_load.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/network/topologies.h"
#include "sim/network/torus.h"

namespace cubicbench::sim {
namespace {

using Members = std::span<const std::int64_t>;

void add_to_pairs(const Router& router, Members members, double bytes, BundleLoads& loads) {
  std::vector<BundlePart> parts;
  for (const std::int64_t from : members) {
    for (const std::int64_t to : members) {
      parts.clear();
      router.spread(from, to, parts);
      for (const BundlePart& part : parts) loads.add(part.bundle, part.part * bytes);
    }
  }
}

// ---- torus -------------------------------------------------------------------------------------

TorusLines lines_of(const TopologyShape& shape, Members members) {
  return torus_lines(shape.torus, shape.torus_wraps, std::ssize(members),
                     std::max<std::int64_t>(1, members[1] - members[0]));
}

/// Adds `bytes` each way to the links from `gpu` to the next member on `line`, if there are any.
void add_step(const Topology& topology, std::int64_t gpu, const TorusLine& line, double bytes,
              BundleLoads& loads) {
  const TopologyShape& shape = topology.shape;
  const std::int64_t first = domain_of(shape, gpu) * shape.domain_gpus;
  std::int64_t at = gpu;
  for (std::int64_t step = 0; step < line.gap; ++step) {
    const std::int64_t place = (at - first) / line.stride % line.length;
    const bool wraps = place == line.length - 1;
    const std::int64_t next = wraps ? at - place * line.stride : at + line.stride;
    const auto links = links_between(topology, gpu_vertex(at), gpu_vertex(next), gpu_vertex(next));
    if (links.empty()) return;
    loads.add(topology.links[links.front()].bundle, bytes);
    loads.add(topology.links[reverse(links.front())].bundle, bytes);
    at = next;
  }
}

/// `bytes_of(line, number)`: what the links behind member `number` of a line carry each way.
template <class BytesOf>
void add_along_lines(const Router& router, Members members, const TorusLines& lines,
                     BytesOf bytes_of, BundleLoads& loads) {
  const TopologyShape& shape = router.topology().shape;
  for (const TorusLine& line : lines.all()) {
    for (const std::int64_t gpu : members) {
      const std::int64_t place = gpu % shape.domain_gpus / line.stride % line.length;
      const std::int64_t number = place % (line.members * line.gap) / line.gap;
      if (!line.closed && number == line.members - 1) continue;
      add_step(router.topology(), gpu, line, bytes_of(line, number), loads);
    }
  }
}

void pass_around_torus(const Router& router, Members members, double bytes, BundleLoads& loads) {
  const TorusLines lines = lines_of(router.topology().shape, members);
  double links = 0.0;
  for (const TorusLine& line : lines.all()) links += (line.closed ? 2.0 : 1.0) / real(line.gap);
  add_along_lines(
      router, members, lines,
      [&](const TorusLine& line, std::int64_t) { return bytes / (real(line.gap) * links); }, loads);
}

/// A ring of m carries floor(m^2 / 4) / 2m of what a member sends on each link, each way; on a line
/// k (m - k) / m pass between its first k members and the others.
void exchange_on_torus(const Router& router, Members members, double bytes, BundleLoads& loads) {
  const double sent = real(static_cast<std::int64_t>(members.size())) * bytes;
  const TorusLines lines = lines_of(router.topology().shape, members);
  add_along_lines(
      router, members, lines,
      [&](const TorusLine& line, std::int64_t number) {
        const std::int64_t m = line.members;
        if (line.closed) return sent * real(m * m / 4) / (2.0 * real(m));
        return sent * real((number + 1) * (m - number - 1)) / real(m);
      },
      loads);
}

/// Cables among GPUs at `places` of the cube mesh.
CableMatrix cables_among(const std::vector<std::int64_t>& places) {
  constexpr int all = cube_mesh_gpus;
  const CableMatrix mesh = cube_mesh_part(all);
  CableMatrix part{.gpus = static_cast<int>(places.size()), .cables = {}};
  for (const std::int64_t from : places) {
    for (const std::int64_t to : places) {
      part.cables.push_back(mesh.cables[static_cast<std::size_t>(from * all + to)]);
    }
  }
  return part;
}

}  // namespace

void DomainLoad::pass_around(Members members, double bytes, BundleLoads& loads) {
  if (members.size() < 2) return;
  switch (router_->topology().shape.domain) {
    case DomainKind::switched:
      return through_switch(members, bytes, bytes, loads);
    case DomainKind::direct:
      return add_to_pairs(*router_, members, bytes / real(std::ssize(members) - 1), loads);
    case DomainKind::cube_mesh:
      return pass_around_cube_mesh(members, bytes, loads);
    case DomainKind::torus:
      return pass_around_torus(*router_, members, bytes, loads);
  }
}

void DomainLoad::exchange(Members members, double bytes, BundleLoads& loads) const {
  if (members.size() < 2) return;
  const double sent = real(std::ssize(members) - 1) * bytes;
  switch (router_->topology().shape.domain) {
    case DomainKind::switched:
      return through_switch(members, sent, sent, loads);
    case DomainKind::direct:
    case DomainKind::cube_mesh:
      return add_to_pairs(*router_, members, bytes, loads);
    case DomainKind::torus:
      return exchange_on_torus(*router_, members, bytes, loads);
  }
}

void DomainLoad::through_switch(Members members, double up, double down, BundleLoads& loads) const {
  const TopologyShape& shape = router_->topology().shape;
  SIM_ASSERT(shape.domain == DomainKind::switched, shape.domain);
  if (members.size() < 2) return;
  for (const std::int64_t gpu : members) {
    const BundlePair bundles = BundleNumbers::to_switch(gpu);
    loads.add(bundles.there, up);
    loads.add(bundles.back, down);
  }
}

/// Members that no ring joins, such as two without a cable, pass on over whoever joins them.
void DomainLoad::pass_around_cube_mesh(Members members, double bytes, BundleLoads& loads) {
  const std::int64_t domain_gpus = router_->topology().shape.domain_gpus;
  std::vector<std::int64_t> places;
  for (const std::int64_t gpu : members) places.push_back(gpu % domain_gpus);
  const auto [known, is_new] = rings_.try_emplace(places);
  if (is_new) known->second = link_rings(cables_among(places));
  LinkRings rings = known->second;
  if (rings.empty()) {
    rings.emplace_back();
    for (int i = 0; i < static_cast<int>(members.size()); ++i) rings.front().push_back(i);
  }
  std::vector<BundlePart> parts;
  for (const std::vector<int>& ring : rings) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const auto from = static_cast<std::size_t>(ring[i]);
      const auto to = static_cast<std::size_t>(ring[(i + 1) % ring.size()]);
      router_->spread(members[from], members[to], parts);
    }
  }
  const double each = bytes / real(std::ssize(rings));
  for (const BundlePart& part : parts) loads.add(part.bundle, part.part * each);
}

}  // namespace cubicbench::sim
