#include "results/validation/ablation_document.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using predictor::AblatedRuns;
using predictor::Ablation;
using predictor::FittedConstant;
using predictor::FittedPlan;
using predictor::TermErrors;

/// Error of models left out over that of the fit, at most, and the models from which on it counts.
constexpr double ratio_max = 1.5;
constexpr std::size_t ratio_models_min = 3;

/// Errors that differ by less are the same to a reader.
constexpr double difference_min = 0.001;

Cell term_name(const TermErrors& of) { return of.term == nullptr ? Cell() : Cell(of.term->name); }

const Field<TermErrors> term_fields[] = {
    {{"left_out", ""}, term_name},
    {for_people({"name", "left out"}),
     [](const TermErrors& of) { return of.term == nullptr ? Cell("nothing") : term_name(of); }},
    {{"in_runs", ""}, &TermErrors::in_runs},
    {{"median_abs_rel_error", "median", Show::percent}, &TermErrors::median_abs_rel_error},
    {{"p90_abs_rel_error", "90 %", Show::percent}, &TermErrors::p90_abs_rel_error},
    {{"family_kendall_median", "median tau", Show::fixed3},
     of_member<&TermErrors::ranks, &datasets::RankAgreement::kendall_median>},
    {{"group_top1_ratio", "best found", Show::fixed3},
     of_member<&TermErrors::ranks, &datasets::RankAgreement::top1_ratio>}};

const Field<AblatedRuns> runs_fields[] = {
    {{"stack", ""}, [](const AblatedRuns& of) { return Cell::or_null(of.stack); }},
    {{"rows", ""}, &AblatedRuns::rows},
    {{"models", ""}, &AblatedRuns::models},
    {{"constants", ""}, &AblatedRuns::constants}};

template <datasets::CalibrationSubject subject>
Cell subject_of(const FittedPlan& plan) {
  return plan.subject == subject ? Cell(plan.of) : Cell(Cell::Absent());
}

template <auto figure>
constexpr auto of_fit = of_member<&FittedPlan::calibration, figure>;

const Field<FittedPlan> plan_fields[] = {
    {{"name", "calibration"}, &FittedPlan::name},
    {{"stack", ""}, subject_of<datasets::CalibrationSubject::stack>},
    {{"device", ""}, subject_of<datasets::CalibrationSubject::device>},
    {for_people({"of", "of"}),
     [](const FittedPlan& plan) { return std::string(name_of(plan.subject)) + " " + plan.of; }},
    {{"rows", "rows", Show::count}, of_fit<&predictor::Calibration::rows>},
    {{"models", "models", Show::count}, of_fit<&predictor::Calibration::models>},
    {{"constants_of_subject", "constants", Show::count, "",
      "that were fitted to anything of the stack or device"},
     &FittedPlan::constants_of_subject},
    {for_people({"constants_max", "at most", Show::count}),
     [](const FittedPlan& plan) { return predictor::constants_max(plan.subject); }},
    {{"error_before", "as shipped", Show::percent}, of_fit<&predictor::Calibration::error_before>},
    {{"error_after", "fit", Show::percent}, of_fit<&predictor::Calibration::error_after>},
    {{"error_left_out", "left out", Show::percent, "", "median error over all rows so tried"},
     of_fit<&predictor::Calibration::error_left_out>},
    {{"ratio", "ratio", Show::fixed2, "", "left out over fit"}, predictor::left_out_ratio}};

const Field<FittedConstant> constant_fields[] = {
    {{"name", "constant"}, &FittedConstant::name},
    {{"before", "as shipped", Show::fixed3}, &FittedConstant::before},
    {{"after", "fitted again", Show::fixed3}, &FittedConstant::after},
    {{"low", "90 % from", Show::fixed3}, &FittedConstant::low},
    {{"high", "90 % to", Show::fixed3}, &FittedConstant::high}};

/// How much larger an error is without a term.
double rise(const std::optional<double>& of, const std::optional<double>& from) {
  return of.value_or(0.0) - from.value_or(0.0);
}

/// Without it the median or the 90th percentile is half as high again.
bool carries(const TermErrors& of, const TermErrors& base) {
  const auto rises = [](const std::optional<double>& a, const std::optional<double>& b) {
    return rise(a, b) >= 0.5 * b.value_or(0.0) && rise(a, b) > 0.0;
  };
  return rises(of.median_abs_rel_error, base.median_abs_rel_error) ||
         rises(of.p90_abs_rel_error, base.p90_abs_rel_error);
}

bool is_indifferent(const TermErrors& of, const TermErrors& base) {
  return std::fabs(rise(of.median_abs_rel_error, base.median_abs_rel_error)) < difference_min &&
         std::fabs(rise(of.p90_abs_rel_error, base.p90_abs_rel_error)) < difference_min;
}

bool is_better_without(const TermErrors& of, const TermErrors& base) {
  return rise(of.median_abs_rel_error, base.median_abs_rel_error) <= -difference_min;
}

/// Those that a run has; what is missed most first.
std::vector<const TermErrors*> terms_in_runs(const AblatedRuns& runs) {
  std::vector<const TermErrors*> terms;
  for (std::size_t t = 1; t < runs.terms.size(); ++t) {
    if (runs.terms[t].in_runs) terms.push_back(&runs.terms[t]);
  }
  std::ranges::stable_sort(terms, std::greater{}, [](const TermErrors* of) {
    return std::pair(of->median_abs_rel_error, of->p90_abs_rel_error);
  });
  return terms;
}

/// ` HEAD: a, b.`; "" for none.
std::string listed(const char* head, const std::vector<std::string>& names) {
  return names.empty() ? "" : std::string(" ") + head + ": " + support::joined(names, ", ") + ".";
}

std::string effects_of(const AblatedRuns& runs) {
  const auto named = [&](const char* head, bool (*is)(const TermErrors&, const TermErrors&)) {
    std::vector<std::string> names;
    for (const TermErrors* const of : terms_in_runs(runs)) {
      if (is(*of, runs.terms.front())) names.emplace_back(of->term->name);
    }
    return listed(head, names);
  };
  return named("Median or 90 % rise by half or more without", carries) +
         named("Indifferent, both within a tenth of a point", is_indifferent) +
         named("The median is lower without", is_better_without);
}

/// The whole model first.
std::vector<const TermErrors*> lines_of(const AblatedRuns& runs) {
  std::vector<const TermErrors*> lines = terms_in_runs(runs);
  lines.insert(lines.begin(), &runs.terms.front());
  return lines;
}

Table terms_table(const AblatedRuns& runs) {
  return table_of<TermErrors>(lines_of(runs), term_fields);
}

/// Also in how many stacks a run has the term, and what is supposed instead.
Table terms_table(const Ablation& ablation) {
  Table more{.columns = {{"stacks", "stacks", Show::count}, {"without", "instead"}}};
  for (const TermErrors* line : lines_of(ablation.all)) {
    const auto stacks = std::ranges::count_if(ablation.stacks, [&](const AblatedRuns& stack) {
      const auto of = std::ranges::find(stack.terms, line->term, &TermErrors::term);
      return of != stack.terms.end() && of->in_runs;
    });
    more.rows.push_back({stacks, line->term == nullptr ? Cell() : Cell(line->term->without)});
  }
  return beside(terms_table(ablation.all), more);
}

Table constants_table(const Ablation& ablation) {
  Table names{.columns = {{"calibration", "calibration"}}};
  std::vector<FittedConstant> constants;
  for (const FittedPlan& plan : ablation.plans) {
    for (const FittedConstant& constant : plan.calibration.constants) {
      names.rows.push_back({plan.name});
      constants.push_back(constant);
    }
  }
  return beside(std::move(names), table_of<FittedConstant>(constants, constant_fields));
}

std::string all_sentences(const Ablation& ablation) {
  return "Each term of the step-time model is left out in turn and the constants that "
         "datasets/measured/calibrations.json names are fitted again, stack by stack, so that they "
         "make up for it as well as they can: the error rises by what no other term explains. All "
         "figures are of the " +
         counted(ablation.all.rows, "run", "runs") + " that these constants are fitted to." +
         effects_of(ablation.all);
}

std::string stack_sentences(const AblatedRuns& runs) {
  std::vector<std::string> lacking;
  for (std::size_t t = 1; t < runs.terms.size(); ++t) {
    if (!runs.terms[t].in_runs) lacking.emplace_back(runs.terms[t].term->name);
  }
  return counted(runs.rows, "run", "runs") + " of " + counted(runs.models, "model", "models") +
         "; fitted again: " + support::joined(runs.constants, ", ") + "." + effects_of(runs) +
         listed("No run has", lacking);
}

std::string left_out_sentences(const Ablation& ablation) {
  std::int64_t judged = 0;
  std::int64_t within = 0;
  for (const FittedPlan& plan : ablation.plans) {
    const std::optional<double> ratio = left_out_ratio(plan);
    if (plan.calibration.models < ratio_models_min || !ratio) continue;
    ++judged;
    within += *ratio <= ratio_max ? 1 : 0;
  }
  return "Each calibration is fitted again with all rows of one model left out, and tried on "
         "those. With three models or more, the error left out should be at most 1.5 times that of "
         "the fit: " +
         grouped(within) + " of " + counted(judged, "calibration is", "calibrations are") + ".";
}

Json runs_json(const AblatedRuns& runs) {
  Json json = json_of<AblatedRuns>(runs, runs_fields);
  json["terms"] = json_of(table_of<TermErrors>(runs.terms, term_fields));
  return json;
}

Json plan_json(const FittedPlan& plan) {
  Json json = json_of<FittedPlan>(plan, plan_fields);
  json["constants"] =
      json_of(table_of<FittedConstant>(plan.calibration.constants, constant_fields));
  return json;
}

}  // namespace

void add_ablation(const Ablation& ablation, Document& document) {
  if (ablation.stacks.empty()) return;
  document.add(Heading{"What each term is worth", "terms"});
  document.add(Paragraph{all_sentences(ablation)});
  const Table terms = terms_table(ablation);
  document.add(chosen(terms, {"name", "median_abs_rel_error", "p90_abs_rel_error",
                              "family_kendall_median", "group_top1_ratio", "stacks"}),
               Media::terminal);
  document.add(terms, Media::written);
  for (const AblatedRuns& stack : ablation.stacks) {
    document.add(Folded{"Without terms: " + stack.stack,
                        {{Paragraph{stack_sentences(stack)}}, {terms_table(stack)}}},
                 Media::written);
  }
  const Table plans = table_of<FittedPlan>(ablation.plans, plan_fields);
  document.add(Heading{"Models left out", "left-out"});
  document.add(Paragraph{left_out_sentences(ablation) + " " + help_text(plans)});
  document.add(plans, Media::written);
  document.add(constants_table(ablation), Media::written);
}

Json ablation_json(const Ablation& ablation) {
  Json stacks = Json::array();
  for (const AblatedRuns& stack : ablation.stacks) stacks.push_back(runs_json(stack));
  Json plans = Json::array();
  for (const FittedPlan& plan : ablation.plans) plans.push_back(plan_json(plan));
  return {{"all", runs_json(ablation.all)}, {"stacks", stacks}, {"calibrations", plans}};
}

}  // namespace cubicbench::results
