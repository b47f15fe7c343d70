#pragma once

#include "cli/options/engine_options.h"
#include "results/simulation/simulation.h"
#include "scenarios/problem/scenario.h"
#include "sim/engine/event/event_engine.h"

namespace cubicbench::cli {

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
