#include "search/backends/simulated_backends.h"

#include <algorithm>

#include "sim/base/check.h"
#include "support/json/canonical.h"
#include "support/sha256.h"

namespace cubicbench::search {
namespace {

using scenarios::TrialOutcome;

std::string text_of(const TrialOutcome& outcome) {
  std::string text = outcome.value ? support::shortest(*outcome.value)
                                   : std::string(scenarios::name_of(outcome.reason));
  for (const auto& [name, value] : outcome.metrics) {
    text += " " + name + " " + support::shortest(value);
  }
  return text + " takes " + support::shortest(outcome.duration_h) + " costs " +
         support::shortest(outcome.cost_gpu_hours) + "\n";
}

}  // namespace

void SimulatedClock::start(Launch launch, TrialOutcome outcome,
                           std::optional<scenarios::TrueValue> true_value) {
  SIM_ASSERT(outcome.duration_h >= 0.0, outcome.duration_h);
  const double finished_h = now_h_ + outcome.duration_h;
  running_.push_back({.launch = std::move(launch),
                      .outcome = std::move(outcome),
                      .started_h = now_h_,
                      .finished_h = finished_h,
                      .true_value = true_value});
}

Finished SimulatedClock::next() {
  SIM_ASSERT(!running_.empty());
  const auto first = std::ranges::min_element(running_, {}, [](const Finished& launch) {
    return std::pair(launch.finished_h, launch.launch.trial);
  });
  Finished finished = std::move(*first);
  running_.erase(first);
  now_h_ = finished.finished_h;
  return finished;
}

void SimulatorBackend::start(Launch launch) {
  scenarios::Instance::JudgedLaunch judged = instance_.judged_launch(
      launch.config, launch.attempt, workspace_, clock_.now_h(), launch.fidelity);
  clock_.start(std::move(launch), std::move(judged.outcome), judged.truth);
}

TableBackend::TableBackend(const scenarios::Scenario& scenario) : scenario_(scenario) {
  SIM_ASSERT(scenario.measured != nullptr, scenario.name);
}

void TableBackend::start(Launch launch) {
  TrialOutcome outcome = outcome_of(launch);
  clock_.start(std::move(launch), std::move(outcome), std::nullopt);
}

TrialOutcome TableBackend::outcome_of(const Launch& launch) const {
  if (!scenario_.space.contains(launch.config)) {
    TrialOutcome outside;
    outside.state = scenarios::TrialState::fail;
    outside.reason = scenarios::Reason::invalid;
    return outside;
  }
  return scenario_.measured->run(scenario_.space.number_of(launch.config), launch.attempt);
}

std::string outcomes_sha256(const scenarios::Scenario& scenario) {
  SIM_ASSERT(scenario.measured != nullptr, scenario.name);
  std::string text = "cubicbench table\nscenario " + scenario.sha256 + "\n";
  for (const std::vector<TrialOutcome>& runs : scenario.measured->of_configuration) {
    text += std::to_string(runs.size()) + " runs\n";
    for (const TrialOutcome& run : runs) text += text_of(run);
  }
  return support::sha256_hex(text);
}

}  // namespace cubicbench::search
