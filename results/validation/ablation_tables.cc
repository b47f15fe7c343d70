#include "results/validation/ablation_tables.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "results/layout/columns.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using Cells = std::vector<std::string>;

/// Error of models left out over that of the fit, at most, and the models from which on it counts.
constexpr double ratio_max = 1.5;
constexpr std::int64_t ratio_models_min = 3;

/// Errors that differ by less are the same to a reader.
constexpr double difference_min = 0.001;

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }
std::string share(const std::optional<double>& value) {
  return value ? percent(*value) : no_figure;
}
std::string tau(const std::optional<double>& value) { return value ? fixed(*value, 3) : no_figure; }

std::string counted_of(std::int64_t number, std::string_view one, std::string_view many) {
  return counted(static_cast<std::uint64_t>(number), one, many);
}

const TermErrors& whole(const AblatedRuns& runs) { return runs.terms.front(); }

double change(const std::optional<double>& of, const std::optional<double>& from) {
  return of.value_or(0.0) - from.value_or(0.0);
}

/// Without it the median or the 90th percentile is half as high again.
bool carries(const TermErrors& of, const TermErrors& base) {
  const auto rises = [](const std::optional<double>& a, const std::optional<double>& b) {
    return change(a, b) >= 0.5 * b.value_or(0.0) && change(a, b) > 0.0;
  };
  return rises(of.median_abs_rel_error, base.median_abs_rel_error) ||
         rises(of.p90_abs_rel_error, base.p90_abs_rel_error);
}

bool is_indifferent(const TermErrors& of, const TermErrors& base) {
  const auto same = [](const std::optional<double>& a, const std::optional<double>& b) {
    return std::fabs(change(a, b)) < difference_min;
  };
  return same(of.median_abs_rel_error, base.median_abs_rel_error) &&
         same(of.p90_abs_rel_error, base.p90_abs_rel_error);
}

bool is_better_without(const TermErrors& of, const TermErrors& base) {
  return change(of.median_abs_rel_error, base.median_abs_rel_error) <= -difference_min;
}

/// Those that a run has; what is missed most first.
std::vector<const TermErrors*> terms_in_runs(const AblatedRuns& runs) {
  std::vector<const TermErrors*> terms;
  for (std::size_t t = 1; t < runs.terms.size(); ++t) {
    if (runs.terms[t].in_runs) terms.push_back(&runs.terms[t]);
  }
  std::ranges::stable_sort(terms, [](const TermErrors* a, const TermErrors* b) {
    return std::pair(a->median_abs_rel_error, a->p90_abs_rel_error) >
           std::pair(b->median_abs_rel_error, b->p90_abs_rel_error);
  });
  return terms;
}

/// ` HEAD: a, b.` of the terms in the runs that `is` holds for; "" for none.
std::string named(const char* head, const AblatedRuns& runs,
                  bool (*is)(const TermErrors&, const TermErrors&)) {
  std::vector<std::string> names;
  for (const TermErrors* const of : terms_in_runs(runs)) {
    if (is(*of, whole(runs))) names.emplace_back(of->term->name);
  }
  return names.empty() ? "" : std::string(" ") + head + ": " + support::joined(names, ", ") + ".";
}

std::string effects_of(const AblatedRuns& runs) {
  return named("Median or 90 % rise by half or more without", runs, carries) +
         named("Indifferent, both within a tenth of a point", runs, is_indifferent) +
         named("The median is lower without", runs, is_better_without);
}

std::vector<HtmlColumn> term_columns() {
  return {
      {"Left out"}, {"Median", true}, {"90 %", true}, {"Median tau", true}, {"Best found", true}};
}

Cells term_cells(const TermErrors& of) {
  return {of.term == nullptr ? "nothing" : std::string(of.term->name),
          share(of.median_abs_rel_error), share(of.p90_abs_rel_error),
          tau(of.family_kendall_median), share(of.group_top1_ratio)};
}

std::int64_t stacks_with(const Ablation& ablation, const predictor::StepTerm* term) {
  return std::ranges::count_if(ablation.stacks, [&](const AblatedRuns& stack) {
    const auto of = std::ranges::find(stack.terms, term, &TermErrors::term);
    return of != stack.terms.end() && of->in_runs;
  });
}

std::string number(double value) {
  const int digits = std::fabs(value) >= 100.0 ? 1 : std::fabs(value) >= 10.0 ? 2 : 3;
  return fixed(value, digits);
}

std::string names_of(datasets::CalibrationSubject subject, const std::string& of) {
  return std::string(name_of(subject)) + " " + of;
}

bool is_judged(const FittedPlan& plan) {
  return plan.models >= ratio_models_min && left_out_ratio(plan).has_value();
}

}  // namespace

std::string ablation_note(const Ablation& ablation) {
  return "Each term of the step-time model is left out in turn and the constants that "
         "datasets/measured/calibrations.json names are fitted again, stack by stack, so that they "
         "make up for it as well as they can: what the error rises by is what no other term "
         "explains. All is of the " +
         counted_of(ablation.all.rows, "run", "runs") + " that these constants are fitted to." +
         effects_of(ablation.all);
}

std::string ablated_note(const AblatedRuns& runs) {
  std::vector<std::string> lacking;
  for (std::size_t t = 1; t < runs.terms.size(); ++t) {
    if (!runs.terms[t].in_runs) lacking.emplace_back(runs.terms[t].term->name);
  }
  std::string text =
      counted_of(runs.rows, "run", "runs") + " of " + counted_of(runs.models, "model", "models") +
      "; fitted again: " + support::joined(runs.constants, ", ") + "." + effects_of(runs);
  if (!lacking.empty()) text += " No run has: " + support::joined(lacking, ", ") + ".";
  return text;
}

ReportTable ablation_table(const AblatedRuns& runs) {
  ReportTable table{.columns = term_columns(), .rows = {term_cells(whole(runs))}};
  for (const TermErrors* const of : terms_in_runs(runs)) table.rows.push_back(term_cells(*of));
  return table;
}

ReportTable ablation_table(const Ablation& ablation) {
  ReportTable table = ablation_table(ablation.all);
  table.columns.push_back({"Stacks", true});
  table.columns.push_back({"Instead"});
  table.rows.front().push_back(count(std::ssize(ablation.stacks)));
  table.rows.front().emplace_back(no_figure);
  const std::vector<const TermErrors*> terms = terms_in_runs(ablation.all);
  for (std::size_t i = 0; i < terms.size(); ++i) {
    table.rows[i + 1].push_back(count(stacks_with(ablation, terms[i]->term)));
    table.rows[i + 1].emplace_back(terms[i]->term->without);
  }
  return table;
}

std::string ablation_text(const Ablation& ablation) {
  if (ablation.stacks.empty()) return "";
  const ReportTable table = ablation_table(ablation.all);
  std::vector<Cells> lines(1);
  for (const HtmlColumn& column : table.columns) lines.front().push_back(column.heading);
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  return "\n" + columns_text(lines) + "\n" + paragraph("", 0, ablation_note(ablation));
}

std::string left_out_note(const Ablation& ablation) {
  const auto judged = std::ranges::count_if(ablation.plans, is_judged);
  const auto within = std::ranges::count_if(ablation.plans, [](const FittedPlan& plan) {
    return is_judged(plan) && *left_out_ratio(plan) <= ratio_max;
  });
  return "Each calibration is fitted again with all rows of one model left out, and tried on "
         "those; left out is the median error over all rows so tried. Where three models or more "
         "are there, it should be at most 1.5 times that of the fit: " +
         count(within) + " of " + counted_of(judged, "calibration is", "calibrations are") +
         ". Constants counts those that were fitted to anything of the stack or device, and how "
         "many may be.";
}

ReportTable left_out_table(const Ablation& ablation) {
  ReportTable table{.columns = {{"Calibration"},
                                {"Of"},
                                {"Rows", true},
                                {"Models", true},
                                {"Constants", true},
                                {"As shipped", true},
                                {"Fit", true},
                                {"Left out", true},
                                {"Ratio", true}},
                    .rows = {}};
  for (const FittedPlan& plan : ablation.plans) {
    const predictor::Calibration& fit = plan.calibration;
    const std::optional<double> ratio = left_out_ratio(plan);
    table.rows.push_back(
        {plan.name, names_of(plan.subject, plan.of), count(static_cast<std::int64_t>(fit.rows)),
         count(plan.models),
         count(plan.constants_of_subject) + " of " + count(constants_max(plan.subject)),
         percent(fit.error_before), percent(fit.error_after), share(fit.error_left_out),
         ratio ? fixed(*ratio, 2) : no_figure});
  }
  return table;
}

ReportTable constants_table(const Ablation& ablation) {
  ReportTable table{.columns = {{"Calibration"},
                                {"Constant"},
                                {"As shipped", true},
                                {"Fitted again", true},
                                {"90 % interval", true}},
                    .rows = {}};
  for (const FittedPlan& plan : ablation.plans) {
    for (const predictor::FittedConstant& constant : plan.calibration.constants) {
      table.rows.push_back({plan.name, std::string(constant.name), number(constant.before),
                            number(constant.after),
                            number(constant.low) + " to " + number(constant.high)});
    }
  }
  return table;
}

}  // namespace cubicbench::results
