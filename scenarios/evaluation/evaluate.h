#pragma once

#include <optional>

#include "scenarios/problem/scenario.h"
#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "sim/plan/validity.h"

namespace cubicbench::scenarios {

/// Time and memory of `plan` on the scenario's workload, cluster and stack, by the scenario's
/// engine. Of the cluster, everything here takes as many GPUs as the plan says. With the analytical
/// one nothing is allocated once `workspace` has seen its largest program.
sim::StepReport evaluate(const Scenario& scenario, const sim::Plan& plan,
                         sim::Workspace& workspace);

/// Of a device that has room for whatever runs on it.
inline constexpr sim::Bytes boundless_memory{0x1p60};

/// The same as if the device's memory held anything, with a network in `state`: what does not fit
/// has a time too, and only an invalid plan has none.
sim::StepReport evaluate_roomy(const Scenario& scenario, const sim::Plan& plan,
                               const sim::NetworkState& state, sim::Workspace& workspace);

/// The same step played by the event engine. `options` must fit the GPUs that the plan takes.
/// Throws InputError where the step is too long for it.
sim::EventReport play(const Scenario& scenario, const sim::Plan& plan,
                      const sim::EventOptions& options, sim::Workspace& workspace);

/// The objective's metric of a step of `plan` that took `step`, of which its GPUs computed `busy`
/// (sim::busy_time), without noise. Metrics of energy alone read `busy`: they fall when it grows.
double objective_value(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step,
                       sim::Seconds busy);

/// Joules of a step on all GPUs of `plan`. Requires a device whose power is stated.
double step_energy_j(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step,
                     sim::Seconds busy);

/// What the GPU-hours of a step cost. Requires a price.
double step_price_usd(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

/// Sequences of a transformer, samples of a recommendation model that one step of `plan` trains.
double samples_per_step(const Scenario& scenario, const sim::Plan& plan);
double samples_per_s(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

/// Tokens of one step over its time; nothing for workloads without tokens.
std::optional<double> tokens_per_s(const Scenario& scenario, const sim::Plan& plan,
                                   sim::Seconds step);

/// Days that training the tokens of the deadline takes. Requires a scenario that has one.
double training_days(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

/// Whether that is more than the deadline leaves; never without one.
bool misses_deadline(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

/// Model FLOP utilisation: the model FLOPs of a step over its time and the GPUs' peak in the
/// plan's dtype. A transformer's are (6 N + 6 L a d s) a token, a recommendation model's 6 a dense
/// weight and sample.
double mfu(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

/// The same with 6 N only, as many reports print it.
double mfu_6n(const Scenario& scenario, const sim::Plan& plan, sim::Seconds step);

}  // namespace cubicbench::scenarios
