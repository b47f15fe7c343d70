#include "results/validation/validation_csv.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "results/simulation/part_names.h"
#include "support/csv.h"
#include "support/joined.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using Cells = std::vector<std::string>;

std::string text_of(const std::optional<double>& value) {
  return value ? support::shortest(*value) : "";
}
std::string text_of(std::int64_t value) { return std::to_string(value); }
std::string text_of(bool value) { return value ? "1" : "0"; }

std::string_view name_of_kind(RowKind kind) {
  switch (kind) {
    case RowKind::run:
      return "run";
    case RowKind::collective:
      return "collective";
    case RowKind::recommendation:
      return "recommendation";
  }
  return "";
}

std::string_view name_of_status(datasets::MeasurementStatus status) {
  return status == datasets::MeasurementStatus::oom ? "oom" : "ok";
}

void append_row(const ValidatedRow& row, std::string& text) {
  const ValidatedMemory& memory = row.memory;
  const bool collective = row.kind == RowKind::collective;
  text += support::csv_record(Cells{row.id,
                                    row.source,
                                    row.family,
                                    std::string(name_of_kind(row.kind)),
                                    row.group,
                                    std::string(name_of_status(row.status_measured)),
                                    std::string(name_of(row.status_simulated)),
                                    text_of(row.step_time_measured),
                                    text_of(row.step_time_simulated),
                                    text_of(row.throughput_measured),
                                    text_of(row.throughput_simulated),
                                    text_of(row.rel_error),
                                    text_of(memory.peak_measured),
                                    text_of(memory.peak_simulated),
                                    memory.kind,
                                    memory.rank,
                                    text_of(memory.static_measured),
                                    text_of(memory.static_simulated),
                                    text_of(memory.demand),
                                    text_of(memory.limit),
                                    row.system,
                                    row.collective,
                                    collective ? text_of(row.gpus) : "",
                                    collective ? support::shortest(row.size_bytes) : "",
                                    support::joined(row.assumed, " ")});
}

void append_summary(std::string_view level, const std::string& name, const Summary& of,
                    std::string& text) {
  text += support::csv_record(Cells{std::string(level),
                                    name,
                                    text_of(of.n),
                                    text_of(of.coverage),
                                    text_of(of.families),
                                    text_of(of.median_abs_rel_error),
                                    text_of(of.mean_abs_rel_error),
                                    text_of(of.p90_abs_rel_error),
                                    text_of(of.bias),
                                    text_of(of.median_family_abs_rel_error),
                                    text_of(of.median_source_abs_rel_error),
                                    text_of(of.family_kendall_median),
                                    text_of(of.families_ranked),
                                    text_of(of.pair_kendall_5pct),
                                    text_of(of.group_top1_share),
                                    text_of(of.group_top1_ratio),
                                    text_of(of.oom.tp),
                                    text_of(of.oom.fp),
                                    text_of(of.oom.tn),
                                    text_of(of.oom.fn),
                                    text_of(of.oom.balanced_accuracy),
                                    text_of(of.oom.auroc),
                                    text_of(of.oom.ladder_edges),
                                    text_of(of.memory.n),
                                    text_of(of.memory.median),
                                    text_of(of.memory.p90),
                                    text_of(of.static_state.n),
                                    text_of(of.static_state.median),
                                    text_of(of.static_state.p90),
                                    text_of(of.hung)});
}

void append_summaries(std::string_view level, const std::map<std::string, Summary>& all,
                      std::string& text) {
  for (const auto& [name, of] : all) append_summary(level, name, of, text);
}

}  // namespace

std::string rows_csv(const Validation& validation) {
  std::string text = support::csv_record(Cells{"id",
                                               "source",
                                               "family",
                                               "kind",
                                               "group",
                                               "status_measured",
                                               "status_simulated",
                                               "step_time_s_measured",
                                               "step_time_s_simulated",
                                               "throughput_measured",
                                               "throughput_simulated",
                                               "rel_error",
                                               "peak_mem_gib_measured",
                                               "peak_mem_gib_simulated",
                                               "mem_kind",
                                               "mem_rank",
                                               "static_gib_measured",
                                               "static_gib_simulated",
                                               "memory_demand_gib",
                                               "memory_limit_gib",
                                               "system",
                                               "collective",
                                               "n_gpus",
                                               "size_bytes",
                                               "assumed"});
  for (const ValidatedRow& row : validation.rows) append_row(row, text);
  return text;
}

std::string skipped_csv(const Validation& validation) {
  std::string text = support::csv_record(Cells{"id", "source", "reason"});
  for (const SkippedRow& row : validation.skipped) {
    text += support::csv_record(Cells{row.id, row.source, row.reason});
  }
  return text;
}

std::string summaries_csv(const Summaries& summaries) {
  std::string text = support::csv_record(Cells{"level",
                                               "name",
                                               "n",
                                               "coverage",
                                               "families",
                                               "median_abs_rel_error",
                                               "mean_abs_rel_error",
                                               "p90_abs_rel_error",
                                               "bias",
                                               "median_family_abs_rel_error",
                                               "median_source_abs_rel_error",
                                               "family_kendall_median",
                                               "families_ranked",
                                               "pair_kendall_5pct",
                                               "group_top1_share",
                                               "group_top1_ratio",
                                               "oom_tp",
                                               "oom_fp",
                                               "oom_tn",
                                               "oom_fn",
                                               "oom_balanced_accuracy",
                                               "oom_auroc",
                                               "oom_ladder_edges",
                                               "memory_n",
                                               "memory_median_abs_rel_error",
                                               "memory_p90_abs_rel_error",
                                               "static_n",
                                               "static_median_abs_rel_error",
                                               "static_p90_abs_rel_error",
                                               "hung"});
  append_summary("overall", "", summaries.overall, text);
  append_summaries("source", summaries.sources, text);
  append_summaries("part", summaries.parts, text);
  append_summaries("family", summaries.families, text);
  return text;
}

std::string groups_csv(const std::vector<RankedGroup>& groups) {
  std::string text = support::csv_record(Cells{"source", "group", "rows", "kendall", "top1_ratio"});
  for (const RankedGroup& of : groups) {
    text += support::csv_record(Cells{of.source, of.group, text_of(of.rows),
                                      support::shortest(of.tau), support::shortest(of.top1_ratio)});
  }
  return text;
}

std::string crossovers_csv(const std::vector<Crossover>& crossovers) {
  std::string text = support::csv_record(Cells{"source", "system", "collective", "n_gpus",
                                               "measured_bytes", "simulated_bytes", "factor"});
  for (const Crossover& of : crossovers) {
    text += support::csv_record(Cells{of.source, of.system, of.collective, text_of(of.gpus),
                                      text_of(std::optional(of.measured)), text_of(of.simulated),
                                      text_of(factor_of(of))});
  }
  return text;
}

std::string ladders_csv(const std::vector<MemoryLadder>& ladders) {
  std::string text = support::csv_record(
      Cells{"source", "layout", "fits_last", "fails_first", "fits_said", "fails_said"});
  for (const MemoryLadder& of : ladders) {
    text += support::csv_record(Cells{of.source, of.layout, text_of(of.fits_last),
                                      text_of(of.fails_first), text_of(of.fits_said),
                                      text_of(of.fails_said)});
  }
  return text;
}

}  // namespace cubicbench::results
