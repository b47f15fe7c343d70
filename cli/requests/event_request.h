#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/engine_options.h"
#include "results/simulation/simulation.h"
#include "scenarios/problem/scenario.h"
#include "sim/engine/event/event_engine.h"

namespace cubicbench::cli {

/// Most ranks that one trace shows: more than a screen, and far below what a viewer takes.
inline constexpr std::size_t listed_ranks_max = 64;

/// The ranks of "0,8,16-19", ascending, each once, of a job on `gpus` GPUs. `where` names the list
/// in messages. Throws InputError with everything that is wrong with it.
std::vector<std::int64_t> listed_ranks(const std::string& text, std::int64_t gpus,
                                       const std::string& where);

/// How the event engine is to play `scenario`. `spans` takes what a trace needs, where one is asked
/// for; it must outlive the options. Throws InputError with everything that the scenario's cluster
/// does not have.
sim::EventOptions event_request(const scenarios::Scenario& scenario, const EngineOptions& asked,
                                sim::SpanLog& spans);

/// Writes the trace that was asked for, and says so unless `quiet`. A configuration that does not
/// run has none, which is said, too. Throws OutputError.
void write_trace(const results::Simulation& simulation, const EngineOptions& asked,
                 const sim::SpanLog& spans, bool quiet);

}  // namespace cubicbench::cli
