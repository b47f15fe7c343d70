#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "sim/engine/event/event_engine.h"

namespace cubicbench::sim {

/// The events of a job's step; a job has a model, a plan, a cluster and a stack.
template <typename Job>
EventReport played(const Job& job, bool fold, bool contention, Workspace& workspace) {
  EventOptions options;
  options.contention = contention;
  options.fold = fold;
  return play(job.model, job.plan, job.cluster, job.stack, options, workspace);
}

/// Playing one rank for all that are like it changes no bit of what is found.
template <typename Job>
void expect_same_folded(const Job& job, bool contention, Workspace& workspace) {
  const EventReport folded = played(job, true, contention, workspace);
  const EventReport whole = played(job, false, contention, workspace);
  EXPECT_EQ(whole.counts.ranks, static_cast<std::uint64_t>(job.cluster.gpus));
  EXPECT_EQ(folded.step.step, whole.step.step);
  EXPECT_EQ(folded.step.parts, whole.step.parts);
  EXPECT_EQ(folded.peak, whole.peak);
  EXPECT_EQ(folded.counts.flows, whole.counts.flows);
  EXPECT_LE(folded.counts.ranks, whole.counts.ranks);
}

}  // namespace cubicbench::sim
