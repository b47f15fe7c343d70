#include "results/goodput/goodput.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/terminal.h"
#include "results/goodput/goodput_document.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

struct GoodputAsked {
  std::string name;
  std::vector<std::string> sets;
  results::GoodputQuestion question;
  GlobalOptions global;
};

constexpr std::array<std::string_view, 2> writing_names{"synchronous", "asynchronous"};
constexpr Between positive{0.0, 1e9, "above 0 and below 1e9"};

void declare_goodput(Options& options, GoodputAsked& asked) {
  results::GoodputQuestion& question = asked.question;
  declare_scenario(options, asked.name);
  declare_set(options, "a setting", asked.sets);
  options.value("--days", "DAYS", "Length of the run (default: 54)", question.days, positive);
  options.value("--checkpoint", "HOW",
                "asynchronous (default): steps wait for the copy to\nhost memory; synchronous: "
                "until it is written",
                question.writing, Choice<results::CheckpointWriting>{writing_names});
  options.value("--interval", "SECONDS", "Between checkpoints (default: the best)",
                question.interval_s, positive);
  options.value("--storage", "GB/S",
                "Rate at which all ranks together write and read a\ncheckpoint (default: 0.122 a "
                "GPU, Llama 3's)",
                question.storage_gb_s, positive);
  options.value(
      "--restart", "SECONDS",
      "From a failure to the next step (default: ten minutes\nof diagnosis, the start-up of "
      "the scenario's job, and\nreading the checkpoint)",
      question.restart_s, positive);
  options.value("--failure-hours", "GPU-HOURS",
                "From one failure to the next (default: the scenario's\nmodel, or Llama 3's "
                "50,678)",
                question.failure_hours, positive);
  options.value("--spares", "NODES",
                "Spare nodes; without, a node that breaks is replaced\nat once", question.spares,
                Integer{0, 1'000'000});
  options
      .value("--repair", "HOURS", "Until a broken node is back (default: 24)",
             question.repair_hours, positive)
      .check([&question] {
        if (!question.repair_hours || question.spares) return;
        throw support::InputError("--repair", "expected --spares beside it");
      });
}

Reply answer(const GoodputAsked& asked, const results::Screen& screen) {
  const scenarios::Scenario scenario = datasets::read_simulated(asked.name, asked.sets, nullptr);
  const results::Goodput of = results::goodput(scenario, asked.sets, asked.question);
  if (asked.global.json) return support::document_text(results::goodput_json(of));
  return results::terminal_text(results::goodput_document(of), screen);
}

}  // namespace

Command goodput_command() { return command(words::goodput, declare_goodput, answer); }

}  // namespace cubicbench::cli
