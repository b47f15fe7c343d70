#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace cubicbench::search {

/// How often Slurm is asked: soon after something happened, then ever more rarely, up to a longest
/// pause; and for how long it may fail to answer.
class SlurmPace {
 public:
  using Clock = std::chrono::steady_clock;
  using Duration = std::chrono::milliseconds;

  SlurmPace(Duration pause_max, Duration patience)
      : pause_max_(pause_max), pause_(first_pause()), patience_(patience) {}

  /// When Slurm is to be asked next.
  Clock::time_point next() const { return next_; }
  /// Something happened: more may, soon.
  void quicken(Clock::time_point now) {
    pause_ = first_pause();
    next_ = now + pause_;
  }
  /// Slurm answered, and nothing had happened.
  void answered(Clock::time_point now) {
    silent_since_.reset();
    slow_down(now);
  }
  /// It did not answer. Throws OutputError with what it said once that has lasted too long.
  void unanswered(Clock::time_point now, const std::string& said);

 private:
  Duration first_pause() const { return std::min(pause_max_, Duration{1000}); }
  void slow_down(Clock::time_point now) {
    next_ = now + pause_;
    pause_ = std::min(pause_max_, 2 * pause_);
  }

  Duration pause_max_;
  Duration pause_;
  Duration patience_;
  Clock::time_point next_{};
  std::optional<Clock::time_point> silent_since_{};
};

}  // namespace cubicbench::search
