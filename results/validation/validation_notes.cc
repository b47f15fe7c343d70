#include "results/validation/validation_notes.h"

#include <cstdint>
#include <optional>

#include "results/number_text.h"
#include "results/validation/validation_tables.h"

namespace cubicbench::results {
namespace {

std::string count(std::size_t value) { return grouped(value); }

std::string share(const std::optional<double>& value) {
  return value ? percent(*value) : no_figure;
}

}  // namespace

std::string validation_head(const Validation& validation, const Summaries& summaries) {
  const Summary& all = summaries.overall;
  std::string text = "The simulator beside " + count(validation.rows.size()) +
                     " published measurements of " + count(summaries.sources.size()) +
                     (summaries.sources.size() == 1 ? " source" : " sources") + ", " +
                     grouped(static_cast<std::uint64_t>(all.n)) + " of them timed; " +
                     count(validation.skipped.size()) + " more cannot be simulated (coverage " +
                     share(all.coverage) + ").";
  if (all.n > 0) {
    text += " Over all timed rows, collectives among them, the median error is " +
            share(all.median_abs_rel_error) + ", nine in ten are below " +
            share(all.p90_abs_rel_error) + ", and the bias is " +
            (all.bias ? signed_percent(*all.bias) : no_figure) + ".";
  }
  return text;
}

std::string errors_note() {
  return "An error is |simulated - measured| / measured step time; bias is the median of it with "
         "its sign, so a negative one says that the simulator is too fast; nine in ten rows are "
         "below the column 90 %. Coverage is the share "
         "of wanted rows that can be simulated. tau is the median over groups (one model, device, "
         "number of GPUs, sequence and precision, measured by one party) of Kendall's tau-b of "
         "throughput per GPU; best found is the mean measured throughput of the row that the "
         "simulator puts first, over the best of its group.";
}

std::string collectives_note() {
  return "One row is one message size of one operation. By size stand the median and the 90th "
         "percentile over groups (system, operation, number of GPUs) of the group's median error.";
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
  return grouped(static_cast<std::uint64_t>(summaries.overall.hung)) +
         " rows took three times as long as simulated, or longer. Jobs that hang or starve exist, "
         "and no setting of theirs tells them from others: they are counted in every figure here, "
         "and shown apart. A row is also among them where the simulator is that far off.";
}

std::string peers_note() {
  return "Mean absolute errors of other simulators on the rows that each part is made of. \"Our "
         "rows?\" says whether they are over as many rows as ours: where it says no, part of those "
         "rows is not among ours or cannot be simulated here, and the lines compare only roughly. "
         "\"We ran it\" means that we gave the rows to that program; a claim is its authors' word.";
}

std::string skipped_note() { return "Rows that are wanted and cannot be simulated, by reason."; }

}  // namespace cubicbench::results
