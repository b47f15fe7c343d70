#include "results/validation/validation_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "results/layout/columns.h"
#include "results/validation/crossovers.h"
#include "results/validation/size_classes.h"
#include "results/validation/validation_notes.h"

namespace cubicbench::results {
namespace {

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

constexpr const char* nothing = "-";
constexpr std::size_t hung_shown = 20;
constexpr std::size_t crossovers_shown = 20;
constexpr std::size_t system_characters = 34;

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

/// At most five characters below 1,000 %: "4.1%", "-12%", "-" where there is nothing.
std::string share(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return nothing;
  const double hundredths = 100.0 * *value;
  return fixed(hundredths, std::fabs(hundredths) < 9.95 ? 1 : 0) + "%";
}

std::string figure(std::optional<double> value) {
  return value && std::isfinite(*value) ? fixed(*value, 3) : std::string(nothing);
}

std::string shortened(const std::string& system) {
  return system.size() <= system_characters ? system
                                            : system.substr(0, system_characters - 2) + "..";
}

struct Counts {
  std::int64_t rows = 0, skipped = 0;
};

/// A source with its figures, or all of one kind.
struct Line {
  std::string name;
  const Summary* of;
  Counts counts;
};

using Lines = std::vector<Line>;

/// A line a source of that kind, and one of all where there are several.
Lines lines_of(const Validation& validation, const Summaries& summaries, bool collectives) {
  std::map<std::string, Counts> counts;
  Counts all;
  const auto add = [&](const auto& rows, std::int64_t Counts::*member) {
    for (const auto& row : rows) {
      if ((row.kind == RowKind::collective) != collectives) continue;
      ++(counts[row.source].*member);
      ++(all.*member);
    }
  };
  add(validation.rows, &Counts::rows);
  add(validation.skipped, &Counts::skipped);
  Lines lines;
  for (const auto& [name, of] : counts) lines.push_back({name, &summaries.sources.at(name), of});
  if (lines.size() > 1) {
    lines.push_back({collectives ? "all collectives" : "all runs",
                     collectives ? &summaries.collectives : &summaries.runs, all});
  }
  return lines;
}

std::string excluded_text(const ExcludedRows& excluded) {
  const std::pair<std::int64_t, std::string_view> reasons[] = {
      {excluded.requirement, "stated as a requirement"},
      {excluded.other, "failed for another reason than memory"},
      {excluded.flag, "flagged as inconsistent"},
      {excluded.untuned, "untuned"},
      {excluded.unnamed, "of a GPU that is not named or between experts"},
      {excluded.duplicate, "measured twice"}};
  std::string text;
  for (const auto& [number, reason] : reasons) {
    if (number == 0) continue;
    text += (text.empty() ? "" : ", ") + count(number) + " " + std::string(reason);
  }
  return text;
}

std::string head_of(const Validation& validation) {
  const auto rows = static_cast<std::int64_t>(validation.rows.size());
  const auto skipped = static_cast<std::int64_t>(validation.skipped.size());
  const std::string excluded = excluded_text(validation.excluded);
  return paragraph(
      "", 0,
      count(rows) + " measured rows simulated, " + count(skipped) +
          " wanted but skipped. Not wanted: " + (excluded.empty() ? "none" : excluded) + ".");
}

std::string time_table(const Lines& lines) {
  Rows rows{{"source", "rows", "skipped", "cover", "timed", "median", "mean", "p90", "bias", "tau",
             "top1"}};
  for (const auto& [name, of, counts] : lines) {
    rows.push_back({name, count(counts.rows), count(counts.skipped), share(of->coverage),
                    count(of->n), share(of->median_abs_rel_error), share(of->mean_abs_rel_error),
                    share(of->p90_abs_rel_error), share(of->bias),
                    figure(of->family_kendall_median), figure(of->group_top1_ratio)});
  }
  return rows.size() == 1 ? "" : columns_text(rows);
}

std::string collective_table(const Lines& lines) {
  Rows rows{{"collectives", "rows", "skipped", "cover", "timed", "median", "mean", "p90", "bias"}};
  for (const auto& [name, of, counts] : lines) {
    rows.push_back({name, count(counts.rows), count(counts.skipped), share(of->coverage),
                    count(of->n), share(of->median_abs_rel_error), share(of->mean_abs_rel_error),
                    share(of->p90_abs_rel_error), share(of->bias)});
  }
  return rows.size() == 1 ? "" : columns_text(rows);
}

bool has_verdicts(const Summary& of) { return of.oom.tp + of.oom.fp + of.oom.fn > 0; }

std::string oom_table(const Lines& lines) {
  Rows rows{
      {"out of memory", "both", "measured", "simulated", "neither", "balanced", "auroc", "edges"}};
  for (const auto& [name, of, counts] : lines) {
    if (!has_verdicts(*of)) continue;
    rows.push_back({name, count(of->oom.tp), count(of->oom.fn), count(of->oom.fp),
                    count(of->oom.tn), figure(of->oom.balanced_accuracy), figure(of->oom.auroc),
                    figure(of->oom.ladder_edges)});
  }
  return rows.size() == 1 ? "" : columns_text(rows);
}

std::string memory_table(const Lines& lines) {
  Rows rows{{"memory", "peaks", "median", "p90", "static", "median", "p90"}};
  for (const auto& [name, of, counts] : lines) {
    if (of->memory.n + of->static_state.n == 0) continue;
    rows.push_back({name, count(of->memory.n), share(of->memory.median), share(of->memory.p90),
                    count(of->static_state.n), share(of->static_state.median),
                    share(of->static_state.p90)});
  }
  return rows.size() == 1 ? "" : columns_text(rows);
}

std::optional<double> at(const std::map<std::string, double>& of, std::string_view size_class) {
  const auto found = of.find(std::string(size_class));
  return found == of.end() ? std::nullopt : std::optional<double>(found->second);
}

std::string size_table(const Lines& lines) {
  Rows rows{{"by size"}};
  for (const std::string_view size_class : size_classes) {
    rows.front().insert(rows.front().end(), {std::string(size_class), "p90"});
  }
  for (const auto& [name, of, counts] : lines) {
    if (of->by_size.empty()) continue;
    Row row{name};
    for (const std::string_view size_class : size_classes) {
      row.push_back(share(at(of->by_size, size_class)));
      row.push_back(share(at(of->by_size_p90, size_class)));
    }
    rows.push_back(std::move(row));
  }
  return rows.size() == 1 ? "" : columns_text(rows);
}

/// Those that are furthest off.
std::string crossover_text(const std::vector<Crossover>& crossovers) {
  if (crossovers.empty()) return "";
  Rows rows{{"crossover, MiB", "operation", "GPUs", "measured", "simulated", "factor"}};
  for (const Crossover& of : worst_first(crossovers)) {
    if (rows.size() > crossovers_shown) break;
    const std::optional<double> factor = factor_of(of);
    rows.push_back({shortened(of.system), of.collective, count(of.gpus), mebibytes(of.measured),
                    of.simulated ? mebibytes(*of.simulated) : nothing,
                    factor ? fixed(*factor, 1) : nothing});
  }
  return columns_text(rows) + paragraph("", 0, crossovers_note(crossovers));
}

/// Reasons that differ only after their first colon are one.
std::string kind_of(const std::string& reason) { return reason.substr(0, reason.find(": ")); }

struct SkippedKind {
  std::int64_t rows = 0;
  const SkippedRow* first = nullptr;
};

std::string skipped_text(const std::vector<SkippedRow>& skipped) {
  std::map<std::string, SkippedKind> kinds;
  for (const SkippedRow& row : skipped) {
    SkippedKind& kind = kinds[kind_of(row.reason)];
    if (++kind.rows == 1) kind.first = &row;
  }
  std::vector<std::pair<std::string, SkippedKind>> sorted(kinds.begin(), kinds.end());
  std::ranges::stable_sort(
      sorted, [](const auto& a, const auto& b) { return a.second.rows > b.second.rows; });
  std::string text;
  for (const auto& [reason, kind] : sorted) {
    const std::string number = count(kind.rows);
    const std::string head = std::string(7 - std::min<std::size_t>(7, number.size()), ' ') + number;
    text += paragraph(head, 9, reason + " (as " + kind.first->id + ")");
  }
  return text.empty() ? "" : "Skipped:\n" + text;
}

std::string hung_text(const Validation& validation, const Summaries& summaries) {
  std::string names;
  std::size_t hung = 0;
  for (const ValidatedRow& row : validation.rows) {
    if (!is_hung(row) || ++hung > hung_shown) continue;
    const double ratio = *row.step_time_measured / *row.step_time_simulated;
    names += (names.empty() ? " " : ", ") + row.id + " (" + fixed(ratio, 1) + " x)";
  }
  if (hung == 0) return "";
  if (hung > hung_shown) names += " and " + grouped(hung - hung_shown) + " more";
  return paragraph("", 0, hung_note(summaries)) + paragraph("", 0, "They are:" + names + ".");
}

std::string error_notes() {
  return paragraph(
      "", 0,
      "cover: rows over rows and skipped; median, mean, p90: absolute relative error of the time; "
      "bias: median of (simulated - measured) / measured.");
}

std::string order_notes() {
  return paragraph(
      "", 0,
      "tau (b) of throughput per GPU within a group of comparable rows, median over groups of "
      "five or more; top1: measured throughput of the row that the simulator puts first, over the "
      "best measured, mean over the same groups.");
}

std::string oom_notes() {
  return paragraph(
      "", 0,
      "both, measured, simulated, neither: rows by who says out of memory; balanced accuracy; "
      "area under the ROC curve of demand over limit; edges: share of micro-batch ladders whose "
      "largest success and smallest failure are both told right.");
}

}  // namespace

std::string validation_text(const Validation& validation, const Summaries& summaries) {
  const Lines runs = lines_of(validation, summaries, false);
  const Lines collectives = lines_of(validation, summaries, true);
  std::string text = head_of(validation) + "\n";
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += part + "\n";
  };
  add(time_table(runs));
  add(oom_table(runs));
  add(memory_table(runs));
  add(collective_table(collectives));
  add(size_table(collectives));
  add(crossover_text(crossovers_of(validation)));
  add(skipped_text(validation.skipped));
  add(hung_text(validation, summaries));
  if (runs.empty() && collectives.empty()) return text;
  text += error_notes();
  if (!runs.empty()) text += order_notes();
  return text + (has_verdicts(summaries.overall) ? oom_notes() : "");
}

}  // namespace cubicbench::results
