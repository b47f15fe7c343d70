#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/event/conditions.h"
#include "sim/engine/event/job_graph.h"
#include "sim/engine/event/sim_time.h"

namespace cubicbench::sim {

/// Which GPUs are late, and by how much: each by an independent exponential time, drawn from
/// (seed, rank, step).
struct LateRanks {
  std::uint64_t seed = 0;
  std::uint32_t step = 0;
  double gpu_mean = 0.0;  ///< of the delay, over the ideal step (StepJitter)
};

/// What is special about a rank.
struct RankTemper {
  double factor = 1.0;  ///< its kernels and launches take as many times as long
  SimTime late{};       ///< when it begins its step
  bool fails = false;
  SimTime fails_at{};
};

/// Of every rank of a job of `ranks`; nothing where none is special. `ideal` is the step that
/// lateness is relative to.
std::vector<RankTemper> tempers_of(const std::optional<LateRanks>& late,
                                   const Conditions& conditions, std::size_t ranks, Seconds ideal);

/// A number for every rank of `job`, the same for those that start alike: with the same script and
/// the same temper. `tempers` as tempers_of() says.
std::vector<std::uint64_t> colours_of(const JobGraph& job, const std::vector<RankTemper>& tempers);

}  // namespace cubicbench::sim
