#include "search/backends/table_backend.h"

#include <utility>
#include <vector>

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
  const std::vector<TrialOutcome>& runs =
      scenario_.measured->of_configuration[scenario_.space.number_of(launch.config)];
  return runs[static_cast<std::size_t>(launch.attempt) % runs.size()];
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
