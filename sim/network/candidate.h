#pragma once

#include <optional>

#include "sim/network/collective.h"

namespace cubicbench::sim {

/// One way to run a collective: what it waits and what it moves.
struct Candidate {
  Algorithm algorithm = Algorithm::ring;
  Protocol protocol = Protocol::simple;
  Seconds start{};                            ///< start-up, steps and fill
  Seconds domain{};                           ///< bytes over links of the domain
  Seconds adapters{};                         ///< bytes between domains; the two overlap
  Bottleneck outside = Bottleneck::adapters;  ///< what `adapters` is bound by

  Seconds time() const { return start + max(domain, adapters); }
};

/// The cheapest of the candidates that are wanted; the first among equals.
class Cheapest {
 public:
  /// Of all algorithms that libraries choose among, or of `only`.
  explicit Cheapest(std::optional<Algorithm> only) : only_(only) {}

  bool wants(Algorithm algorithm) const { return !only_ || *only_ == algorithm; }

  void offer(const Candidate& candidate) {
    if (!found_ || candidate.time() < best_.time()) best_ = candidate;
    found_ = true;
  }

  bool found() const { return found_; }
  const Candidate& best() const { return best_; }

 private:
  std::optional<Algorithm> only_;
  Candidate best_;
  bool found_ = false;
};

}  // namespace cubicbench::sim
