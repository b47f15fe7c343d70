#pragma once

#include <optional>

#include "sim/engine/event/folding.h"
#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/job_loads.h"
#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"

namespace cubicbench::sim {

/// Folds a job in which no rank differs from the start but in its stage, without listing its ranks:
/// the same answer as fold() of all of them, in the time that a few replicas take. `player_of`
/// stays empty. Nothing where the job does not repeat itself often enough, or not provably so; then
/// its ranks have to be listed.
///
/// A job repeats itself after a period: so many ranks of each stage that every communicator lies
/// within one period or goes round all of them, on GPUs that fill blocks of the network. Shifting
/// all ranks by a period then maps the job onto itself: communicators, messages, routes, loads. So
/// four periods are folded in place of all, with communicators that go round them: each rank, cable
/// and communicator of these has the same neighbours as its images in the whole job, for what is
/// one period away from a period is another one either way.
///
///   communicators   only closed rings may go round; their shares are those of all members
///   lower blocks    of the network have whole periods above them: a period fills several
///   upper blocks    hold several whole periods, and may end with fewer. Rings leave such a block
///                   once, whatever it holds, and nothing else does: two periods load it as much as
///                   all that it holds. It must have room for that and so drop out (job_loads());
///                   else it might matter where in a block a rank is
///
/// With `contention` off links do not count, and any network will do.
std::optional<FoldedJob> fold_periods(const JobShape& job, const StepScript& script,
                                      const RoleGroups& groups, const Cluster& cluster,
                                      bool contention);

}  // namespace cubicbench::sim
