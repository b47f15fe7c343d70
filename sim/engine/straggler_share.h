#pragma once

#include "sim/hardware/cluster.h"

namespace cubicbench::sim {

/// Share by which the mean step of a job is longer than that of a node of 8 GPUs, because it waits
/// for the slowest of more of them                                      [docs/models.md, Eq. S-1]:
///
///   beta (H_n - H_min(n, 8))      n GPUs, H_k = 1 + 1/2 + .. + 1/k, beta the cluster's jitter
///
/// The expected slowest of n exponential delays of mean beta is beta H_n. What a node loses is in
/// the constants of stacks already, which are read off whole steps. Takes time proportional to n
/// where there is jitter.
double straggler_share(const Cluster& cluster);

}  // namespace cubicbench::sim
