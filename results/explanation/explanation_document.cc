#include "results/explanation/explanation_document.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "results/explanation/differences.h"
#include "results/explanation/judged_text.h"
#include "results/explanation/term_words.h"
#include "results/simulation/part_names.h"
#include "results/simulation/shown_problem.h"
#include "results/simulation/step_words.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using sim::StepStatus;

/// Terms below this share would read 0.0 %, and are left out for people.
constexpr double share_min = 0.0005;

std::string settings_text(const Simulation& of) {
  return support::joined(of.config, " ", [](const scenarios::Assignment& given) {
    return std::string(given.setting->name) + "=" +
           scenarios::format_setting(*given.setting, given.value);
  });
}

// In sentences ---------------------------------------------------------------------------------

/// "15.1 % waits for tensor-parallel collectives over NVLink".
std::string term_sentence(const ExplainedTerm& term) {
  std::string text = percent(term.share) + " " + std::string(phrase_of(term.term));
  if (!term.transmissions.empty()) text += " over " + term.resource;
  return text;
}

/// "A step takes 6.318 s: 54.0 % is matrix products, ...": the three largest terms, and more as
/// long as they are a twentieth.
std::string time_sentence(const ExplainedPlan& plan) {
  constexpr std::size_t told_min = 3;
  constexpr std::size_t told_max = 5;
  constexpr double told_share = 0.05;
  std::vector<ExplainedTerm> terms = terms_of(plan);
  std::ranges::stable_sort(
      terms, [](const ExplainedTerm& a, const ExplainedTerm& b) { return a.time > b.time; });
  std::vector<std::string> told;
  for (const ExplainedTerm& term : terms) {
    const bool is_small = told.size() >= told_min && term.share < told_share;
    if (is_small || told.size() == told_max || term.share < share_min) break;
    told.push_back(term_sentence(term));
  }
  return "A step takes " + duration(plan.items.report.step) + ": " + support::joined(told, ", ") +
         ".";
}

sim::MemoryPart largest_part(const sim::MemoryReport& memory) {
  return static_cast<sim::MemoryPart>(std::ranges::max_element(memory.parts) -
                                      memory.parts.begin());
}

/// "Memory: pipeline stage 1, the fullest,".
std::string fullest(const Simulation& of) {
  if (scenarios::kind_of(of.scenario.workload) == scenarios::WorkloadKind::recommendation) {
    return "Memory: the fullest rank";
  }
  return of.scenario.baseline.pipeline_parallel == 1
             ? "Memory: a GPU"
             : "Memory: pipeline stage " + grouped(of.report.memory.stage) + ", the fullest,";
}

/// "The largest part is activations, 42.56 GiB."
std::string largest_sentence(const sim::MemoryReport& memory) {
  const sim::MemoryPart part = largest_part(memory);
  return "The largest part is " + std::string(label_of(part)) + ", " +
         gib(memory.parts[static_cast<std::size_t>(part)]) + ".";
}

std::string memory_sentence(const Simulation& of) {
  const sim::MemoryReport& memory = of.report.memory;
  return fullest(of) + " needs " + gib(largest_demand(memory)) + " of " + gib(memory.capacity) +
         " " + std::string(phrase_of(memory.moment)) + ", " + gib(margin(memory)) +
         " to spare (out of memory with probability " + percent(oom_probability(memory)) + "). " +
         largest_sentence(memory);
}

/// What the plan comes to where it has no step.
std::string failure_sentence(const Simulation& of) {
  const std::string why = reason(of).value_or("");
  if (of.report.status == StepStatus::invalid) return "The plan cannot be laid out: " + why + ".";
  const sim::MemoryReport& memory = of.report.memory;
  const std::string lack = gib(-1.0 * margin(memory));
  const bool at_start = of.report.status == StepStatus::oom_init;
  return "The plan does not fit: " + why +
         (at_start ? ". At its peak it would need " + gib(largest_demand(memory)) + ", " + lack +
                         " more than that. "
                   : ", which is " + lack + " too little. ") +
         largest_sentence(memory);
}

/// Why a step has no value, as where a job would run out of time.
std::string no_value_sentence(const Simulation& of) {
  const bool without = has_step(of) && of.truth.reason != scenarios::Reason::none;
  return without ? "It has no value of the objective: " + reason(of).value_or("") + "." : "";
}

void add_sentences(const ExplainedPlan& plan, Document& document) {
  const Simulation& of = plan.simulation;
  std::string text = has_step(of) ? time_sentence(plan) : failure_sentence(of);
  const std::string no_value = no_value_sentence(of);
  if (!no_value.empty()) text += " " + no_value;
  if (has_step(of)) text += " " + memory_sentence(of);
  document.add(Paragraph{.text = text});
  if (!of.in_space) {
    document.add(Paragraph{.text = "The plan is outside the search space: " + of.outside + ".",
                           .note = true});
  }
}

// Tables ---------------------------------------------------------------------------------------

Table term_table(const ExplainedPlan& plan) {
  Table table{.columns = {{"term", "term"},
                          {"seconds", "time", Show::duration},
                          {"share", "share", Show::percent},
                          {"resource", "waits for"},
                          {"alone", "alone", Show::duration},
                          {"hidden", "hidden", Show::duration}}};
  for (const ExplainedTerm& term : terms_of(plan)) {
    if (term.share < share_min && !term.hidden) continue;
    const auto cell = [](const std::optional<sim::Seconds>& time) {
      return time ? Cell(time->value) : Cell(Cell::Absent());
    };
    table.rows.push_back({label_of(term.term), term.time.value, term.share, term.resource,
                          cell(term.alone), cell(term.hidden)});
  }
  return table;
}

Table memory_table(const Simulation& of) {
  Table table{.columns = {{"part", "memory"},
                          {"bytes", "size"},
                          {"share", "share of capacity", Show::percent}}};
  table.columns[1].show = Show::figure;
  const sim::MemoryReport& memory = of.report.memory;
  const auto add = [&](std::string_view label, sim::Bytes bytes) {
    table.rows.push_back({label, gib(bytes), share_of_capacity(bytes, memory)});
  };
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    if (memory.parts[i] == sim::Bytes{}) continue;
    add(label_of(static_cast<sim::MemoryPart>(i)), memory.parts[i]);
  }
  add("= allocated", memory.allocated);
  add("demand, gaps included", largest_demand(memory));
  add("capacity", memory.capacity);
  return table;
}

Table roofline_table(const ExplainedPlan& plan) {
  Table table{.columns = {{"name", "kernels"},
                          {"dtype", "in"},
                          {"seconds", "time", Show::duration},
                          {"flop_per_byte", "FLOP a byte", Show::scaled},
                          {"ridge", "ridge", Show::scaled},
                          {"of_peak", "of peak", Show::percent},
                          {"of_bandwidth", "of bandwidth", Show::percent},
                          {"bound_by", "bound by"}}};
  for (const RooflinePoint& point : roofline_of(plan)) {
    if (point.time / plan.items.report.step < share_min) continue;
    table.rows.push_back({label_of(point.role),
                          point.dtype ? Cell(dtype_text(*point.dtype)) : Cell(), point.time.value,
                          point.intensity, point.ridge, point.of_peak, point.of_bandwidth,
                          point.compute_bound ? "compute" : "bandwidth"});
  }
  return table;
}

/// Every change; `why` also says why those that do not run do not.
Table change_table(const Explanation& of, bool why) {
  const datasets::PlanOutcome& now = of.what_if.now;
  const std::string_view metric = name_of(of.plan.simulation.scenario.objective);
  Table table{.columns = {{"set", "change"},
                          {"step_time_s", "step", Show::duration},
                          {"objective", std::string(metric), Show::scaled},
                          {"effect", "effect", Show::signed_percent},
                          {"memory", "memory", Show::figure}}};
  if (why) table.columns.push_back({"why", "why not"});
  for (const datasets::JudgedChange& one : of.what_if.singles) {
    const datasets::PlanOutcome& outcome = one.outcome;
    const bool comparable = outcome.has_value() && now.has_value();
    std::vector<Cell> row{
        set_text(one.change), outcome.status == StepStatus::ok ? Cell(outcome.step.value) : Cell(),
        outcome.has_value() ? Cell(outcome.truth.value) : Cell(),
        comparable ? Cell(outcome.truth.value / now.truth.value - 1.0) : Cell(),
        outcome.status == StepStatus::invalid ? Cell() : Cell(gib(outcome.demand()))};
    if (why) row.emplace_back(why_not(one));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Differences ----------------------------------------------------------------------------------

std::string difference_sentence(const Explanation& of) {
  const Simulation& here = of.plan.simulation;
  const Simulation& there = of.against->plan.simulation;
  const std::string& found = of.against->found;
  std::string text = "The other plan " + (found.empty() ? "" : "(" + found + ") ");
  if (!has_step(there)) {
    text += there.report.status == StepStatus::invalid ? "cannot be laid out: " : "does not fit: ";
    return text + reason(there).value_or("") + ".";
  }
  text += "takes " + duration(there.report.step);
  if (!has_step(here)) return text + "; this one has no step to compare with.";
  const sim::Seconds more = there.report.step - here.report.step;
  return text + ", " + signed_duration(more) + " (" + signed_percent(more / here.report.step) +
         "), term by term:";
}

void add_difference_tables(const Explanation& of, Document& document) {
  Table times{.columns = {{"term", "term"},
                          {"here", "this plan", Show::duration},
                          {"there", "other plan", Show::duration},
                          {"more", "difference", Show::figure}}};
  sim::Seconds sum;
  for (const TermDifference& one : term_differences(of.plan, of.against->plan)) {
    times.rows.push_back(
        {label_of(one.term), one.here.value, one.there.value, signed_duration(one.more())});
    sum += one.more();
  }
  if (!times.rows.empty()) {
    times.rows.push_back({"= step", of.plan.simulation.report.step.value,
                          of.against->plan.simulation.report.step.value, signed_duration(sum)});
    document.add(times);
  }
  Table parts{.columns = {{"part", "memory"},
                          {"here", "this plan", Show::figure},
                          {"there", "other plan", Show::figure},
                          {"more", "difference", Show::figure}}};
  sim::Bytes bytes;
  for (const PartDifference& one : part_differences(of.plan, of.against->plan)) {
    parts.rows.push_back(
        {label_of(one.part), gib(one.here), gib(one.there), signed_gib(one.more())});
    bytes += one.more();
  }
  if (parts.rows.empty()) return;
  parts.rows.push_back({"= allocated", gib(of.plan.simulation.report.memory.allocated),
                        gib(of.against->plan.simulation.report.memory.allocated),
                        signed_gib(bytes)});
  document.add(parts);
}

void add_differences(const Explanation& of, Document& document) {
  if (!of.against) return;
  document.add(Heading{.text = "Against " + of.against->name});
  document.add(Paragraph{.text = difference_sentence(of)});
  add_difference_tables(of, document);
}

// Why and what if ------------------------------------------------------------------------------

void add_why(const ExplainedPlan& plan, Document& document) {
  document.add(Heading{.text = "Why: the equation of each term, and its numbers"});
  Bullets bullets;
  for (const ExplainedTerm& term : terms_of(plan)) {
    if (term.share < share_min && !term.hidden) continue;
    std::string text =
        std::string(label_of(term.term)) + ", " + duration(term.time) + ": " + term.equation + ".";
    for (const std::string& numbers : numbers_of(term, plan)) text += " " + numbers + ".";
    bullets.items.push_back(std::move(text));
  }
  document.add(std::move(bullets));
}

void add_memory_why(const Simulation& of, Document& document) {
  document.add(Heading{.text = "Why: what fills memory"});
  const sim::MemoryReport& memory = of.report.memory;
  Bullets bullets;
  for (std::size_t i = 0; i < memory.parts.size(); ++i) {
    const auto part = static_cast<sim::MemoryPart>(i);
    if (memory.parts[i] == sim::Bytes{}) continue;
    bullets.items.push_back(std::string(label_of(part)) + ", " + gib(memory.parts[i]) + ": " +
                            equation_of(part, of.scenario.baseline) + ".");
  }
  bullets.items.push_back("demand, " + gib(largest_demand(memory)) +
                          ": fs S + fa A, A activations, logits and gathered weights, S the rest; "
                          "it must fit into C = " +
                          gib(memory.capacity) + " [docs/models.md, Eq. M-1].");
  bullets.items.push_back("probability of running out, " + percent(oom_probability(memory)) +
                          ": 1 / (1 + exp((margin/C - 0.046)/0.052)), margin = C - D = " +
                          signed_gib(margin(memory)) + " [docs/models.md, Eq. M-9].");
  document.add(std::move(bullets));
}

void add_advice(const Explanation& of, Document& document) {
  document.add(Heading{.text = "What would change it"});
  Bullets bullets;
  std::vector<std::string> told;  // a change may be the answer to several questions
  for (const datasets::Advice& advice : of.what_if.advice) {
    std::string set = set_text(advice.judged.change);
    if (std::ranges::find(told, set) != told.end()) continue;
    told.push_back(std::move(set));
    bullets.items.push_back(advice_text(advice, of));
  }
  if (bullets.items.empty()) {
    document.add(Paragraph{.text = of.what_if.now.has_value()
                                       ? "Nothing that was simulated is better or frees memory."
                                       : "Nothing that was simulated makes it run."});
  } else {
    document.add(std::move(bullets));
  }
  document.add(Paragraph{.text = searched_text(of.what_if)});
  constexpr std::size_t shown = 10;
  if (of.what_if.singles.empty()) return;
  Table table = change_table(of, false);
  drop_unknown(table, {"step_time_s", "objective", "effect", "memory"});
  table.shown = shown;
  document.add(std::move(table), Media::terminal);
  document.add(change_table(of, true), Media::written);
}

Facts head_of(const Simulation& of) {
  Facts facts{.items = {{"scenario", of.scenario.name}}};
  if (!of.changes.empty()) {
    facts.items.emplace_back("changed by", support::joined(of.changes, ", "));
  }
  facts.items.emplace_back("plan", settings_text(of));
  if (of.instance != 0) facts.items.emplace_back("instance", grouped(of.instance));
  return facts;
}

void add_memory(const Simulation& of, bool why, Document& document) {
  if (of.report.status == StepStatus::invalid) return;
  document.add(Heading{.text = "What fills memory"});
  document.add(memory_table(of));
  if (why) add_memory_why(of, document);
}

}  // namespace

Document explanation_document(const Explanation& of, bool why) {
  const Simulation& simulation = of.plan.simulation;
  const bool steps = has_step(simulation);
  Document document{.title = "Why a step of " + simulation.scenario.name + " takes so long"};
  document.add(head_of(simulation));
  if (!of.note.empty()) document.add(Paragraph{.text = of.note, .note = true});
  add_sentences(of.plan, document);
  if (steps) document.add(term_table(of.plan));
  if (steps && why) add_why(of.plan, document);
  add_differences(of, document);
  add_advice(of, document);
  add_memory(simulation, why, document);
  if (steps) {
    document.add(Heading{.text = "Under the roofline"});
    document.add(roofline_table(of.plan));
  }
  if (why) document.add(words_of(document));
  return document;
}

}  // namespace cubicbench::results
