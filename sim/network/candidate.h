#pragma once

#include <cstdint>

#include "sim/network/collective.h"

namespace cubicbench::sim {

/// Algorithms as a set of bits.
class AlgorithmSet {
 public:
  constexpr AlgorithmSet() = default;
  constexpr explicit AlgorithmSet(Algorithm one) : bits_(bit(one)) {}
  constexpr AlgorithmSet with(Algorithm other) const {
    AlgorithmSet set = *this;
    set.bits_ |= bit(other);
    return set;
  }
  constexpr bool has(Algorithm algorithm) const { return (bits_ & bit(algorithm)) != 0; }

 private:
  static constexpr std::uint32_t bit(Algorithm algorithm) {
    return std::uint32_t{1} << static_cast<unsigned>(algorithm);
  }
  std::uint32_t bits_ = 0;
};

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
  explicit Cheapest(AlgorithmSet wanted) : wanted_(wanted) {}

  bool wants(Algorithm algorithm) const { return wanted_.has(algorithm); }

  void offer(const Candidate& candidate) {
    const Seconds time = candidate.time();
    if (!found_ || time < time_) {
      best_ = candidate;
      time_ = time;
      found_ = true;
    }
  }

  bool found() const { return found_; }
  Seconds time() const { return time_; }
  const Candidate& best() const { return best_; }

 private:
  AlgorithmSet wanted_;
  Candidate best_;
  Seconds time_;
  bool found_ = false;
};

}  // namespace cubicbench::sim
