#pragma once

#include <cstdint>

#include "sim/plan/plan.h"
#include "sim/workload/arch_work.h"

namespace cubicbench::sim {

/// The work of the rank that all others wait for, over that of a mean one.
struct SlowestRank {
  double tokens = 1.0;     ///< of products, element-wise work and activations
  double attention = 1.0;  ///< in the square of tokens
};

/// The slowest of `ranks` whose samples' histories differ in length   [docs/models.md, Eq. R-29]:
///
///   1 + m(ranks) v sqrt(t + (1 - t) / b)
///
/// b  samples of a rank;  v  the spread of one sample's work in its mean;  t  the share of it that
/// a rank's samples have in common;  m  how far the largest of so many normal numbers is out.
/// At most what a batch of the longest histories makes. 1 where `length_balancing` deals samples to
/// ranks by their work. Left out: what even such a deal leaves unequal, under a hundredth where a
/// batch has dozens of samples. Source of the deal: Karmarkar-Karp over the samples of all ranks,
/// github.com/NVIDIA/recsys-examples, examples/commons/distributed/batch_shuffler.py.
SlowestRank slowest_rank(const ArchWork& work, const Plan& plan, std::int64_t ranks);

}  // namespace cubicbench::sim
