#include "datasets/problem/trial_outcomes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "datasets/tables/row_table.h"
#include "sim/network/topology_shape.h"
#include "support/hours.h"
#include "support/input_error.h"
#include "support/json/filled_string.h"
#include "support/magnitude.h"
#include "support/parsed.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Reason;
using scenarios::TrialOutcome;
using support::CsvCell;
using support::Problem;

constexpr std::array reasons{Reason::invalid, Reason::oom_init, Reason::oom_late,
                             Reason::timeout, Reason::infra,    Reason::numeric};

/// As journals have them.
const auto& reason_names() {
  static const auto names = [] {
    std::array<std::string_view, reasons.size()> all;
    std::ranges::transform(reasons, all.begin(), [](Reason reason) { return name_of(reason); });
    return all;
  }();
  return names;
}

TrialOutcome failed(Reason reason) {
  TrialOutcome outcome;
  outcome.state = scenarios::TrialState::fail;
  outcome.reason = reason;
  return outcome;
}

std::string got(const CsvCell& cell) {
  return cell.text.empty() ? ", got nothing"
                           : ", got " + support::in_quotes(support::shortened(cell.text));
}

}  // namespace

TrialOutcomes::TrialOutcomes(support::ObjectReader& table, const scenarios::Objective& objective)
    : value_{.name = objective.column, .pointer = {}} {
  read_failures(table);
  if (table.has("missing")) missing_ = reasons[table.one_of("missing", reason_names())];
  if (table.has("seconds")) {
    seconds_ = Named{.name = support::filled_string(table, "seconds", "a column of the table"),
                     .pointer = table.where("seconds")};
  }
  gpus_ = static_cast<int>(table.integer("gpus", 1, sim::topology_gpus_max, 1));
}

void TrialOutcomes::read_failures(support::ObjectReader& table) {
  auto failures = table.optional_object("failures");
  if (!failures) return;
  failures_ = Named{.name = support::filled_string(*failures, "column", "a column of the table"),
                    .pointer = failures->where("column")};
  support::ObjectReader texts = failures->object("reasons");
  for (const std::string& text : texts.keys()) {
    reasons_[text] = reasons[texts.one_of(text, reason_names())];
  }
  texts.finish();
  failures->finish();
}

void TrialOutcomes::find(Named& column, const support::CsvTable& table,
                         std::vector<Problem>& problems) {
  if (const std::optional<std::size_t> place = table.column(column.name)) {
    column.place = *place;
    return;
  }
  support::add_problem(
      problems, {column.pointer, "expected a column of the table, got " +
                                     support::in_quotes(support::shortened(column.name)) +
                                     support::did_you_mean(column.name, names_of(table.header))});
}

void TrialOutcomes::find_columns(const support::CsvTable& table,
                                 const std::string& objective_pointer,
                                 std::vector<Problem>& problems) {
  value_.pointer = objective_pointer;
  find(value_, table, problems);
  if (failures_) find(*failures_, table, problems);
  if (seconds_) find(*seconds_, table, problems);
}

std::optional<TrialOutcome> TrialOutcomes::completed(const CsvCell& cell, const std::string& file,
                                                     std::vector<Problem>& problems) const {
  if (cell.text.empty() && missing_) return failed(*missing_);
  const std::optional<double> value = support::parsed<double>(cell.text);
  if (value && !std::isfinite(*value)) return failed(Reason::numeric);
  if (!value || *value <= 0.0 || !support::is_of_readable_magnitude(*value)) {
    support::add_problem(problems, {support::where_of(file, cell),
                                    "expected " + value_.name + ", a number above 0 of " +
                                        support::magnitude_range + got(cell)});
    return std::nullopt;
  }
  TrialOutcome outcome;
  outcome.value = value;
  return outcome;
}

std::optional<TrialOutcome> TrialOutcomes::of(const support::CsvRecord& row,
                                              const std::string& file,
                                              std::vector<Problem>& problems) const {
  std::optional<TrialOutcome> outcome;
  const auto reason = failures_ ? reasons_.find(row.cells[failures_->place].text) : reasons_.end();
  if (reason != reasons_.end()) {
    outcome = failed(reason->second);
  } else {
    outcome = completed(row.cells[value_.place], file, problems);
  }
  if (!outcome || !seconds_ || row.cells[seconds_->place].text.empty()) return outcome;
  const CsvCell& cell = row.cells[seconds_->place];
  const std::optional<double> seconds = support::parsed<double>(cell.text);
  if (!seconds || *seconds < 0.0 || !support::is_of_readable_magnitude(*seconds)) {
    support::add_problem(problems,
                         {support::where_of(file, cell),
                          "expected " + seconds_->name + ", a time in seconds" + got(cell)});
    return std::nullopt;
  }
  outcome->duration_h = *seconds / support::seconds_per_hour;
  outcome->cost_gpu_hours = outcome->duration_h * gpus_;
  return outcome;
}

}  // namespace cubicbench::datasets
