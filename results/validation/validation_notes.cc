#include "results/validation/validation_notes.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "datasets/fits/in_sample.h"
#include "results/document/number_text.h"
#include "results/validation/validation_tables.h"

namespace cubicbench::results {
namespace {

std::string count(std::size_t value) { return grouped(value); }

std::string share(const std::optional<double>& value) {
  return value ? percent(*value) : no_figure;
}

std::string errors_of(const char* rows, const Summary& of) {
  return "Of the " + grouped(static_cast<std::uint64_t>(of.n)) + " timed " + rows +
         " the median error is " + share(of.median_abs_rel_error) + ", nine in ten are below " +
         share(of.p90_abs_rel_error) + ", and the bias is " +
         (of.bias ? signed_percent(*of.bias) : no_figure) + ".";
}

}  // namespace

std::string validation_head(const Validation& validation, const Summaries& summaries) {
  const Summary& all = summaries.overall;
  const std::string skipped = count(validation.skipped.size());
  if (validation.rows.empty()) {
    return validation.skipped.empty() ? "No row of these tables is wanted."
                                      : "None of the " + skipped + " wanted rows can be simulated.";
  }
  std::string text = "The simulator beside " + count(validation.rows.size()) +
                     " published measurements of " + count(summaries.sources.size()) +
                     (summaries.sources.size() == 1 ? " source" : " sources") + ", " +
                     grouped(static_cast<std::uint64_t>(all.n)) + " of them timed; " + skipped +
                     " more cannot be simulated (coverage " + share(all.coverage) + ").";
  if (summaries.runs.n > 0) text += " " + errors_of("runs", summaries.runs);
  if (summaries.collectives.n > 0) text += " " + errors_of("collectives", summaries.collectives);
  return text;
}

std::string errors_note() {
  return "An error is |simulated - measured| / measured time; bias is the median of it with its "
         "sign, so a negative one says that the simulator is too fast; nine in ten rows are below "
         "the column 90 %. Coverage is the share of wanted rows that can be simulated. In-sample "
         "says whether constants that the simulator runs with were fitted to, or read off, these "
         "very rows: expect larger errors on other clusters and software than where it says yes "
         "or partly.";
}

std::string order_note() {
  return "tau is the median over groups (one model, device, number of GPUs, sequence and "
         "precision, measured by one party) of Kendall's tau-b of throughput per GPU; best found "
         "is the mean measured throughput of the row that the simulator puts first, over the best "
         "of its group.";
}

std::string collectives_note() {
  return "One row is one message size of one operation. By size stand the median and the 90th "
         "percentile over groups (system, operation, number of GPUs) of the group's median error.";
}

std::string crossovers_note(const std::vector<Crossover>& crossovers) {
  const CrossoverSummary summary = summary_of(crossovers);
  return "The size from which on bandwidth counts and not latency, where two lines that fit a "
         "curve "
         "cross: measured, and simulated at the same sizes. Of " +
         grouped(static_cast<std::uint64_t>(summary.n)) +
         " measured curves that have two regimes " + share(summary.within) +
         " are simulated to change within a factor " + fixed(crossover_factor, 0) +
         "; the median factor is " +
         (summary.median_factor ? fixed(*summary.median_factor, 1) : no_figure) + ".";
}

std::string verdicts_note() {
  return "The verdict on a run is the demand of its fullest stage against the limit of the device. "
         "AUROC is of demand over limit. Ladder edges: where one layout was tried at several "
         "micro-batches, the share of layouts of which both the last that ran and the first that "
         "did not are said rightly.";
}

std::string memory_note() {
  return "Errors of peak memory, of the kind (reserved, allocated, of the whole device) and the "
         "rank that the source logs, and of the static state where it logs that.";
}

std::string ranks_note() {
  return "Of groups of five timed rows or more. Clear pairs differ by more than 5 % in measured "
         "throughput; the median is over groups with five of them or more. Best found is the "
         "measured throughput of the row that the simulator puts first, over the best of its "
         "group: "
         "the mean, and in which share of groups it reaches 90 %.";
}

std::string hung_note(const Summaries& summaries) {
  const auto hung = static_cast<std::uint64_t>(summaries.runs.hung);
  const bool tiny = summaries.sources.contains("megatron_core_ci_golden");
  return grouped(hung) + " of the " + grouped(static_cast<std::uint64_t>(summaries.runs.n)) +
         " timed runs took more than three times as long as simulated. Jobs that hung or starved "
         "are among them, but also runs in a slow state of the network and errors of the simulator "
         "itself" +
         (tiny ? " (the tiny models of Megatron-Core's tests)" : "") +
         ". They are counted in every figure here, and shown apart.";
}

std::string peers_note() {
  return "Mean absolute errors of other simulators on the rows that each part is made of. \"Our "
         "rows?\" says whether they are over as many rows as ours: where it says no, part of those "
         "rows is not among ours or cannot be simulated here, and the lines compare only roughly. "
         "\"We ran it\" means that we gave the rows to that program; a claim is its authors' word.";
}

std::string skipped_note() { return "Rows that are wanted and cannot be simulated, by reason."; }

std::vector<std::string> in_sample_lines(const Summaries& summaries) {
  std::vector<std::string> lines;
  const auto add = [&](const std::vector<datasets::InSample>& among, const auto& shown) {
    for (const auto& [name, summary] : shown) {
      const datasets::InSample* const found = datasets::find_in_sample(among, name);
      if (found != nullptr) {
        lines.push_back(name + ": " + std::string(name_of(found->fitted)) + ", " + found->why);
      }
    }
  };
  add(datasets::in_samples().sources, summaries.sources);
  if (!has_own_sources(summaries)) add(datasets::in_samples().parts, summaries.parts);
  return lines;
}

bool has_runs(const Validation& validation) {
  const auto is_run = [](const auto& row) { return row.kind != RowKind::collective; };
  return std::ranges::any_of(validation.rows, is_run) ||
         std::ranges::any_of(validation.skipped, is_run);
}

bool has_memory_figures(const Summaries& summaries) {
  const Summary& of = summaries.runs;
  return of.oom.tp + of.oom.fp + of.oom.tn + of.oom.fn + of.memory.n + of.static_state.n > 0;
}

}  // namespace cubicbench::results
