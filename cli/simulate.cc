#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/engine_option.h"
#include "cli/event_request.h"
#include "cli/options.h"
#include "cli/salt_option.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/terminal.h"
#include "results/simulation/simulation.h"
#include "results/simulation/simulation_document.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

void declare(CLI::App& app) {
  declare_positional(app, "SCENARIO", "A name from the library, or a path with a '/'")->required();
  declare_value(app, "--set", "NAME=VALUE",
                "Change a setting, or a field of the problem such as\ncluster.gpus=8192; may be "
                "given many times");
  declare_value(app, "--instance", "K",
                "Which hidden constants: 0 (default) has the nominal\nones, others draw them "
                "within their spread");
  declare_salt(app);
  declare_engine(app, EngineScope::step);
}

std::uint64_t instance_of(const CLI::App& app) {
  constexpr std::int64_t instance_max = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::uint64_t>(integer_of(app, "--instance", 0, instance_max).value_or(0));
}

Reply answer(const CLI::App& app, results::Ink ink) {
  const GlobalOptions options = global_options(app);
  const std::uint64_t instance = instance_of(app);
  const std::vector<std::string> sets = values_of(app, "--set");
  const std::string name = values_of(app, "SCENARIO").front();
  scenarios::Scenario scenario = datasets::read_scenario(name, sets);
  if (scenario.measured) {
    throw InputError(name,
                     "expected a scenario with a model, got a table of runs: nothing is simulated, "
                     "but search plays what was measured");
  }
  scenario.seal = seal_of(app, instance);
  // What the command line says goes before what the scenario says.
  const EngineOptions engine =
      engine_options(app, EngineScope::step, scenario.engine == scenarios::Engine::event);
  scenario.engine = scenarios::Engine::analytical;
  sim::SpanLog spans;
  const sim::EventOptions event = event_request(scenario, engine, spans);
  const results::Simulation simulation =
      results::simulate(scenario, sets, instance, engine.event ? &event : nullptr);
  write_trace(simulation, engine, spans, options.quiet);
  return options.json ? support::document_text(results::simulation_json(simulation))
                      : results::terminal_text(results::simulation_document(simulation), ink);
}

}  // namespace

Command simulate_command() {
  return {.name = "simulate",
          .summary = "Time and memory of one configuration",
          .declare = declare,
          .answer = answer};
}

}  // namespace cubicbench::cli
