#include "results/explanation/explanation_json.h"

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "results/document/json.h"
#include "results/explanation/differences.h"
#include "results/explanation/judged_text.h"
#include "results/explanation/term_words.h"
#include "results/simulation/part_names.h"
#include "results/simulation/shown_problem.h"
#include "scenarios/collective/collective_question.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t whole(sim::Bytes bytes) { return static_cast<std::int64_t>(bytes.value); }

Json seconds_or_null(const std::optional<sim::Seconds>& time) {
  return time ? Json(time->value) : Json();
}

Json transmission_json(const sim::Transmission& one, const scenarios::LinkNames& links) {
  return {{"pattern", name_of(one.pattern)},
          {"ranks", one.group.ranks},
          {"ranks_per_domain", one.group.ranks_per_node},
          {"count", one.count},
          {"size_bytes", one.bytes.value},
          {"seconds", one.time.value},
          {"link", link_of(one, links)},
          {"algorithm", scenarios::name_of(one.cost.algorithm)},
          {"bottleneck", scenarios::name_of(one.cost.bottleneck)}};
}

Json terms_json(const ExplainedPlan& plan) {
  Json terms = Json::array();
  for (const ExplainedTerm& term : terms_of(plan)) {
    Json list = Json::array();
    for (const sim::Transmission& one : term.transmissions) {
      list.push_back(transmission_json(one, plan.links));
    }
    terms.push_back({{"name", name_of(term.term)},
                     {"part", name_of(part_of(term.term))},
                     {"seconds", term.time.value},
                     {"share", term.share},
                     {"resource", term.resource},
                     {"equation", term.equation},
                     {"alone_s", seconds_or_null(term.alone)},
                     {"hidden_s", seconds_or_null(term.hidden)},
                     {"collectives", std::move(list)}});
  }
  return terms;
}

bool is_laid_out(const ExplainedPlan& plan) {
  return plan.simulation.report.status != sim::StepStatus::invalid;
}

Json memory_json(const ExplainedPlan& plan) {
  Json parts = Json::array();
  if (!is_laid_out(plan)) return parts;
  const sim::MemoryReport& memory = plan.simulation.report.memory;
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    if (memory.parts[i] == sim::Bytes{}) continue;
    parts.push_back({{"name", name_of(static_cast<sim::MemoryPart>(i))},
                     {"bytes", whole(memory.parts[i])},
                     {"share", json_of(Cell(share_of_capacity(memory.parts[i], memory)))},
                     {"equation", equation_of(static_cast<sim::MemoryPart>(i),
                                              plan.simulation.scenario.baseline)}});
  }
  return parts;
}

Json limit_json(const ExplainedPlan& plan) {
  if (!is_laid_out(plan)) return nullptr;
  const sim::MemoryReport& memory = plan.simulation.report.memory;
  return {
      {"capacity_bytes", whole(memory.capacity)},      {"allocated_bytes", whole(memory.allocated)},
      {"demand_bytes", whole(largest_demand(memory))}, {"margin_bytes", whole(margin(memory))},
      {"oom_probability", oom_probability(memory)},    {"stage", memory.stage}};
}

Json roofline_json(const ExplainedPlan& plan) {
  Json points = Json::array();
  for (const RooflinePoint& point : roofline_of(plan)) {
    points.push_back({{"name", name_of(point.role)},
                      {"dtype", point.dtype ? Json(dtype_text(*point.dtype)) : Json()},
                      {"seconds", point.time.value},
                      {"flop_per_byte", json_of(Cell(point.intensity))},
                      {"ridge_flop_per_byte", point.ridge},
                      {"of_peak", json_of(Cell(point.of_peak))},
                      {"of_bandwidth", json_of(Cell(point.of_bandwidth))},
                      {"bound_by", point.compute_bound ? "compute" : "bandwidth"}});
  }
  return points;
}

/// The numbers of a plan beside others, as `sweep` has them of a point.
Json judged_json(const datasets::JudgedChange& judged) {
  const datasets::PlanOutcome& outcome = judged.outcome;
  const bool has_memory = outcome.status != sim::StepStatus::invalid;
  const bool has_step = outcome.status == sim::StepStatus::ok;
  return {{"set", config_json(judged.change.set)},
          {"status", name_of(outcome.status)},
          {"why", json_of(Cell::or_null(why_not(judged)))},
          {"in_space", judged.change.outside.empty()},
          {"step_time_s", has_step ? Json(outcome.step.value) : Json()},
          {"objective", outcome.has_value() ? Json(outcome.truth.value) : Json()},
          {"memory_bytes", has_memory ? Json(whole(outcome.demand())) : Json()},
          {"oom_probability", has_memory ? Json(oom_probability(outcome.memory)) : Json()}};
}

Json advice_json(const Explanation& of) {
  Json list = Json::array();
  for (const datasets::Advice& advice : of.what_if.advice) {
    Json one{{"kind", name_of(advice.kind)}, {"text", advice_text(advice, of)}};
    one.update(judged_json(advice.judged));
    list.push_back(std::move(one));
  }
  return list;
}

Json changes_json(const Explanation& of) {
  Json list = Json::array();
  for (const datasets::JudgedChange& one : of.what_if.singles) list.push_back(judged_json(one));
  return list;
}

/// What `simulate` says of the other plan, in short.
Json against_json(const OtherPlan& other) {
  const Simulation& simulation = other.plan.simulation;
  const bool has_value = has_step(simulation) && simulation.truth.reason == scenarios::Reason::none;
  return {{"name", other.name},
          {"found", json_of(Cell::or_null(other.found))},
          {"plan", config_json(simulation.config)},
          {"status", status_of(simulation)},
          {"why", json_of(Cell(reason(simulation)))},
          {"step_time_s", has_step(simulation) ? Json(simulation.report.step.value) : Json()},
          {"objective", has_value ? Json(simulation.truth.value) : Json()},
          {"terms", terms_json(other.plan)},
          {"memory", memory_json(other.plan)},
          {"memory_limit", limit_json(other.plan)}};
}

void add_differences(const Explanation& of, Json& document) {
  Json times = Json::array();
  Json parts = Json::array();
  if (of.against) {
    for (const TermDifference& one : term_differences(of.plan, of.against->plan)) {
      times.push_back({{"name", name_of(one.term)},
                       {"seconds", one.here.value},
                       {"against_s", one.there.value},
                       {"difference_s", one.more().value}});
    }
    for (const PartDifference& one : part_differences(of.plan, of.against->plan)) {
      parts.push_back({{"name", name_of(one.part)},
                       {"bytes", whole(one.here)},
                       {"against_bytes", whole(one.there)},
                       {"difference_bytes", whole(one.more())}});
    }
    document["against"] = against_json(*of.against);
  }
  document["differences"] = std::move(times);
  document["memory_differences"] = std::move(parts);
}

}  // namespace

std::string_view name_of(datasets::AdviceKind kind) {
  constexpr std::array<std::string_view, datasets::advice_kind_count> names{
      "best_change",       "best_pair",         "makes_it_fit",
      "pair_makes_it_fit", "frees_for_nothing", "frees_most"};
  return names[static_cast<std::size_t>(kind)];
}

Json explanation_json(const Explanation& of) {
  const Simulation& simulation = of.plan.simulation;
  const bool has_value = of.what_if.now.has_value();
  const auto bound = bound_by(simulation);
  Json document = support::new_document("explain");
  document["scenario"] = simulation.scenario.name;
  document["scenario_sha256"] = simulation.scenario.sha256;
  document["instance"] = simulation.instance;
  if (!simulation.salt_sha256.empty()) document["salt_sha256"] = simulation.salt_sha256;
  document["engine"] = "analytical";
  document["plan"] = config_json(simulation.config);
  document["in_space"] = simulation.in_space;
  document["status"] = status_of(simulation);
  document["why"] = json_of(Cell(reason(simulation)));
  document["step_time_s"] = has_step(simulation) ? Json(simulation.report.step.value) : Json();
  document["objective"] = {{"metric", name_of(simulation.scenario.objective)},
                           {"value", has_value ? Json(of.what_if.now.truth.value) : Json()}};
  document["bound_by"] = bound ? Json(name_of(*bound)) : Json();
  document["stage"] = has_step(simulation) ? Json(of.plan.items.stage) : Json();
  document["terms"] = terms_json(of.plan);
  document["memory"] = memory_json(of.plan);
  document["memory_limit"] = limit_json(of.plan);
  document["roofline"] = roofline_json(of.plan);
  add_differences(of, document);
  document["changes"] = changes_json(of);
  document["advice"] = advice_json(of);
  document["searched"] = {{"changes", of.what_if.searched.singles},
                          {"changes_paired", of.what_if.searched.firsts},
                          {"pairs", of.what_if.searched.pairs}};
  return document;
}

}  // namespace cubicbench::results
