#include "cli/terminal/served.h"

#include <unistd.h>

#include <iostream>
#include <string>

#include "cli/terminal/watched.h"
#include "search/served/mcp_server.h"
#include "search/served/serve_lines.h"
#include "search/wire/messages.h"
#include "support/files.h"
#include "support/interruption.h"
#include "support/json/canonical.h"
#include "support/line_reader.h"

namespace cubicbench::cli {
namespace {

/// The standard streams as a peer. Who reads no answer will ask no more.
search::LinePeer standard_peer(support::LineReader& reader, const support::InterruptionWatch& watch,
                               bool& is_gone) {
  return {.next = [&reader, &watch, &is_gone]() -> std::optional<std::string> {
            if (is_gone) return std::nullopt;
            return reader.next([&watch] { return watch.requested().load(); });
          },
          .answer =
              [&is_gone](std::string_view text) {
                is_gone = is_gone || !support::write_all(STDOUT_FILENO, text);
              }};
}

void serve_agent(search::ServedSearch& search, bool reveal, const search::LinePeer& peer) {
  for (const auto& study : search.studies()) {
    study->begin();
    study->replay();
  }
  search::McpServer server(search, reveal);
  while (const std::optional<std::string> line = peer.next()) {
    if (line->empty()) continue;
    if (const std::optional<std::string> answer = server.answer(*line)) {
      peer.answer(*answer + "\n");
    }
  }
}

void require_closed(const search::ServedSearch& search) {
  std::string open;
  for (const auto& study : search.studies()) {
    if (study->is_closed()) continue;
    const search::Balance balance = study->ledger().balance();
    open += (open.empty() ? "" : "\n") + study->name() + ": left open after " +
            support::shortest(balance.launches) + " of " +
            support::shortest(balance.launches + balance.launches_left) +
            " launches; run the same command with --resume to continue";
  }
  if (!open.empty()) throw support::OutputError(open);
}

}  // namespace

void serve_streams(const search::SearchPlan& plan, search::SearchRun run, bool mcp, bool reveal,
                   bool quiet) {
  const support::InterruptionWatch watch(
      {.patience = support::Patience::endless,
       .left = "run the same command with --resume to continue"});
  run.stop = &watch.requested();
  if (!quiet) run.note = [](const std::string& text) { say_note(text, false); };
  search::ServedSearch search(plan, run);
  for (const auto& study : search.studies()) {
    const std::string launches = std::to_string(study->spec().trials) + " launches";
    say_note("serving " + study->name() + ", " + launches +
                 (study->was_closed() ? "; it is closed and stays so" : ""),
             quiet);
  }
  support::LineReader reader(STDIN_FILENO, search::wire_line_max);
  bool is_gone = false;
  const search::LinePeer peer = standard_peer(reader, watch, is_gone);
  if (mcp) {
    serve_agent(search, reveal, peer);
  } else {
    search::serve_lines(*search.studies().front(), peer);
  }
  search.write_closed();
  support::end_if_interrupted();
  require_closed(search);
}

}  // namespace cubicbench::cli
