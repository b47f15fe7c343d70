#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/launch_request.h"
#include "cli/terminal/dry_run.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/terminal.h"
#include "results/launch/launch_document.h"
#include "support/files.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

Reply answer(const LaunchRequest& asked, const results::Screen& screen) {
  const scenarios::Scenario scenario =
      datasets::read_simulated(asked.scenario, asked.sets, nullptr);
  const search::ProgramCall call =
      search::program_call(*asked.launcher, scenario, scenario.baseline, asked.model, "--for");
  if (asked.out) support::write_file_atomic(*asked.out, call.file_text);
  Reply reply(asked.global.json
                  ? support::document_text(results::launch_json(*asked.launcher, call))
                  : results::terminal_text(
                        results::launch_document(scenario.name, *asked.launcher, call), screen));
  if (asked.dry_run) reply.noes = dry_run(*asked.launcher, call);
  return reply;
}

}  // namespace

Command launch_command() { return command(words::launch, declare_launch, answer); }

}  // namespace cubicbench::cli
