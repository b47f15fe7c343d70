#pragma once

#include <cstdint>
#include <string>

#include "sim/engine/event/event_engine.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/workload.h"
#include "tests/sim/engine/event/dice.h"

namespace cubicbench::sim {

inline EventOptions with_contention(bool contention, bool fold = true) {
  EventOptions options;
  options.contention = contention;
  options.fold = fold;
  return options;
}

/// A step that fits on 64 GPUs, to be played.
struct RandomJob {
  Workload model;
  Plan plan;
  Cluster cluster;
  Stack stack;

  EventReport play(const EventOptions& options) const;
};

constexpr int random_job_networks = 9;

/// A plan of assorted_plans() with few micro-batches, on one of `random_job_networks` networks:
/// switched nodes on one switch, rails, oversubscribed leaves, three tiers, a torus, cube meshes,
/// islands, a dragonfly and nodes of direct links; packed, scattered or partly used.
RandomJob random_job(std::uint64_t seed);
RandomJob random_job(std::uint64_t seed, int network, Placement placement);

/// Slow ranks, and on packed jobs degraded cables, as the dice fall; none fails.
Conditions random_conditions(const RandomJob& job, Dice& dice);

/// For SCOPED_TRACE.
std::string description(std::uint64_t seed, const RandomJob& job);

}  // namespace cubicbench::sim
