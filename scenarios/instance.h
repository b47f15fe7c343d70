#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "scenarios/scenario.h"
#include "scenarios/trial_outcome.h"
#include "sim/engine/analytical.h"

namespace cubicbench::scenarios {

/// The noise-free answer to one configuration.
struct TrueValue {
  Reason reason = Reason::none;  ///< invalid, oom_init, oom_late, timeout: properties of it
  double value = 0.0;            ///< of the objective's metric; meaningful when `reason` is none

  bool operator==(const TrueValue&) const = default;
};

/// One of the equally likely truths behind a scenario [contracts.md, section 4]. Number 0 has the
/// nominal constants; every other draws the hidden ones within their stated spread.
/// Immutable; threads may share it.
class Instance {
 public:
  Instance(const Scenario& scenario, std::uint64_t number);

  std::uint64_t number() const { return number_; }
  /// The scenario with this instance's constants; `sha256` is that of the nominal one.
  const Scenario& scenario() const { return scenario_; }

  /// The objective's percentile of the step-time distribution, in closed form, without run-to-run
  /// noise and without infrastructure failures. Requires a canonical configuration of the space.
  TrueValue true_value(std::span<const std::int64_t> configuration,
                       sim::Workspace& workspace) const;

  /// What launching the configuration for the `attempt`-th time comes to: a pure function of
  /// (scenario, instance, configuration, attempt). A configuration outside the space is `invalid`.
  TrialOutcome launch(std::span<const std::int64_t> configuration, std::int64_t attempt,
                      sim::Workspace& workspace) const;

 private:
  Scenario scenario_;
  std::uint64_t number_ = 0;
  std::uint64_t noise_seed_ = 0;  ///< of (scenario_sha256, instance)
};

/// SHA-256 of the scenario's, the instance, and the true values of the baseline and 63
/// configurations drawn by a fixed key: changes when the physics does.
std::string truth_sha256(const Instance& instance);

}  // namespace cubicbench::scenarios
