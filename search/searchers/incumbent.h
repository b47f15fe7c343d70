#pragma once

#include <cmath>
#include <optional>

#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// A configuration that ran, and its measured score.
struct Measured {
  scenarios::Configuration config;
  double score = 0.0;
};

/// What a trial that completed measured; nothing of one that failed.
inline std::optional<Measured> measured_of(const ToldTrial& trial) {
  const bool complete = trial.state == scenarios::TrialState::complete;
  if (!complete || !trial.score || std::isnan(*trial.score)) return std::nullopt;
  return Measured{.config = trial.config, .score = *trial.score};
}

/// Where a climb stands and the best place that it has seen.
class Incumbent {
 public:
  bool empty() const { return !here_; }
  const Measured& here() const { return *here_; }
  const Measured& best() const { return *best_; }

  /// Moves there if it is better than here. Says whether it moved.
  bool climb(const Measured& to) {
    see(to);
    if (here_ && !(to.score > here_->score)) return false;
    here_ = to;
    return true;
  }

  /// Moves there, better or not.
  void jump(const Measured& to) {
    see(to);
    here_ = to;
  }

 private:
  void see(const Measured& one) {
    if (!best_ || one.score > best_->score) best_ = one;
  }

  std::optional<Measured> here_;
  std::optional<Measured> best_;
};

}  // namespace cubicbench::search
