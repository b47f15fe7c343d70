#include "sim/network/link_rings.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

constexpr int gpus_max = 16;

/// Depth-first search over sets of rings. A ring starts at GPU 0; rings come in rising order, so
/// that a set is met once.
class RingSearch {
 public:
  RingSearch(const CableMatrix& matrix, bool relays)
      : gpus_(matrix.gpus), wired_(matrix.cables), free_(matrix.cables), relays_(relays) {
    bound_ = fewest_cables();
  }

  LinkRings best() {
    start_ring();
    return best_;
  }

 private:
  std::size_t cell(int from, int to) const {
    return static_cast<std::size_t>(from) * static_cast<std::size_t>(gpus_) +
           static_cast<std::size_t>(to);
  }

  /// Rings that the free cables into and out of every GPU would still allow.
  int fewest_cables() const {
    int fewest = std::numeric_limits<int>::max();
    for (int gpu = 0; gpu < gpus_; ++gpu) {
      int out = 0;
      int in = 0;
      for (int peer = 0; peer < gpus_; ++peer) {
        out += free_[cell(gpu, peer)];
        in += free_[cell(peer, gpu)];
      }
      fewest = std::min({fewest, out, in});
    }
    return fewest;
  }

  bool is_done() const { return static_cast<int>(best_.size()) == bound_; }

  void start_ring() {
    if (static_cast<int>(rings_.size()) + fewest_cables() <= static_cast<int>(best_.size())) return;
    std::vector<int> kept = std::move(ring_);
    ring_.assign(1, 0);
    const unsigned seen = seen_;
    seen_ = 1;
    extend(0);
    seen_ = seen;
    ring_ = std::move(kept);
  }

  /// Over the next GPU, or back to GPU 0 when all are in.
  void extend(int at) {
    if (is_done()) return;
    const bool closes = seen_ == (1U << static_cast<unsigned>(gpus_)) - 1U;
    for (int next = closes ? 0 : 1; next < (closes ? 1 : gpus_) && !is_done(); ++next) {
      if (!closes && (seen_ >> static_cast<unsigned>(next) & 1U) != 0) continue;
      if (free_[cell(at, next)] > 0) {
        --free_[cell(at, next)];
        arrive(next, closes);
        ++free_[cell(at, next)];
      } else if (relays_ && wired_[cell(at, next)] == 0) {
        extend_over_relays(at, next, closes);
      }
    }
  }

  void extend_over_relays(int at, int next, bool closes) {
    for (int relay = 0; relay < gpus_ && !is_done(); ++relay) {
      if (free_[cell(at, relay)] == 0 || free_[cell(relay, next)] == 0) continue;
      --free_[cell(at, relay)];
      --free_[cell(relay, next)];
      ring_.push_back(relay);
      arrive(next, closes);
      ring_.pop_back();
      ++free_[cell(at, relay)];
      ++free_[cell(relay, next)];
    }
  }

  void arrive(int at, bool closes) {
    if (closes) return close_ring();
    ring_.push_back(at);
    seen_ |= 1U << static_cast<unsigned>(at);
    extend(at);
    seen_ &= ~(1U << static_cast<unsigned>(at));
    ring_.pop_back();
  }

  void close_ring() {
    if (!rings_.empty() && ring_ < rings_.back()) return;
    rings_.push_back(ring_);
    if (rings_.size() > best_.size()) best_ = rings_;
    if (!is_done()) start_ring();
    rings_.pop_back();
  }

  int gpus_;
  std::vector<std::uint8_t> wired_;
  std::vector<std::uint8_t> free_;
  bool relays_;
  int bound_ = 0;
  unsigned seen_ = 1;
  std::vector<int> ring_;
  LinkRings rings_;
  LinkRings best_;
};

}  // namespace

CableMatrix cube_mesh_part(int gpus) {
  SIM_ASSERT(gpus >= 1 && gpus <= cube_mesh_gpus, gpus);
  CableMatrix matrix{.gpus = gpus, .cables = {}};
  for (int from = 0; from < gpus; ++from) {
    const auto& row = cube_mesh_cables[static_cast<std::size_t>(from)];
    matrix.cables.insert(matrix.cables.end(), row.begin(), row.begin() + gpus);
  }
  return matrix;
}

LinkRings link_rings(const CableMatrix& matrix) {
  const auto gpus = static_cast<std::size_t>(matrix.gpus);
  SIM_ASSERT(matrix.gpus >= 1 && matrix.gpus <= gpus_max, matrix.gpus);
  SIM_ASSERT(matrix.cables.size() == gpus * gpus, matrix.cables.size());
  if (matrix.gpus == 1) return {};
  LinkRings rings = RingSearch(matrix, false).best();
  return rings.empty() ? RingSearch(matrix, true).best() : rings;
}

int cube_mesh_rings(int gpus) { return static_cast<int>(link_rings(cube_mesh_part(gpus)).size()); }

}  // namespace cubicbench::sim
