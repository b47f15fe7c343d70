#include "cli/requests/sweep_request.h"

#include <iterator>

#include "cli/options/readers.h"
#include "cli/requests/event_request.h"
#include "cli/requests/swept_axis.h"
#include "datasets/problem/table_scenario.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

using support::InputError;

/// What of the event engine the command line says, as it has to be typed again.
std::string engine_words(const SweepRequest& asked) {
  constexpr const char* names[] = {"--contention", "--fold", "--jitter", "--conditions"};
  std::string words;
  if (asked.engine.engine) words += " --engine " + results::shell_word(*asked.engine.engine);
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const std::optional<std::string>& value = asked.engine.of_event[i];
    if (value) words += std::string(" ") + names[i] + " " + results::shell_word(*value);
  }
  return words;
}

/// What the command line says goes before what the scenario says.
EngineOptions engine_of(const SweepRequest& asked, const results::AskedSweep& sweep) {
  const std::vector<std::string> first = results::sets_of(sweep.axes, 0);
  const scenarios::Scenario scenario = datasets::read_simulated(asked.name, first, sweep.seal);
  return engine_options(asked.engine, EngineScope::steps,
                        scenario.engine == scenarios::Engine::event);
}

}  // namespace

void declare_sweep(Options& options, SweepRequest& asked) {
  declare_scenario(options, asked.name);
  options
      .values("--set", "NAME=VALUES",
              "Values of a setting, or of a field of the problem such\nas cluster.gpus: 1,2,4; "
              "1..8, all integers; 8..64+8, in\nsteps; 1..64*2, by factors. Several times: "
              "every\ncombination",
              asked.axes, swept_axis)
      .required("expected NAME=VALUES, such as tensor_parallel=1,2,4,8")
      .check([&asked] { check_points(asked.axes); });
  declare_instance(options, asked.instance);
  declare_salt(options, asked.salt);
  declare_engine(options, EngineScope::steps, asked.engine);
  options
      .value("--table", "FILE.csv", "Write every point with all that is known of it", asked.table,
             FileEnding{".csv"})
      .writes(Output::file);
  declare_page(options, asked.out);
  options.flag("--markdown", "Print tables in Markdown", asked.markdown).check([&asked] {
    if (asked.markdown && asked.global.json) {
      throw InputError("--markdown", "expected no --json beside it: one of them is printed");
    }
  });
}

results::AskedProblem problem_of(const SweepRequest& asked) {
  return {.scenario = asked.name, .instance = asked.instance, .salt = asked.salt.value_or("")};
}

std::string command_of(const SweepRequest& asked) {
  std::string command = "cubicbench sweep " + results::shell_word(asked.name);
  for (const results::SweepAxis& axis : asked.axes) {
    command += " --set " + results::shell_word(axis.typed);
  }
  if (asked.instance != 0) command += " --instance " + std::to_string(asked.instance);
  if (asked.salt) command += " --salt " + results::shell_word(*asked.salt);
  return command + engine_words(asked) + " --out DIR";
}

results::AskedSweep asked_sweep(const SweepRequest& asked) {
  results::AskedSweep sweep{.scenario = asked.name,
                            .axes = asked.axes,
                            .instance = asked.instance,
                            .seal = seal_of(asked.salt, asked.name, asked.instance),
                            .threads = asked.global.threads};
  const EngineOptions engine = engine_of(asked, sweep);
  if (!engine.event) return sweep;
  sweep.play = [engine](const scenarios::Scenario& scenario) {
    sim::SpanLog no_spans;
    return event_request(scenario, engine, no_spans);
  };
  return sweep;
}

}  // namespace cubicbench::cli
