#include "results/validation/validation_tables.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "datasets/fits/in_sample.h"
#include "results/document/number_text.h"
#include "results/validation/row_errors.h"
#include "support/joined.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using Cells = std::vector<std::string>;

constexpr const char* all_runs = "all runs";
constexpr const char* all_collectives = "all collectives";

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }
std::string share(const std::optional<double>& value) {
  return value ? percent(*value) : no_figure;
}
std::string tau(const std::optional<double>& value) { return value ? fixed(*value, 3) : no_figure; }

/// Rows in either list, which a Summary does not count.
struct RowCounts {
  std::int64_t rows = 0, skipped = 0;
  bool collectives = false;
};

using Counts = std::map<std::string, RowCounts>;

Counts counts_by_source(const Validation& validation) {
  Counts counts;
  for (const ValidatedRow& row : validation.rows) {
    RowCounts& of = counts[row.source];
    ++of.rows;
    of.collectives = of.collectives || row.kind == RowKind::collective;
  }
  for (const SkippedRow& row : validation.skipped) {
    RowCounts& of = counts[row.source];
    ++of.skipped;
    of.collectives = of.collectives || row.kind == RowKind::collective;
  }
  return counts;
}

Counts counts_by_part(const Validation& validation) {
  Counts counts;
  for (const ValidatedRow& row : validation.rows) {
    for (const std::string& part : row.parts) ++counts[part].rows;
  }
  for (const SkippedRow& row : validation.skipped) {
    for (const std::string& part : row.parts) ++counts[part].skipped;
  }
  return counts;
}

RowCounts counts_of(const Counts& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? RowCounts{} : found->second;
}

RowCounts counts_of_kind(const Validation& validation, bool collectives) {
  const auto is_it = [collectives](const auto& row) {
    return (row.kind == RowKind::collective) == collectives;
  };
  return {.rows = std::ranges::count_if(validation.rows, is_it),
          .skipped = std::ranges::count_if(validation.skipped, is_it),
          .collectives = collectives};
}

/// "yes", "partly", "no", or a dash where nobody has said.
std::string fitted_text(const std::vector<datasets::InSample>& among, const std::string& name) {
  const datasets::InSample* const found = datasets::find_in_sample(among, name);
  return found == nullptr ? no_figure : std::string(name_of(found->fitted));
}

/// Parts are told by what runs are, so that runs of one's own may be among them too, to which
/// nothing was fitted.
std::string fitted_part(const Summaries& summaries, const std::string& name) {
  return has_own_sources(summaries) ? no_figure : fitted_text(datasets::in_samples().parts, name);
}

std::string fitted_source(const std::string& name) {
  return fitted_text(datasets::in_samples().sources, name);
}

Cells errors_of(const std::string& name, const std::string& fitted, const RowCounts& counts,
                const Summary& of) {
  return {name,
          fitted,
          count(counts.rows),
          count(counts.skipped),
          share(of.coverage),
          count(of.n),
          share(of.median_abs_rel_error),
          share(of.mean_abs_rel_error),
          share(of.p90_abs_rel_error),
          of.bias ? signed_percent(*of.bias) : no_figure,
          tau(of.family_kendall_median),
          share(of.group_top1_ratio)};
}

std::vector<HtmlColumn> error_columns(const char* first) {
  return {{first},           {"In-sample"},        {"Rows", true},
          {"Skipped", true}, {"Coverage", true},   {"Timed", true},
          {"Median", true},  {"Mean", true},       {"90 %", true},
          {"Bias", true},    {"Median tau", true}, {"Best found", true}};
}

constexpr std::array<const char*, 3> sizes{"<1MiB", "1-64MiB", ">=64MiB"};

/// "24.0 % / 60.1 %": median and 90th percentile.
std::string by_size(const Summary& of, const char* size) {
  const auto median = of.by_size.find(size);
  const auto p90 = of.by_size_p90.find(size);
  if (median == of.by_size.end() || p90 == of.by_size_p90.end()) return no_figure;
  return percent(median->second) + " / " + percent(p90->second);
}

Cells collectives_of(const std::string& name, const std::string& fitted, const RowCounts& counts,
                     const Summary& of) {
  Cells cells{name,
              fitted,
              count(counts.rows),
              count(counts.skipped),
              share(of.coverage),
              count(of.n),
              share(of.median_abs_rel_error),
              share(of.p90_abs_rel_error),
              of.bias ? signed_percent(*of.bias) : no_figure};
  for (const char* const size : sizes) cells.push_back(by_size(of, size));
  return cells;
}

Cells verdicts_of(const std::string& name, const OomSummary& of) {
  return {name,          count(of.tp),          count(of.fn),
          count(of.fp),  count(of.tn),          share(of.balanced_accuracy),
          tau(of.auroc), share(of.ladder_edges)};
}

bool has_verdicts(const OomSummary& of) { return of.tp + of.fp + of.tn + of.fn > 0; }

Cells memory_of(const std::string& name, const Summary& of) {
  return {name,
          count(of.memory.n),
          share(of.memory.median),
          share(of.memory.p90),
          count(of.static_state.n),
          share(of.static_state.median),
          share(of.static_state.p90)};
}

bool has_memory(const Summary& of) { return of.memory.n + of.static_state.n > 0; }

}  // namespace

bool has_own_sources(const Summaries& summaries) {
  return std::ranges::any_of(summaries.sources, [](const auto& of) {
    return datasets::find_in_sample(datasets::in_samples().sources, of.first) == nullptr;
  });
}

ReportTable sources_table(const Validation& validation, const Summaries& summaries) {
  const Counts counts = counts_by_source(validation);
  ReportTable table{.columns = error_columns("Source"), .rows = {}};
  for (const auto& [source, summary] : summaries.sources) {
    const RowCounts of = counts_of(counts, source);
    if (!of.collectives) {
      table.rows.push_back(errors_of(source, fitted_source(source), of, summary));
    }
  }
  table.rows.push_back(
      errors_of(all_runs, no_figure, counts_of_kind(validation, false), summaries.runs));
  return table;
}

ReportTable parts_table(const Validation& validation, const Summaries& summaries) {
  const Counts counts = counts_by_part(validation);
  ReportTable table{.columns = error_columns("Part"), .rows = {}};
  for (const auto& [part, summary] : summaries.parts) {
    table.rows.push_back(
        errors_of(part, fitted_part(summaries, part), counts_of(counts, part), summary));
  }
  return table;
}

ReportTable collectives_table(const Validation& validation, const Summaries& summaries) {
  const Counts counts = counts_by_source(validation);
  ReportTable table{.columns = {{"Source"},
                                {"In-sample"},
                                {"Rows", true},
                                {"Skipped", true},
                                {"Coverage", true},
                                {"Timed", true},
                                {"Median", true},
                                {"90 %", true},
                                {"Bias", true}},
                    .rows = {}};
  for (const char* const text : {"< 1 MiB", "1-64 MiB", ">= 64 MiB"}) {
    table.columns.push_back({text, true});
  }
  for (const auto& [source, summary] : summaries.sources) {
    const RowCounts of = counts_of(counts, source);
    if (of.collectives) {
      table.rows.push_back(collectives_of(source, fitted_source(source), of, summary));
    }
  }
  if (table.rows.empty()) return table;
  table.rows.push_back(collectives_of(all_collectives, no_figure, counts_of_kind(validation, true),
                                      summaries.collectives));
  return table;
}

ReportTable crossovers_table(const std::vector<Crossover>& crossovers) {
  ReportTable table{.columns = {{"Source"},
                                {"System"},
                                {"Operation"},
                                {"GPUs", true},
                                {"Measured, MiB", true},
                                {"Simulated, MiB", true},
                                {"Factor", true}},
                    .rows = {}};
  for (const Crossover& of : worst_first(crossovers)) {
    table.rows.push_back({of.source, of.system, of.collective, count(of.gpus),
                          mebibytes(of.measured),
                          of.simulated ? mebibytes(*of.simulated) : no_figure,
                          factor_of(of) ? fixed(*factor_of(of), 1) : no_figure});
  }
  return table;
}

ReportTable verdicts_table(const Summaries& summaries) {
  ReportTable table{.columns = {{"Source"},
                                {"Out of memory, and said so", true},
                                {"Out of memory, said to fit", true},
                                {"Ran, said not to fit", true},
                                {"Ran, and said so", true},
                                {"Balanced accuracy", true},
                                {"AUROC", true},
                                {"Ladder edges", true}},
                    .rows = {}};
  for (const auto& [source, summary] : summaries.sources) {
    if (has_verdicts(summary.oom)) table.rows.push_back(verdicts_of(source, summary.oom));
  }
  table.rows.push_back(verdicts_of(all_runs, summaries.runs.oom));
  return table;
}

ReportTable memory_table(const Summaries& summaries) {
  ReportTable table{.columns = {{"Source"},
                                {"Peaks", true},
                                {"Median", true},
                                {"90 %", true},
                                {"Static states", true},
                                {"Static: median", true},
                                {"Static: 90 %", true}},
                    .rows = {}};
  for (const auto& [source, summary] : summaries.sources) {
    if (has_memory(summary)) table.rows.push_back(memory_of(source, summary));
  }
  table.rows.push_back(memory_of(all_runs, summaries.runs));
  return table;
}

ReportTable hung_table(const Validation& validation) {
  std::map<std::string, std::vector<double>> times;  // as slow as simulated, by source
  std::map<std::string, std::int64_t> timed;
  for (const ValidatedRow& row : validation.rows) {
    if (row.kind == RowKind::collective) continue;
    const std::optional<double> ratio = time_ratio(row);
    if (!ratio) continue;
    ++timed[row.source];
    if (is_hung(row)) times[row.source].push_back(1.0 / *ratio);
  }
  ReportTable table{.columns = {{"Source"},
                                {"Slower than three times", true},
                                {"Of timed runs", true},
                                {"Median: times slower", true},
                                {"Slowest: times slower", true}},
                    .rows = {}};
  for (const auto& [source, slower] : times) {
    table.rows.push_back({source, count(static_cast<std::int64_t>(slower.size())),
                          count(timed[source]), fixed(support::median(slower), 1),
                          fixed(std::ranges::max(slower), 1)});
  }
  return table;
}

namespace {

/// Reasons that differ only after their first colon are one.
std::string kind_of(const std::string& reason) { return reason.substr(0, reason.find(": ")); }

/// "nccl (32), points (98)"; of one source its name alone.
std::string counted(const std::map<std::string, std::int64_t>& sources) {
  if (sources.size() == 1) return sources.begin()->first;
  std::vector<std::string> texts;
  for (const auto& [source, rows] : sources) texts.push_back(source + " (" + count(rows) + ")");
  return support::joined(texts, ", ");
}

}  // namespace

ReportTable skipped_table(const Validation& validation) {
  std::map<std::string, std::pair<std::int64_t, std::map<std::string, std::int64_t>>> reasons;
  for (const SkippedRow& row : validation.skipped) {
    auto& [rows, sources] = reasons[kind_of(row.reason)];
    ++rows;
    ++sources[row.source];
  }
  std::vector<std::pair<std::int64_t, std::string>> order;
  for (const auto& [reason, of] : reasons) order.emplace_back(-of.first, reason);
  std::ranges::sort(order);
  constexpr std::size_t shown_max = 40;
  ReportTable table{.columns = {{"Reason"}, {"Rows", true}, {"Sources"}}, .rows = {}};
  std::int64_t rest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i >= shown_max) {
      rest -= order[i].first;
      continue;
    }
    table.rows.push_back(
        {order[i].second, count(-order[i].first), counted(reasons[order[i].second].second)});
  }
  if (rest > 0) {
    table.rows.push_back({"other reasons (" + std::to_string(order.size() - shown_max) + ")",
                          count(rest), no_figure});
  }
  return table;
}

ReportTable excluded_table(const Validation& validation) {
  const ExcludedRows& of = validation.excluded;
  return {.columns = {{"Not wanted"}, {"Rows", true}},
          .rows = {{"fails a check of its own consistency (flag)", count(of.flag)},
                   {"untuned run", count(of.untuned)},
                   {"a stated need, not a run (requirement)", count(of.requirement)},
                   {"failed for another reason than memory", count(of.other)},
                   {"of a GPU that is not named, or between experts", count(of.unnamed)},
                   {"the same result again", count(of.duplicate)}}};
}

ReportTable ranks_table(const Summaries& summaries) {
  ReportTable table{.columns = {{"Source"},
                                {"Groups", true},
                                {"Median tau", true},
                                {"tau of clear pairs", true},
                                {"Best found", true},
                                {"Best found to 90 %", true}},
                    .rows = {}};
  const auto row = [](const std::string& name, const Summary& of) -> Cells {
    return {name,
            count(of.families_ranked),
            tau(of.family_kendall_median),
            tau(of.pair_kendall_5pct),
            share(of.group_top1_ratio),
            share(of.group_top1_share)};
  };
  for (const auto& [source, summary] : summaries.sources) {
    if (summary.families_ranked > 0) table.rows.push_back(row(source, summary));
  }
  table.rows.push_back(row(all_runs, summaries.runs));
  return table;
}

ReportTable groups_table(const std::vector<RankedGroup>& groups) {
  ReportTable table{
      .columns = {{"Group"}, {"Source"}, {"Rows", true}, {"tau", true}, {"Best found", true}},
      .rows = {}};
  std::vector<const RankedGroup*> order;
  for (const RankedGroup& of : groups) order.push_back(&of);
  std::ranges::stable_sort(order, {}, [](const RankedGroup* of) { return of->tau; });
  for (const RankedGroup* const group : order) {
    const RankedGroup& of = *group;
    table.rows.push_back(
        {of.group, of.source, count(of.rows), fixed(of.tau, 3), percent(of.top1_ratio)});
  }
  return table;
}

}  // namespace cubicbench::results
