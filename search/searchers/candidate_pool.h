#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/searchers/policy.h"

namespace cubicbench::search {

/// A configuration by its number, and what it is worth.
struct Candidate {
  std::uint64_t number = 0;
  double reward = 0.0;
};

/// Every different configuration that policies have asked about. Judges each once: a policy that
/// has nearly made up its mind asks about the same few again and again.
class CandidatePool {
 public:
  /// `space` must outlive this.
  CandidatePool(const scenarios::SearchSpace& space, Reward judge)
      : space_(space), judge_(std::move(judge)) {}

  /// The judge with this pool as its memory. Refers to the pool.
  Reward reward();

  /// Judges the whole space.
  void add_all();

  /// The best first; equal ones in the order in which they came.
  std::vector<Candidate> best_first() const;

 private:
  void judge(std::span<const scenarios::Configuration> configurations, std::span<double> rewards);

  const scenarios::SearchSpace& space_;
  Reward judge_;
  std::vector<Candidate> found_;
  std::unordered_map<std::uint64_t, std::size_t> place_;  ///< by number; never iterated
  std::vector<scenarios::Configuration> fresh_;
  std::vector<double> fresh_rewards_;
};

}  // namespace cubicbench::search
