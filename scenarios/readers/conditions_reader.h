#pragma once

#include <string>

#include "scenarios/problem/scenario.h"
#include "sim/engine/event/conditions.h"

namespace cubicbench::scenarios {

/// What the JSON file at `path` says is wrong with the cluster of `scenario`: schema
/// `cubicbench.conditions/1` (docs/conditions.md). Throws InputError with everything that the
/// cluster does not have or that no engine could play: unknown ranks and places, no bandwidth,
/// routes that go in a circle. Builds the topology where the file names places: tens of
/// milliseconds for 16,384 GPUs.
sim::Conditions read_conditions(const std::string& path, const Scenario& scenario);

}  // namespace cubicbench::scenarios
