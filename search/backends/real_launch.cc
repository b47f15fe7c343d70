#include "search/backends/real_launch.h"

#include "sim/plan/plan_cluster.h"
#include "support/input_error.h"

namespace cubicbench::search {

int gpus_of(const scenarios::Scenario& scenario, const Launch& launch) {
  sim::Plan plan;
  if (scenario.space.contains(launch.config)) scenario.space.apply(launch.config, plan);
  return sim::gpus_of(plan, scenario.cluster);
}

/// A job that died of something we know needs no answer, but one that tried to give one failed.
void FailureNotes::add(std::int64_t trial, const ObservedJob& observed,
                       const scenarios::TrialOutcome& outcome) {
  if (outcome.state != scenarios::TrialState::fail) return;
  try {
    const Answer answer = parse_answer(observed.last_line);
    if (!answer.message.empty()) once(noted_message_, trial, support::shortened(answer.message));
  } catch (const support::InputError& error) {
    if (outcome.reason == scenarios::Reason::infra || observed.last_line.starts_with('{')) {
      const support::Problem& first = error.problems().front();
      once(noted_no_answer_, trial, first.where + ": " + first.text);
    }
  }
}

void FailureNotes::once(bool& noted, std::int64_t trial, const std::string& text) {
  if (noted || !note_) return;
  noted = true;
  note_("trial " + std::to_string(trial) + " failed: " + text);
}

}  // namespace cubicbench::search
