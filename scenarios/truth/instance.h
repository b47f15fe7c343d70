#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "scenarios/problem/trial_outcome.h"
#include "sim/engine/analytical.h"
#include "sim/truth/job.h"
#include "sim/truth/noise_and_failures.h"
#include "sim/truth/numeric.h"

namespace cubicbench::scenarios {

/// The noise-free answer to one configuration.
struct TrueValue {
  /// invalid, oom_init, oom_late, timeout (of the job, or a deadline), numeric: properties of the
  /// configuration. `oom_late` is the verdict of demand against capacity, though near it launches
  /// may end otherwise.
  Reason reason = Reason::none;
  double value = 0.0;  ///< of the objective's metric; meaningful when `reason` is none

  bool operator==(const TrueValue&) const = default;
};

/// One of the equally likely truths behind a scenario [docs/truth.md]. Number 0 has the
/// nominal constants; every other draws the hidden ones within their stated spread, from the salt
/// too where the scenario is sealed. Number 0 is never sealed: everybody knows it.
/// Immutable; threads may share it.
class Instance {
 public:
  Instance(const Scenario& scenario, std::uint64_t number);

  std::uint64_t number() const { return number_; }
  /// The hash of the salt that it was drawn from; "" where it is not sealed.
  const std::string& salt_sha256() const { return salt_sha256_; }
  /// The scenario with this instance's constants; `sha256` is that of the nominal one.
  const Scenario& scenario() const { return scenario_; }

  /// The objective's percentile of the step-time distribution, in closed form, without run-to-run
  /// noise, without infrastructure failures, and with the software of the first day. Requires a
  /// canonical configuration of the space.
  /// Allocates nothing once the workspace has seen its largest program.
  TrueValue true_value(std::span<const std::int64_t> configuration,
                       sim::Workspace& workspace) const;

  /// The same of any plan, in the space or not.
  TrueValue true_value(const sim::Plan& plan, sim::Workspace& workspace) const;

  /// The same of a plan whose ideal step is known, from whichever engine, and how much of it GPUs
  /// compute (sim::busy_time), which only metrics of energy read. Both are meaningful when `status`
  /// is ok.
  TrueValue true_value(const sim::Plan& plan, sim::StepStatus status, sim::Seconds step,
                       sim::Seconds busy) const;

  /// Days that training the tokens of the deadline takes at the percentile of the step time.
  /// Requires a scenario that has one.
  double training_days(const sim::Plan& plan, sim::Seconds step) const;

  /// That its training diverges, and when; where the plan's step is ok, `true_value` knows of it.
  std::optional<sim::Divergence> divergence(const sim::Plan& plan) const;

  /// What launching the configuration for the `attempt`-th time comes to: a pure function of
  /// (scenario, instance, configuration, attempt), 0 <= attempt < 2^32, and where software drifts
  /// of when it is launched, `started_h` hours after the study began. A configuration outside the
  /// space is `invalid` and costs nothing; one whose run would miss the deadline is a timeout and
  /// costs all of it. Metrics: of a complete launch `step_time_s` (mean of the run) and
  /// `peak_bytes` (what this launch needed, its luck with the allocator included), of an OOM
  /// `over_bytes` (that beyond what the device leaves, above zero).
  ///
  /// `fidelity`, in (0, 1], is the share of the job's steps that the launch runs, one at least: a
  /// short launch takes the whole start-up and these steps, and measures less exactly
  /// [docs/truth.md, "Short launches"].
  TrialOutcome launch(std::span<const std::int64_t> configuration, std::int64_t attempt,
                      sim::Workspace& workspace, double started_h = 0.0,
                      double fidelity = 1.0) const;

  /// A launch, and the noise-free answer to its configuration (`invalid` outside the space).
  struct JudgedLaunch {
    TrialOutcome outcome;
    TrueValue truth{};
  };

  /// launch() and true_value() together, for the price of one evaluation while software is as on
  /// the first day.
  JudgedLaunch judged_launch(std::span<const std::int64_t> configuration, std::int64_t attempt,
                             sim::Workspace& workspace, double started_h = 0.0,
                             double fidelity = 1.0) const;

 private:
  /// A job as far as its number of GPUs says.
  struct Size {
    sim::JobTerms terms;
    sim::StepDistribution steps;
  };

  Size size_on(const sim::Plan& plan) const;
  Size size_of(const sim::Plan& plan) const;
  sim::IdealJob ideal_job(const sim::Plan& plan, sim::StepStatus status, sim::Seconds step) const;
  sim::IdealJob launched(const Scenario& machine, const sim::Plan& plan,
                         const sim::StepReport& report, sim::StepStatus status,
                         sim::Workspace& workspace) const;
  Size launched_size(const sim::Plan& plan, double fidelity, const sim::JobKey& key) const;
  sim::JobKey key_of(std::span<const std::int64_t> configuration, std::int64_t attempt) const;
  /// On the machine as it is `progress` into its drift.
  TrialOutcome launch_later(double progress, const sim::Plan& plan, const sim::JobKey& key,
                            double fidelity, sim::Workspace& workspace) const;
  /// `report`: what the machine says of the plan.
  TrialOutcome launch_on(const Scenario& machine, const sim::StepReport& report,
                         const sim::Plan& plan, const sim::JobKey& key, double fidelity,
                         sim::Workspace& workspace) const;

  Scenario scenario_;
  Scenario spaceless_;  ///< the same without its space, quick to copy
  std::uint64_t number_ = 0;
  std::uint64_t seed_ = 0;  ///< of (scenario_sha256, instance), and of the salt if sealed
  std::string salt_sha256_;
  std::vector<Size> sizes_;  ///< of all GPUs, then of each count that the space has
  sim::NoiseModel noise_;
  sim::FailureModel failures_;
  sim::NumericModel numeric_;
  sim::DriftModel drift_;
};

/// SHA-256 of the scenario's, the instance, the salt's hash where it is sealed, and the true values
/// of the baseline and 63 configurations drawn by a fixed key: changes when the physics does.
std::string truth_sha256(const Instance& instance);

}  // namespace cubicbench::scenarios
