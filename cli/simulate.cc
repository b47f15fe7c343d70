#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/engine_options.h"
#include "cli/options/shared_options.h"
#include "cli/requests/event_request.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/terminal.h"
#include "results/simulation/simulation.h"
#include "results/simulation/simulation_document.h"
#include "results/simulation/step_words.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct SimulateAsked {
  std::string name;
  std::vector<std::string> sets;
  std::uint64_t instance = 0;
  std::optional<std::string> salt;
  bool explain_words = false;
  EngineAsked engine;
  GlobalOptions global;
};

void declare_simulate(Options& options, SimulateAsked& asked) {
  declare_scenario(options, asked.name);
  declare_set(options, "a setting", asked.sets);
  declare_instance(options, asked.instance);
  declare_salt(options, asked.salt);
  declare_engine(options, EngineScope::step, asked.engine);
  options.flag("--explain-words", "Also explain the words of the output", asked.explain_words);
}

Reply answer(const SimulateAsked& asked, const results::Screen& screen) {
  const auto seal = seal_of(asked.salt, asked.name, asked.instance);
  scenarios::Scenario scenario = datasets::read_simulated(asked.name, asked.sets, seal);
  // What the command line says goes before what the scenario says.
  const EngineOptions engine =
      engine_options(asked.engine, EngineScope::step, scenario.engine == scenarios::Engine::event);
  scenario.engine = scenarios::Engine::analytical;
  sim::SpanLog spans;
  const sim::EventOptions event = event_request(scenario, engine, spans);
  const results::Simulation simulation =
      results::simulate(scenario, asked.sets, asked.instance, engine.event ? &event : nullptr);
  write_trace(simulation, engine, spans, asked.global.quiet);
  if (asked.global.json) return support::document_text(results::simulation_json(simulation));
  results::Document document = results::simulation_document(simulation);
  if (asked.explain_words) document.add(results::words_of(document));
  return results::terminal_text(document, screen);
}

}  // namespace

Command simulate_command() { return command(words::simulate, declare_simulate, answer); }

}  // namespace cubicbench::cli
