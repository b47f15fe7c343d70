#include "results/validation/ablation_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

Json number(std::optional<double> value) {
  return value && std::isfinite(*value) ? Json(*value) : Json();
}

Json term_json(const TermErrors& of) {
  return {{"left_out", of.term == nullptr ? Json() : Json(of.term->name)},
          {"in_runs", of.in_runs},
          {"median_abs_rel_error", number(of.median_abs_rel_error)},
          {"p90_abs_rel_error", number(of.p90_abs_rel_error)},
          {"family_kendall_median", number(of.family_kendall_median)},
          {"group_top1_ratio", number(of.group_top1_ratio)}};
}

Json runs_json(const AblatedRuns& runs) {
  Json terms = Json::array();
  for (const TermErrors& term : runs.terms) terms.push_back(term_json(term));
  return {{"stack", runs.stack.empty() ? Json() : Json(runs.stack)},
          {"rows", runs.rows},
          {"models", runs.models},
          {"constants", runs.constants},
          {"terms", terms}};
}

Json plan_json(const FittedPlan& plan) {
  const predictor::Calibration& fit = plan.calibration;
  Json constants = Json::array();
  for (const predictor::FittedConstant& constant : fit.constants) {
    constants.push_back({{"name", constant.name},
                         {"before", number(constant.before)},
                         {"after", number(constant.after)},
                         {"low", number(constant.low)},
                         {"high", number(constant.high)}});
  }
  return {{"name", plan.name},
          {std::string(name_of(plan.subject)), plan.of},
          {"rows", fit.rows},
          {"models", plan.models},
          {"constants_of_subject", plan.constants_of_subject},
          {"error_before", number(fit.error_before)},
          {"error_after", number(fit.error_after)},
          {"error_left_out", number(fit.error_left_out)},
          {"ratio", number(left_out_ratio(plan))},
          {"constants", constants}};
}

}  // namespace

Json ablation_json(const Ablation& ablation) {
  Json stacks = Json::array();
  for (const AblatedRuns& stack : ablation.stacks) stacks.push_back(runs_json(stack));
  Json plans = Json::array();
  for (const FittedPlan& plan : ablation.plans) plans.push_back(plan_json(plan));
  return {{"all", runs_json(ablation.all)}, {"stacks", stacks}, {"calibrations", plans}};
}

}  // namespace cubicbench::results
