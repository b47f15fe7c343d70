#include "results/validation/summary_fields.h"

#include <cstddef>
#include <map>
#include <optional>
#include <utility>

#include "results/document/csv.h"

namespace cubicbench::results {
namespace {

using datasets::OomSummary;
using datasets::RankAgreement;

/// Of a size class; absent where nothing was timed that has a size.
template <std::size_t size_class, std::optional<double> ErrorSummary::*figure>
Cell of_size(const Summary& of) {
  return of.has_sizes() ? Cell(of.by_size[size_class].*figure) : Cell(Cell::Absent());
}

Column of_sizes(const char* key, const char* heading) {
  return not_in_csv({key, heading, Show::percent});
}

const Field<Summary> time_fields[] = {
    // Documents count rows by listing them.
    {for_people({"rows", "rows", Show::count, "", "wanted rows that are simulated"}),
     &Summary::rows},
    {for_people({"skipped", "left out", Show::count, "", "wanted rows that cannot be simulated"}),
     &Summary::skipped},
    {{"n", "timed", Show::count, "", "rows with a measured time to compare"}, &Summary::n},
    {{"coverage", "coverage", Show::percent, "", "simulated rows over wanted rows"},
     &Summary::coverage},
    {{"families", ""}, &Summary::families},
    {{"median_abs_rel_error", "median", Show::percent, "",
      "of the errors |simulated - measured| / measured time"},
     &Summary::median_abs_rel_error},
    {{"mean_abs_rel_error", "mean", Show::percent, "", "of the same errors"},
     &Summary::mean_abs_rel_error},
    {{"p90_abs_rel_error", "90 %", Show::percent, "", "nine in ten errors are below"},
     &Summary::p90_abs_rel_error},
    {{"bias", "bias", Show::signed_percent, "",
      "median of (simulated - measured) / measured time: below zero, the simulator is too fast"},
     &Summary::bias},
    {{"median_family_abs_rel_error", ""}, &Summary::median_family_abs_rel_error},
    {{"median_source_abs_rel_error", ""}, &Summary::median_source_abs_rel_error}};

const Field<Summary> rank_fields[] = {
    {{"family_kendall_median", "median tau", Show::fixed3, "",
      "median over groups of Kendall's tau-b of throughput per GPU"},
     of_member<&Summary::ranks, &RankAgreement::kendall_median>},
    {{"families_ranked", "groups", Show::count, "",
      "of five or more timed rows with one model, device, number of GPUs, sequence and precision, "
      "measured by one party"},
     of_member<&Summary::ranks, &RankAgreement::groups>},
    {{"pair_kendall_5pct", "tau of clear pairs", Show::fixed3, "",
      "median over groups of tau on the pairs that differ by more than 5 % in measured "
      "throughput, of groups with five or more such pairs"},
     of_member<&Summary::ranks, &RankAgreement::pair_kendall_5pct>},
    {{"group_top1_share", "best found to 90 %", Show::percent, "",
      "share of groups in which the row that the simulator puts first reaches 90 % of the best "
      "measured throughput"},
     of_member<&Summary::ranks, &RankAgreement::top1_share>},
    {{"group_top1_ratio", "best found", Show::fixed3, "",
      "measured throughput of the row that the simulator puts first over the best of its group, "
      "mean over groups"},
     of_member<&Summary::ranks, &RankAgreement::top1_ratio>}};

const Field<Summary> verdict_fields[] = {
    {{"oom.tp", "out of memory, found", Show::count, "", "ran out of memory, as simulated"},
     of_member<&Summary::oom, &OomSummary::tp>},
    {{"oom.fp", "false alarms", Show::count, "", "fits, but is simulated not to"},
     of_member<&Summary::oom, &OomSummary::fp>},
    {{"oom.tn", "fits, found", Show::count, "", "fits, as simulated"},
     of_member<&Summary::oom, &OomSummary::tn>},
    {{"oom.fn", "out of memory, missed", Show::count, "",
      "ran out of memory, but is simulated to fit"},
     of_member<&Summary::oom, &OomSummary::fn>},
    {{"oom.balanced_accuracy", "balanced accuracy", Show::fixed3, "",
      "mean of the shares of failures and of successes that are predicted correctly"},
     of_member<&Summary::oom, &OomSummary::balanced_accuracy>},
    {{"oom.auroc", "AUROC", Show::fixed3, "", "area under the ROC curve of demand over limit"},
     of_member<&Summary::oom, &OomSummary::auroc>},
    {{"oom.ladder_edges", "ladder edges", Show::fixed3, "",
      "where one layout was tried at several micro-batches, the share of layouts for which both "
      "the largest that fits and the smallest that does not are predicted correctly"},
     of_member<&Summary::oom, &OomSummary::ladder_edges>}};

const Field<Summary> memory_fields[] = {
    {{"memory.n", "peaks", Show::count, "", "rows with a measured peak of memory"},
     of_member<&Summary::memory, &ErrorSummary::n>},
    {{"memory.median_abs_rel_error", "peak: median", Show::percent, "",
      "of the errors |simulated - measured| / measured peak"},
     of_member<&Summary::memory, &ErrorSummary::median>},
    {{"memory.p90_abs_rel_error", "peak: 90 %", Show::percent},
     of_member<&Summary::memory, &ErrorSummary::p90>},
    {{"static.n", "static states", Show::count, "", "rows whose source logs what stays allocated"},
     of_member<&Summary::static_state, &ErrorSummary::n>},
    {{"static.median_abs_rel_error", "static: median", Show::percent},
     of_member<&Summary::static_state, &ErrorSummary::median>},
    {{"static.p90_abs_rel_error", "static: 90 %", Show::percent},
     of_member<&Summary::static_state, &ErrorSummary::p90>},
    {{.key = "n_hung", .heading = "", .csv_key = "hung"}, &Summary::hung}};

const Field<Summary> size_fields[] = {
    {of_sizes("by_size.<1MiB", "<1MiB"), of_size<0, &ErrorSummary::median>},
    {of_sizes("by_size.1-64MiB", "1-64MiB"), of_size<1, &ErrorSummary::median>},
    {of_sizes("by_size.>=64MiB", ">=64MiB"), of_size<2, &ErrorSummary::median>},
    {of_sizes("by_size_p90.<1MiB", "<1MiB: 90 %"), of_size<0, &ErrorSummary::p90>},
    {of_sizes("by_size_p90.1-64MiB", "1-64MiB: 90 %"), of_size<1, &ErrorSummary::p90>},
    {of_sizes("by_size_p90.>=64MiB", ">=64MiB: 90 %"), of_size<2, &ErrorSummary::p90>}};

/// By SummaryTable.
constexpr std::span<const Field<Summary>> fields_of[] = {time_fields, rank_fields, verdict_fields,
                                                         memory_fields, size_fields};

/// Whether a summary has figures for a table.
bool has(const Summary& of, SummaryTable table) {
  const bool figures[] = {true, of.ranks.groups > 0, of.oom.any(),
                          of.memory.n + of.static_state.n > 0, of.has_sizes()};
  return figures[static_cast<std::size_t>(table)];
}

}  // namespace

std::span<const Field<Summary>> summary_fields() {
  static const std::vector<Field<Summary>> fields = [] {
    std::vector<Field<Summary>> all;
    for (const auto& of : fields_of) all.insert(all.end(), of.begin(), of.end());
    return all;
  }();
  return fields;
}

Table summary_table(SummaryTable which, const std::string& heading,
                    std::span<const NamedSummary> lines) {
  Table names{.columns = {{"name", heading}}};
  Table fitted{
      .columns = {{"in_sample", "in sample", Show::text, "",
                   "whether constants were fitted to, or read off, these very rows: where they "
                   "were, expect larger errors on other clusters and software"}}};
  std::vector<const Summary*> summaries;
  for (const NamedSummary& line : lines) {
    if (!has(*line.of, which)) continue;
    names.rows.push_back({line.name});
    fitted.rows.push_back({Cell::or_null(line.fitted)});
    summaries.push_back(line.of);
  }
  if (which == SummaryTable::times) names = beside(std::move(names), fitted);
  return beside(std::move(names), table_of(summaries, fields_of[static_cast<std::size_t>(which)]));
}

std::string summaries_csv(const Summaries& summaries) {
  Table names{.columns = {{"level", "level"}, {"name", "name"}}, .rows = {{"overall", ""}}};
  std::vector<const Summary*> all{&summaries.overall};
  const auto add = [&](const char* level, const std::map<std::string, Summary>& named) {
    for (const auto& [name, of] : named) {
      names.rows.push_back({level, name});
      all.push_back(&of);
    }
  };
  add("source", summaries.sources);
  add("part", summaries.parts);
  add("family", summaries.families);
  return csv_of(beside(std::move(names), table_of(all, summary_fields())));
}

}  // namespace cubicbench::results
