#pragma once

#include <cstdint>
#include <string>

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// A transformer with experts, and a plan that `check` accepts for it on its cluster.
struct ExpertJob {
  Transformer model;
  Plan plan;
  Cluster cluster;
  Stack stack;
};

/// As the dice of `seed` fall: experts in all layers or in some, shared ones, capacity or
/// imbalance, latent attention, prediction layers; every way to share experts and to send tokens to
/// them on 64 GPUs. Everything fits into the devices.
ExpertJob random_experts(std::uint64_t seed);

/// For SCOPED_TRACE.
std::string description(std::uint64_t seed, const ExpertJob& job);

}  // namespace cubicbench::sim
