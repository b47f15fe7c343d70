#pragma once

#include <cstdint>

#include "datasets/jobs/dataset.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// `rows` uniform configurations of the scenario, each launched on `instance` with noise, and
/// launched again where the infrastructure failed or the run hung. None is drawn twice unless the
/// space holds no more than `rows`; repeats are launches of their own.
///
/// Configurations that run out of memory are jobs too; those that take longer than a job may are
/// untimed, and those that the simulator cannot lay out are left out. Columns are those of
/// SpaceColumns, the target is the scenario's metric, and physics asks the nominal scenario. Of a
/// table of runs, whatever the instance, each configuration is drawn once and its job is the first
/// of its runs; no physics is known.
///
/// A pure function of its arguments but `threads`. Requires a scenario with a configuration.
Dataset sampled_dataset(const scenarios::Scenario& scenario, std::uint64_t instance,
                        std::int64_t rows, std::uint64_t seed, int threads);

}  // namespace cubicbench::datasets
