#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// Trials that say something, in the order of their numbers, and which of them are good.
class TpeTrials {
 public:
  /// Passes over what says nothing: broken nodes, trials without a score.
  void add(const ToldTrial& trial);

  std::size_t size() const { return trials_.size(); }
  const scenarios::Configuration& config(std::size_t i) const { return trials_[i].config; }

  /// Is one better than another?
  bool informed() const;

  /// For each trial: is it among the best tenth, of 25 at most? Of equals the earlier ones are.
  /// What ran is better than what failed, and of what failed that which lacked less memory, where
  /// it is told.
  std::vector<bool> good() const;

 private:
  struct Trial {
    std::int64_t number = 0;
    scenarios::Configuration config;
    bool ran = false;
    double worth = 0.0;  ///< the score, or minus the bytes that it lacked
  };
  static bool better(const Trial& a, const Trial& b) {
    return a.ran != b.ran ? a.ran : a.worth > b.worth;
  }

  std::vector<Trial> trials_;
};

/// A tenth of the trials, rounded up, and 25 at most.
std::size_t good_trials(std::size_t trials);

}  // namespace cubicbench::search
