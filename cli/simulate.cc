#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/engine_option.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "datasets/table_scenario.h"
#include "results/simulation.h"
#include "results/step_report_json.h"
#include "results/step_report_text.h"
#include "scenarios/conditions_reader.h"
#include "scenarios/input_error.h"
#include "scenarios/json_document.h"
#include "sim/truth/models.h"

namespace cubicbench::cli {
namespace {

using scenarios::InputError;

void declare(CLI::App& app) {
  declare_positional(app, "SCENARIO", "A name from the library, or a path with a '/'")->required();
  declare_value(app, "--set", "NAME=VALUE",
                "Change a setting, or a field of the problem such as\ncluster.gpus=8192; may be "
                "given many times");
  declare_value(app, "--instance", "K",
                "Which hidden constants: 0 (default) has the nominal\nones, others draw them "
                "within their spread");
  declare_engine(app);
}

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

/// How the event engine is to play.
sim::EventOptions event_options(const scenarios::Scenario& scenario, const EngineOptions& asked) {
  sim::EventOptions options;
  options.contention = asked.contention;
  options.fold = asked.fold;
  std::vector<scenarios::Problem> problems;
  if (asked.jitter) {
    options.late = gathered(problems, [&] { return late_ranks(scenario, *asked.jitter); });
  }
  if (asked.conditions) {
    options.conditions =
        gathered(problems, [&] { return scenarios::read_conditions(*asked.conditions, scenario); });
  }
  scenarios::throw_if_any(problems);
  return options;
}

std::uint64_t instance_of(const CLI::App& app) {
  constexpr std::int64_t instance_max = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::uint64_t>(integer_of(app, "--instance", 0, instance_max).value_or(0));
}

Reply answer(const CLI::App& app, results::Ink ink) {
  const GlobalOptions options = global_options(app);
  const EngineOptions engine = engine_options(app);
  const std::uint64_t instance = instance_of(app);
  const std::vector<std::string> sets = values_of(app, "--set");
  const std::string name = values_of(app, "SCENARIO").front();
  const scenarios::Scenario scenario = datasets::read_scenario(name, sets);
  if (scenario.measured) {
    throw InputError(name,
                     "expected a scenario with a model, got a table of runs: nothing is simulated, "
                     "but search plays what was measured");
  }
  const sim::EventOptions event = event_options(scenario, engine);
  const results::Simulation simulation =
      results::simulate(scenario, sets, instance, engine.event ? &event : nullptr);
  return options.json ? scenarios::document_text(results::step_report_json(simulation))
                      : results::step_report_text(simulation, ink);
}

}  // namespace

Command simulate_command() {
  return {.name = "simulate",
          .summary = "Time and memory of one configuration",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
