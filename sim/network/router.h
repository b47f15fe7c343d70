#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/network/bundle_numbers.h"
#include "sim/network/topology.h"

namespace cubicbench::sim {

/// What one bundle carries of a flow.
struct BundlePart {
  BundleId bundle{};
  double part = 1.0;
};

/// From one GPU to another.
using GpuPair = std::pair<std::int64_t, std::int64_t>;

/// Which bundles a flow passes when switches spread it evenly over all shortest ways: what route()
/// gives on average over labels. Between groups of a dragonfly these are all cables that join the
/// two; in a cube mesh the cables of a pair, or all relays of a pair without a cable. All else has
/// one way, as far as bundles tell.
///
/// Pairs of GPUs may have ways of their own instead, which are not spread. Refers to the topology;
/// threads may share one that nobody changes.
class Router {
 public:
  explicit Router(const Topology& topology) : topology_(&topology), numbers_(topology) {}

  const Topology& topology() const { return *topology_; }
  const BundleNumbers& numbers() const { return numbers_; }

  /// Sends all from GPU `from` to GPU `to` over `links`, which lead from one to the other.
  void fix(std::int64_t from, std::int64_t to, std::vector<LinkId> links);
  bool is_fixed(std::int64_t from, std::int64_t to) const { return fixed_.contains({from, to}); }
  /// Pairs with a way of their own, in order.
  const std::map<GpuPair, std::vector<LinkId>>& fixed() const { return fixed_; }

  /// Adds to `parts` what lies on the way from GPU `from` to GPU `to`, a bundle perhaps more than
  /// once, as if no way was fixed.
  void spread(std::int64_t from, std::int64_t to, std::vector<BundlePart>& parts) const;

  /// Bundle of the links from one vertex to another, which are joined; the first of parallel ones.
  BundleId between(VertexId from, VertexId to) const;

 private:
  const Topology* topology_;
  BundleNumbers numbers_;
  std::map<GpuPair, std::vector<LinkId>> fixed_;
};

/// Bytes that each bundle carries, with a list of those that carry any. Reused from one collective
/// to the next, since most of them touch few of the bundles.
class BundleLoads {
 public:
  explicit BundleLoads(std::size_t bundles) : bytes_(bundles) { loaded_.reserve(bundles); }

  void add(BundleId bundle, double bytes) {
    if (bytes <= 0.0) return;
    if (bytes_[bundle] == 0.0) loaded_.push_back(bundle);
    bytes_[bundle] += bytes;
  }
  /// Takes away what was added before; what rounding leaves is nothing.
  void remove(BundleId bundle, double bytes) {
    constexpr double rounding = 1e-9;
    double& load = bytes_[bundle];
    load = load <= bytes * (1.0 + rounding) ? 0.0 : load - bytes;
  }
  double& operator[](BundleId bundle) { return bytes_[bundle]; }

  /// In order, each once; perhaps also those from which all was taken.
  const std::vector<BundleId>& loaded() {
    constexpr std::size_t sorting = 16;  // a bundle's share of sorting many, in looks at a bundle
    if (loaded_.size() * sorting > bytes_.size()) {
      find_all();
    } else {
      std::sort(loaded_.begin(), loaded_.end());
      loaded_.erase(std::unique(loaded_.begin(), loaded_.end()), loaded_.end());
    }
    return loaded_;
  }
  void clear() {
    for (const BundleId bundle : loaded_) bytes_[bundle] = 0.0;
    loaded_.clear();
  }

 private:
  void find_all() {
    loaded_.clear();
    for (std::size_t row = 0; row < bytes_.size(); ++row) {
      const auto bundle = id_at<BundleId>(row);
      if (bytes_[bundle] > 0.0) loaded_.push_back(bundle);
    }
  }

  IdVector<BundleId, double> bytes_;
  std::vector<BundleId> loaded_;
};

}  // namespace cubicbench::sim
