#include <set>
#include <string>

#include "datasets/peer_result.h"
#include "results/markdown_table.h"
#include "results/validation/peer_table.h"
#include "results/validation/validation_notes.h"
#include "results/validation/validation_report.h"
#include "results/validation/validation_tables.h"

namespace cubicbench::results {
namespace {

std::string heading(const char* text) { return "## " + std::string(text) + "\n\n"; }

std::string sentences(const std::string& text) { return markdown_escaped(text) + "\n\n"; }

std::string table(const ReportTable& of) { return markdown_table(of.columns, of.rows) + "\n"; }

/// A name of a file must not end the comment that it is in.
std::string comment_text(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '>') {
      result += "&gt;";
    } else {
      result += c == '\n' ? ' ' : c;
    }
  }
  return result;
}

constexpr const char* baseline_text =
    "This is the baseline: no constant was fitted by running this comparison. Yet many constants "
    "of "
    "the stacks and networks come from published analyses and fits of these very measurements; the "
    "files in scenarios/stacks and scenarios/networks name the sources of each. Errors there are "
    "in-sample: expect larger ones on other clusters and software. A change of the physics commits "
    "this file anew, so that its effect shows here line by line.";

std::string ranking_part(const Summaries& summaries) {
  return heading("Which run is faster") + sentences(ranks_note()) + table(ranks_table(summaries));
}

std::string memory_part(const Summaries& summaries) {
  return heading("Memory") + sentences(verdicts_note()) + table(verdicts_table(summaries)) +
         sentences(memory_note()) + table(memory_table(summaries));
}

std::string peers_part(const Validation& validation) {
  const ReportTable peers = peer_table(validation, datasets::peer_results());
  if (peers.rows.empty()) return "";
  std::string text = heading("Beside other simulators") + sentences(peers_note()) + table(peers);
  text += "Sources:\n\n";
  std::set<std::string> lines;  // a source of two quantities stands once
  for (const datasets::PeerResult& peer : datasets::peer_results().results) {
    const std::string line = peer.part + ", " + peer.simulator + ": " + peer.source;
    if (lines.insert(line).second) text += "- " + markdown_escaped(line) + "\n";
  }
  return text + "\n";
}

std::string collectives_part(const Validation& validation, const Summaries& summaries) {
  const ReportTable of = collectives_table(validation, summaries);
  if (of.rows.empty()) return "";
  return heading("Collectives") + sentences(collectives_note()) + table(of);
}

std::string hung_part(const Validation& validation, const Summaries& summaries) {
  if (summaries.overall.hung == 0) return "";
  return heading("Rows that hung") + sentences(hung_note(summaries)) +
         table(hung_table(validation));
}

std::string skipped_part(const Validation& validation) {
  std::string text = heading("What is not covered");
  if (!validation.skipped.empty()) {
    text += sentences(skipped_note()) + table(skipped_table(validation));
  }
  return text + table(excluded_table(validation));
}

}  // namespace

std::string validation_markdown(const Validation& validation, const Summaries& summaries,
                                const std::string& command) {
  std::string text = "<!-- Made by `" + comment_text(command) +
                     " --markdown docs/validation.md`; any other change of it is lost. -->\n\n";
  text += "# Simulated against measured\n\n";
  text += sentences(validation_head(validation, summaries)) + sentences(baseline_text);
  text += heading("Step times by source") + sentences(errors_note()) +
          table(sources_table(validation, summaries));
  if (!summaries.parts.empty()) {
    text += heading("Step times by part") + table(parts_table(validation, summaries));
  }
  text += peers_part(validation) + memory_part(summaries) +
          collectives_part(validation, summaries) + ranking_part(summaries) +
          hung_part(validation, summaries) + skipped_part(validation);
  text.pop_back();  // one line feed ends the file
  return text;
}

}  // namespace cubicbench::results
