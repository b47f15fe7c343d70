#include "search/backends/slurm_pace.h"

#include "support/input_error.h"

namespace cubicbench::search {

void SlurmPace::unanswered(Clock::time_point now, const std::string& said) {
  if (!silent_since_) silent_since_ = now;
  if (now - *silent_since_ >= patience_) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience_).count();
    throw support::OutputError("Slurm has not answered for " + std::to_string(seconds) +
                               " s: " + said + "; its jobs go on, and --resume collects them");
  }
  slow_down(now);
}

}  // namespace cubicbench::search
