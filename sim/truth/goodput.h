#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/plan/plan.h"
#include "sim/workload/workload.h"

namespace cubicbench::sim {

/// A training that goes on for weeks on machines that fail: it keeps checkpoints, and after a
/// failure begins again at the last complete one [docs/models.md, section G].
struct LongRun {
  double failures_per_s = 0.0;
  Seconds restart{};     ///< from a failure to the next step
  Seconds checkpoint{};  ///< that the steps stand still for one
  Seconds written{};     ///< from then on, until it is complete: beside the steps that follow
};

/// Where the time of a long run goes, in shares that sum to 1.
struct TimeShares {
  double steps = 1.0;  ///< that count: the goodput
  double checkpoints = 0.0;
  double repeated = 0.0;  ///< steps that a failure undid
  double restarts = 0.0;

  bool operator==(const TimeShares&) const = default;
};

/// With a checkpoint after every `interval` of steps. Failures are a Poisson process of rate L, in
/// restarts too, so that steps of `interval` = t with their checkpoint c take, restarts r and w
/// more steps each time included, the mean time [Daly06, section 2]
///
///   T = e^(L (r + w)) (e^(L (t + c)) - 1) / L
///
/// Of it t counts, c are checkpoints, and 1 - e^(-L r) restarts. A checkpoint that is written
/// beside the steps is lost with them until it is complete, a time w: on the mean a failure undoes
/// w more. Requires `interval` > 0.
TimeShares time_shares(const LongRun& run, Seconds interval);

/// The interval with the largest share of steps, but no shorter than a checkpoint takes to be
/// written: L t = 1 - e^(-L (t + c)), near sqrt(2 c / L) [Young74]. Requires failures and a
/// checkpoint that takes time, standing still or written.
Seconds best_interval(const LongRun& run);

/// Share of the time in which a job waits for a node: one is under repair more often than there are
/// spare ones. Nodes break at `broken_per_repair`, the mean number in the time of a repair, while
/// the job runs, and each is repaired in a time of its own: Erlang's loss formula, for `spares` + 1
/// places, whatever the spread of repairs [Erlang17].
double waiting_share(double broken_per_repair, std::int64_t spares);

/// What a checkpoint has to hold: of every weight that is trained, once, its copy that is updated,
/// in fp32, and the optimizer's state; of embedding tables their rows as they are stored, with the
/// state of theirs. A matrix that is updated whole (Muon) counts with all weights outside the
/// embedding and the head.
Bytes checkpoint_bytes(const Workload& workload, const Plan& plan);

}  // namespace cubicbench::sim
