#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "results/document/document.h"
#include "results/simulation/simulation.h"

namespace cubicbench::results {

/// The report of one configuration for people: what was simulated, how fast it is, where the time
/// goes, and memory against capacity, or in words why it does not run.
Document simulation_document(const Simulation& simulation);

/// The document of `simulate --json`: schema cubicbench.simulate/1.
/// Times, rates and shares of a configuration that does not run are null, and so is the memory of
/// one that cannot be laid out.
nlohmann::ordered_json simulation_json(const Simulation& simulation);

/// When most was alive in the replay, and what: "stage 0: 61.20 GiB in the backward pass of the
/// FFN, micro-batch 3: activations 40.10 GiB, ...".
std::string peak_moment_text(const scenarios::StageReplay& replay);

}  // namespace cubicbench::results
