#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/engine_options.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "cli/requests/event_request.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/terminal.h"
#include "results/simulation/step_timeline.h"
#include "support/files.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct TimelineAsked {
  std::string name;
  std::vector<std::string> sets;
  std::uint64_t instance = 0;
  std::optional<std::string> salt;
  EngineAsked engine;
  std::optional<std::string> ranks;
  bool kernels = false;
  std::string out;
  GlobalOptions global;
};

void declare_timeline(Options& options, TimelineAsked& asked) {
  declare_scenario(options, asked.name);
  declare_set(options, "a setting", asked.sets);
  declare_instance(options, asked.instance);
  declare_salt(options, asked.salt);
  declare_engine(options, EngineScope::played_step, asked.engine);
  options.value("--ranks", "LIST",
                "Ranks to draw: 0,8,16-19 (default: the first rank of\neach pipeline stage)",
                asked.ranks, Filled{"LIST"});
  options.flag("--kernels", "Also draw the kernels of each rank's passes", asked.kernels);
  options.value("--out", "FILE.svg", "File of the picture", asked.out, FileEnding{".svg"})
      .required(FileEnding{".svg"}.missing())
      .writes(Output::file);
}

Reply answer(const TimelineAsked& asked, const results::Screen& screen) {
  const auto seal = seal_of(asked.salt, asked.name, asked.instance);
  scenarios::Scenario scenario = datasets::read_simulated(asked.name, asked.sets, seal);
  scenario.engine = scenarios::Engine::analytical;
  sim::SpanLog log;
  log.layers_max = std::numeric_limits<std::int32_t>::max();
  log.ranks = asked.ranks ? listed_ranks(*asked.ranks, scenario.cluster.gpus, "--ranks")
                          : results::timeline_ranks(scenario);
  const EngineOptions engine = engine_options(asked.engine, EngineScope::played_step, true);
  sim::SpanLog no_trace;
  sim::EventOptions event = event_request(scenario, engine, no_trace);
  event.spans = &log;
  const results::Simulation simulation =
      results::simulate(scenario, asked.sets, asked.instance, &event);
  std::vector<results::RankTime> ranks;
  if (results::has_step(simulation)) {
    const results::Timeline timeline = results::step_timeline(simulation, log, asked.kernels);
    ranks = results::rank_times(timeline, log, simulation.report.step.value);
    support::write_file_atomic(asked.out, results::timeline_svg(timeline));
  }
  return asked.global.json
             ? support::document_text(results::timeline_json(simulation, ranks))
             : results::terminal_text(
                   results::timeline_document(simulation, ranks, ranks.empty() ? "" : asked.out),
                   screen);
}

}  // namespace

Command timeline_command() { return command(words::timeline, declare_timeline, answer); }

}  // namespace cubicbench::cli
