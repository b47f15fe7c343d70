#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/serve_request.h"
#include "cli/terminal/served.h"
#include "cli/terminal/watched.h"

namespace cubicbench::cli {
namespace {

/// What is said is said on the standard streams while it is asked.
Reply answer(const ServeRequest& request, const results::Screen& /*screen*/) {
  for (const std::string& note : request.search.notes) say_note(note, request.global.quiet);
  search::SearchRun run = request.search.run;
  run.threads = request.global.threads;
  serve_streams(request.search.plan, run, request.mcp, request.reveal, request.global.quiet);
  return Reply("");
}

}  // namespace

Command serve_command() { return command(words::serve, declare_serve, answer); }

}  // namespace cubicbench::cli
