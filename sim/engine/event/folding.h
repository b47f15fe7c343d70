#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/job_loads.h"

namespace cubicbench::sim {

/// A job in which those that must do the same at the same time are one.
struct FoldedJob {
  JobGraph graph;
  JobLoads loads;
  std::vector<std::uint32_t> player_of;  ///< of every rank of the job: its row in `graph`
};

/// Folds a job. `rank_colours` say which ranks differ from the start: in their script, or in what
/// is wrong with them. `loads` are those of `job`, or none (no communicators) where links do not
/// count.
///
/// Ranks, communicators and bundles are coloured, and colours are split until none has members that
/// their neighbours' colours tell apart: the coarsest equitable partition, by colour refinement
/// [KieferMcKay20]. Then whoever shares a colour has the same time at every event, by induction
/// over events: a rank knows only its script and its communicators; a communicator only its members
/// and its share of links; and max-min shares are a function of what runs on each bundle, the same
/// for bundles that carry as much of each colour. A folded bundle carries what one of its colour
/// does, so that folding changes no bit. What happens at one moment does so in any order.
/// Signatures are words of 128 bits: two colours that differ meet with a probability of about
/// 2^-100.
FoldedJob fold(const JobGraph& job, const JobLoads& loads,
               std::span<const std::uint64_t> rank_colours);

}  // namespace cubicbench::sim
