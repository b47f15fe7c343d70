#pragma once

#include <algorithm>
#include <vector>

#include "sim/network/topology.h"

namespace cubicbench::sim {

/// Bytes that each bundle carries, with a list of those that carry any. Reused from one collective
/// to the next, since most of them touch few of the bundles.
class BundleLoads {
 public:
  explicit BundleLoads(std::size_t bundles) : bytes_(bundles) {}

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

  /// In order, each once; also those from which all was taken.
  const std::vector<BundleId>& loaded() {
    std::sort(loaded_.begin(), loaded_.end());
    loaded_.erase(std::unique(loaded_.begin(), loaded_.end()), loaded_.end());
    return loaded_;
  }
  void clear() {
    for (const BundleId bundle : loaded_) bytes_[bundle] = 0.0;
    loaded_.clear();
  }

 private:
  IdVector<BundleId, double> bytes_;
  std::vector<BundleId> loaded_;
};

}  // namespace cubicbench::sim
