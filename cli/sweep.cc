#include "results/sweep/sweep.h"

#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/requests/sweep_request.h"
#include "cli/terminal/watched.h"
#include "cli/terminal/written_page.h"
#include "results/document/csv.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"
#include "results/sweep/sweep_document.h"
#include "support/files.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

results::Sweep run(const SweepRequest& asked) {
  results::AskedSweep sweep = asked_sweep(asked);
  WatchedCount watched(asked.global.quiet, *results::point_count(asked.axes), "points");
  sweep.progress = [&watched](std::size_t more) { watched.add(more); };
  results::Sweep done = results::swept(sweep);
  watched.finish();
  done.asked.progress = {};
  return done;
}

Reply answer(const SweepRequest& asked, const results::Screen& screen) {
  const results::Sweep sweep = run(asked);
  const results::Document shown =
      results::sweep_document(sweep, problem_of(asked), asked.out ? command_of(asked) : "");
  if (asked.table) {
    support::write_file_atomic(*asked.table, results::csv_of(results::point_table(sweep)));
  }
  const std::string written = written_page(shown, asked.out);
  return asked.global.json ? support::document_text(results::sweep_json(sweep))
         : asked.markdown  ? results::markdown_text(shown)
                           : results::terminal_text(shown, screen) + written;
}

}  // namespace

Command sweep_command() { return command(words::sweep, declare_sweep, answer); }

}  // namespace cubicbench::cli
