#include <set>
#include <string>

#include "datasets/fits/peer_result.h"
#include "results/layout/markdown_table.h"
#include "results/validation/ablation_tables.h"
#include "results/validation/peer_table.h"
#include "results/validation/validation_notes.h"
#include "results/validation/validation_report.h"
#include "results/validation/validation_tables.h"

namespace cubicbench::results {
namespace {

std::string heading(const char* text) { return "## " + std::string(text) + "\n\n"; }

/// Heading of a section within a part.
std::string subheading(const std::string& text) { return "### " + markdown_escaped(text) + "\n\n"; }

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
    "Many constants were fitted to or read off the same measurements, by us and by others: the "
    "column In-sample says where, the list below it what, docs/calibration.md by which command, "
    "and the files in scenarios/stacks, scenarios/networks and scenarios/hardware name the source "
    "of each constant. A change of the physics commits this file anew, so that its effect shows "
    "here line by line.";

constexpr const char* not_shipped_text =
    "One table of the collection that these come from does not ship and is not here: 223 rows of "
    "nccl-tests on a cluster of B200 (transcribed_sweeps), whose repository could not be "
    "identified. Some efficiencies of the NDR networks come from the same cluster. "
    "datasets/measured/SOURCES.md says where every other table is from.";

std::string list(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "- " + markdown_escaped(line) + "\n";
  return text.empty() ? "" : text + "\n";
}

std::string times_part(const Validation& validation, const Summaries& summaries) {
  if (!has_runs(validation)) return "";
  std::string text = heading("Step times by source") + sentences(order_note()) +
                     table(sources_table(validation, summaries));
  if (summaries.parts.empty()) return text;
  return text + heading("Step times by part") + table(parts_table(validation, summaries));
}

std::string ranking_part(const Summaries& summaries) {
  if (summaries.runs.families_ranked == 0) return "";
  return heading("Which run is faster") + sentences(ranks_note()) + table(ranks_table(summaries));
}

std::string memory_part(const Summaries& summaries) {
  if (!has_memory_figures(summaries)) return "";
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
  std::string text = heading("Collectives") + sentences(collectives_note()) + table(of);
  const std::vector<Crossover> crossovers = crossovers_of(validation);
  if (crossovers.empty()) return text;
  return text + subheading("From latency to bandwidth") + sentences(crossovers_note(crossovers)) +
         table(crossovers_table(crossovers));
}

std::string hung_part(const Validation& validation, const Summaries& summaries) {
  if (summaries.runs.hung == 0) return "";
  return heading("Slower than three times the simulation") + sentences(hung_note(summaries)) +
         table(hung_table(validation));
}

std::string skipped_part(const Validation& validation) {
  std::string text = heading("What is not covered");
  if (!validation.skipped.empty()) {
    text += sentences(skipped_note()) + table(skipped_table(validation));
  }
  return text + table(excluded_table(validation));
}

std::string ablation_part(const Ablation* ablation) {
  if (ablation == nullptr || ablation->stacks.empty()) return "";
  std::string text = heading("What each term is worth") + sentences(ablation_note(*ablation)) +
                     table(ablation_table(*ablation));
  for (const AblatedRuns& stack : ablation->stacks) {
    text += subheading("Without terms: " + stack.stack) + sentences(ablated_note(stack)) +
            table(ablation_table(stack));
  }
  return text + heading("Models left out") + sentences(left_out_note(*ablation)) +
         table(left_out_table(*ablation)) + table(constants_table(*ablation));
}

}  // namespace

std::string validation_markdown(const Validation& validation, const Summaries& summaries,
                                const MarkdownOrigin& origin, const Ablation* ablation) {
  std::string text = "<!-- Made by `" + comment_text(origin.command) +
                     "`; any other change of it is lost. -->\n\n";
  text += "# Simulated against measured\n\n";
  text += sentences(validation_head(validation, summaries));
  if (origin.shipped) text += sentences(baseline_text);
  text += heading("How to read this") + sentences(errors_note());
  text += list(in_sample_lines(summaries));
  text += times_part(validation, summaries) + peers_part(validation) + memory_part(summaries) +
          collectives_part(validation, summaries) + ranking_part(summaries) +
          hung_part(validation, summaries) + ablation_part(ablation) + skipped_part(validation);
  if (origin.shipped) text += sentences(not_shipped_text);
  text.pop_back();  // one line feed ends the file
  return text;
}

}  // namespace cubicbench::results
