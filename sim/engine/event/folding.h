#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/event/job_graph.h"

namespace cubicbench::sim {

/// Ranks that must do the same at the same time, played once.
///
/// Ranks, communicators and links are coloured, and colours are split until nobody's neighbours
/// tell it from others of its colour (the coarsest equitable partition). Then whoever shares a
/// colour has the same time at every event: by induction over events, since a rank knows only its
/// script and its communicators, a communicator only its members and its share of links, and
/// max-min shares are a function of what stands on each link. docs/event-engine.md, section 4.
JobGraph fold(const JobGraph& job, std::span<const std::uint64_t> rank_colours);

}  // namespace cubicbench::sim
