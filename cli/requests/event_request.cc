#include "cli/requests/event_request.h"

#include <string>
#include <vector>

#include "cli/terminal/note.h"
#include "results/document/number_text.h"
#include "results/simulation/rank_list.h"
#include "results/simulation/trace_json.h"
#include "results/simulation/traced_ranks.h"
#include "scenarios/readers/conditions_reader.h"
#include "sim/truth/models.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

/// The GPUs' delays of one step, drawn from `seed` as the scenario's noise has them.
sim::LateRanks late_ranks(const scenarios::Scenario& scenario, std::uint64_t seed) {
  const sim::NoiseModel& noise = *sim::find_noise_model(scenario.truth.noise);
  if (noise.jitter.gpu_mean == 0.0) {
    throw InputError("--jitter",
                     "expected a scenario with noise in its truth, such as field, got \"" +
                         scenario.truth.noise + "\"");
  }
  return {.seed = seed, .step = 0, .gpu_mean = noise.jitter.gpu_mean};
}

std::vector<std::int64_t> traced_ranks(const scenarios::Scenario& scenario,
                                       const EngineOptions& asked) {
  if (asked.trace_ranks.empty()) return results::telling_ranks(scenario);
  return results::listed_ranks(asked.trace_ranks, scenario.cluster.gpus, "--trace-ranks");
}

}  // namespace

sim::EventOptions event_request(const scenarios::Scenario& scenario, const EngineOptions& asked,
                                sim::SpanLog& spans) {
  sim::EventOptions options;
  options.contention = asked.contention;
  options.fold = asked.fold;
  Problems problems;
  if (asked.jitter) {
    options.late = gathered(problems, [&] { return late_ranks(scenario, *asked.jitter); });
  }
  if (asked.conditions) {
    options.conditions =
        gathered(problems, [&] { return scenarios::read_conditions(*asked.conditions, scenario); });
    const sim::Conditions& read = options.conditions;
    if (!asked.contention && !(read.degraded_links.empty() && read.routes.empty())) {
      problems.push_back({"--contention", "expected on, as " + *asked.conditions +
                                              " has links or routes, got \"off\""});
    }
  }
  if (asked.trace) {
    spans.ranks = gathered(problems, [&] { return traced_ranks(scenario, asked); });
    options.spans = &spans;
  }
  support::throw_if_any(problems);
  return options;
}

void write_trace(const results::Simulation& simulation, const EngineOptions& asked,
                 const sim::SpanLog& spans, bool quiet) {
  if (!asked.trace) return;
  if (simulation.report.status != sim::StepStatus::ok) {
    say_note("no trace: the configuration does not run", quiet);
    return;
  }
  std::vector<std::string> names;
  for (const std::int64_t rank : spans.ranks) {
    names.push_back(results::traced_rank_name(simulation.scenario, rank));
  }
  support::write_file_atomic(*asked.trace, results::trace_json(spans, names));
  say_note(*asked.trace + ": " + results::counted(spans.ranks.size(), "rank", "ranks") + ", " +
               results::counted(spans.spans.size(), "span", "spans") + "; ui.perfetto.dev opens it",
           quiet);
}

}  // namespace cubicbench::cli
