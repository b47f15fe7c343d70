#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "scenarios/problem/trial_outcome.h"
#include "scenarios/space/search_space.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::search {

/// One launch of one trial's configuration.
struct Launch {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;  ///< launches of this configuration by this study before
  std::int64_t round = 0;
  scenarios::Configuration config;
  double fidelity = 1.0;  ///< share of the job's steps that it runs [search/searchers/charge.h]
};

/// A launch that has ended. Times are hours on the study's clock.
struct Finished {
  Launch launch;
  scenarios::TrialOutcome outcome;
  double started_h = 0.0;
  double finished_h = 0.0;
  std::optional<scenarios::TrueValue> true_value{};  ///< from a simulator only
};

/// Where trials run: a simulated cluster, a command, a table. Owns the study's clock. Used by one
/// thread.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// Can it run a share of a job's steps? Others are given whole launches alone.
  virtual bool runs_short_launches() const { return false; }

  /// Starts a launch now. The study keeps no more running than it has slots. One whose
  /// configuration is not in the space ends at once as `invalid`, at no cost.
  virtual void start(Launch launch) = 0;

  /// The launch that ends next, of those running (at least one): in the order of `finished_h`, then
  /// of `trial`. Throws OutputError when nothing could be run at all.
  virtual Finished wait() = 0;

  /// Waits until a launch has ended, so that `wait` returns at once; or until `stopped` says so,
  /// then false: what runs can be waited for by another process, later. Those whose launches end
  /// with us wait in `wait` alone.
  virtual bool await(const std::function<bool()>& stopped) {
    static_cast<void>(stopped);
    return true;
  }

  /// The study has ended: what was kept for going on with it is removed. Throws OutputError.
  virtual void close() {}
};

}  // namespace cubicbench::search
