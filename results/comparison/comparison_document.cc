#include "results/comparison/comparison_document.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "results/document/json.h"
#include "results/document/number_text.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Cell shift_cell(const ComparedPair& problem) {
  return Record{
      .members = {{"shift", problem.shift}, {"low", problem.low}, {"high", problem.high}},
      .words = signed_share(problem.shift) + " (" + bounds_text(problem.low, problem.high) + ")"};
}

std::string share_text(double share) { return fixed(100.0 * share, 1) + " %"; }

std::string a12_text(const ComparedPair& problem) {
  const support::Superiority& of = problem.superiority;
  return fixed(of.a12, 2) + " (" + fixed(of.interval.low, 2) + " to " + fixed(of.interval.high, 2) +
         ")";
}

Table problem_table(const Comparison& comparison) {
  Table table{
      .columns = {{"problem", "problem"},
                  {"baseline", "baseline", Show::fixed3},
                  {"candidate", "candidate", Show::fixed3},
                  {"shift", "shift", Show::figure, "",
                   "centre of the paired differences of score (Hodges-Lehmann), with bounds"},
                  {"a12", "A12", Show::figure, "",
                   "share of pairs of studies in which the candidate scores higher, ties by "
                   "half, with bounds"},
                  {"p_holm", "p", Show::fixed3, "",
                   "Wilcoxon's signed-rank test, adjusted for the number of problems "
                   "(Holm)"}}};
  for (const ComparedPair& problem : comparison.problems) {
    const ComparedProblem named{.scenario = problem.scenario, .instance = problem.instance};
    table.rows.push_back({problem_name(named), problem.baseline, problem.candidate,
                          shift_cell(problem), a12_text(problem), problem.p_holm});
  }
  return table;
}

Table contribution_table(const Comparison& comparison) {
  Table table{.columns = {{"what", "what"},
                          {"baseline", "baseline", Show::figure},
                          {"candidate", "candidate", Show::figure},
                          {"difference", "difference", Show::figure}}};
  for (const Contribution& of : comparison.contributions) {
    const bool hours = of.key == "gpu_hours";
    const auto text = [&](double value) { return hours ? scaled(value) : share_text(value); };
    table.rows.push_back({of.name, text(of.baseline), text(of.candidate),
                          signed_share(of.difference.mean) + " (" +
                              bounds_text(of.difference.low, of.difference.high) + ")"});
  }
  return table;
}

std::string power_text(const Comparison& comparison) {
  if (!comparison.power) return "Two seeds or more are needed for a verdict.";
  return "This comparison calls a loss of " + share_text(comparison.power->smallest_difference) +
         " of the gap worse with a probability of 90 %, and one of the margin (" +
         share_text(comparison.terms.margin) + ") with " +
         fixed(100.0 * comparison.power->at_margin, 0) + " %.";
}

std::string decided_by(const Comparison& comparison) {
  const std::string level = fixed(100.0 * (1.0 - 2.0 * comparison.terms.alpha), 0) + " %";
  return comparison.terms.anytime ? level + " at any time" : level;
}

Json problem_json(const ComparedPair& problem) {
  return {{"scenario", problem.scenario},
          {"instance", problem.instance},
          {"a12", problem.superiority.a12},
          {"shift", problem.shift},
          {"low", or_null(problem.low)},
          {"high", or_null(problem.high)},
          {"p_holm", problem.p_holm},
          {"a12_low", problem.superiority.interval.low},
          {"a12_high", problem.superiority.interval.high},
          {"baseline", problem.baseline},
          {"candidate", problem.candidate}};
}

Json contribution_json(const Contribution& of) {
  return {{"name", of.key},
          {"baseline", of.baseline},
          {"candidate", of.candidate},
          {"difference", of.difference.mean},
          {"low", or_null(of.difference.low)},
          {"high", or_null(of.difference.high)}};
}

}  // namespace

std::string signed_share(double difference) {
  const std::string digits = fixed(100.0 * std::fabs(difference), 2);
  if (digits == "0.00") return "0.00 %";
  return (difference < 0.0 ? "-" : "+") + digits + " %";
}

std::string bounds_text(const std::optional<double>& low, const std::optional<double>& high) {
  if (!low && !high) return "too few seeds for bounds";
  return (low ? signed_share(*low) : "no bound") + " to " +
         (high ? signed_share(*high) : "no bound");
}

std::string verdict_sentence(const Comparison& comparison) {
  const Difference& difference = comparison.difference;
  const std::string margin = share_text(comparison.terms.margin) + " of the gap";
  std::string sentence;
  switch (comparison.verdict) {
    case Verdict::better:
      sentence = "Better: the candidate gains score.";
      break;
    case Verdict::not_worse:
      sentence = "Not worse: a loss of " + margin + " or more is excluded.";
      if (comparison.terms.question == Question::better) {
        sentence = "Not better: a gain of " + margin + " or more is excluded, and a loss too.";
      }
      break;
    case Verdict::worse:
      sentence = "Worse: the candidate loses score.";
      break;
    case Verdict::undecided:
      sentence = "Undecided: neither a loss of " + margin + " nor its absence is shown.";
      if (comparison.terms.question == Question::better) {
        sentence = "Undecided: neither a gain nor its absence is shown.";
      }
      break;
  }
  sentence += " Difference " + signed_share(difference.mean) + " (" +
              bounds_text(difference.low, difference.high) + ", " + decided_by(comparison) + ").";
  if (comparison.seeds_needed) {
    sentence += " About " + counted(*comparison.seeds_needed, "seed", "seeds") + " would decide.";
  }
  return sentence;
}

Json comparison_json(const Comparison& comparison) {
  Json document = support::new_document("comparison");
  document["question"] = question_names[static_cast<std::size_t>(comparison.terms.question)];
  document["verdict"] = name_of(comparison.verdict);
  document["score"] = {{"baseline", comparison.scores[0]},
                       {"candidate", comparison.scores[1]},
                       {"difference", comparison.difference.mean},
                       {"low", or_null(comparison.difference.low)},
                       {"high", or_null(comparison.difference.high)},
                       {"p", comparison.difference.p}};
  document["power"] = nullptr;
  if (comparison.power) {
    document["power"] = {{"at_margin", comparison.power->at_margin},
                         {"smallest_difference", comparison.power->smallest_difference}};
  }
  document["problems"] = Json::array();
  for (const ComparedPair& problem : comparison.problems) {
    document["problems"].push_back(problem_json(problem));
  }
  document["pairs"] = comparison.pairs;
  document["seeds_needed"] = comparison.seeds_needed ? Json(*comparison.seeds_needed) : Json();
  document["seeds"] = comparison.seeds;
  document["margin"] = comparison.terms.margin;
  document["alpha"] = comparison.terms.alpha;
  document["any_time"] = comparison.terms.anytime;
  document["searchers"] = {comparison.searchers[0], comparison.searchers[1]};
  document["contributions"] = Json::array();
  for (const Contribution& of : comparison.contributions) {
    document["contributions"].push_back(contribution_json(of));
  }
  document["notes"] = comparison.notes;
  return document;
}

Document comparison_document(const Comparison& comparison) {
  Document document{.title = "Comparison"};
  document.add(Paragraph{verdict_sentence(comparison)});
  document.add(Facts{{{"baseline", comparison.searchers[0] + " (" + comparison.baseline +
                                       "): score " + fixed(comparison.scores[0], 3)},
                      {"candidate", comparison.searchers[1] + " (" + comparison.candidate +
                                        "): score " + fixed(comparison.scores[1], 3)},
                      {"pairs", counted(comparison.pairs, "pair", "pairs") + " of studies: " +
                                    counted(comparison.problems.size(), "problem", "problems") +
                                    ", " + counted(comparison.seeds, "seed", "seeds") + " each"}}});
  document.add(Paragraph{power_text(comparison)});
  for (const std::string& note : comparison.notes) document.add(Paragraph{note, true});
  document.add(Heading{"Problems", "problems"});
  document.add(problem_table(comparison));
  document.add(Heading{"What goes along with it", "contributions"});
  document.add(contribution_table(comparison));
  return document;
}

}  // namespace cubicbench::results
