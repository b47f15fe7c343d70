#include "results/searches/search_text.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "results/layout/columns.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "results/regret/regret_text.h"
#include "results/studies/search_curve.h"
#include "scenarios/problem/scenario.h"
#include "support/joined.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

/// The studies of one searcher on one scenario.
struct Group {
  std::int64_t studies = 0;
  std::int64_t launches = 0;
  std::int64_t failed = 0;
  double gpu_hours = 0.0;
  std::vector<double> best;    ///< of the studies that have one
  std::vector<double> regret;  ///< likewise
  std::vector<double> random;  ///< exact regret of random search, likewise
};

Group group_of(const search::SearchResult& result, const SearchJudgement& judgement,
               std::string_view scenario, std::string_view searcher) {
  Group group;
  for (const search::StudySummary& study : result.studies) {
    if (study.scenario != scenario || study.searcher != searcher) continue;
    ++group.studies;
    group.launches += study.trials;
    group.failed += study.failed;
    group.gpu_hours += study.cost_gpu_hours;
    if (study.best) group.best.push_back(study.best->value);
    const StudyEnd* const end = judgement.find(study);
    if (end != nullptr && end->regret) group.regret.push_back(end->regret->recommended.back());
    if (end != nullptr && end->random) group.random.push_back(*end->random);
  }
  std::ranges::sort(group.best);
  return group;
}

const StudyResult& study_of(const GroupRegret& group) {
  return *group.series.front().ends.front().study;
}

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

/// "83.1", "1,829".
std::string hours(double value) {
  constexpr double shown_whole = 100.0;
  return value < shown_whole ? fixed(value, 1) : grouped(static_cast<std::uint64_t>(value + 0.5));
}

std::vector<std::string> cells(const std::string& searcher, const Group& group, bool maximize) {
  const bool any = !group.best.empty();
  const std::string none = "none";
  const double best = any ? (maximize ? group.best.back() : group.best.front()) : 0.0;
  return {searcher,
          count(group.studies),
          count(group.launches),
          percent(static_cast<double>(group.failed) /
                  static_cast<double>(std::max<std::int64_t>(1, group.launches))),
          any ? scaled(support::median(group.best)) : none,
          any ? scaled(best) : none,
          hours(group.gpu_hours)};
}

/// "instance 3", "instances 1, 4".
std::string instances_text(const std::vector<const GroupRegret*>& groups) {
  std::vector<std::string> numbers;
  for (const GroupRegret* const group : groups) {
    numbers.push_back(std::to_string(study_of(*group).instance));
  }
  return (numbers.size() == 1 ? "instance " : "instances ") + support::joined(numbers, ", ");
}

/// How regret is to be read: of the `measured` of `studies` studies that have one, of the instances
/// in `known`.
std::string scale_text(const std::vector<const GroupRegret*>& known, bool only_one,
                       std::size_t measured, std::int64_t studies,
                       const std::vector<double>& random) {
  const bool all = static_cast<std::int64_t>(measured) == studies;
  std::string text =
      "Regret is the mean over " +
      (all ? "the studies"
           : count(static_cast<std::int64_t>(measured)) + " of " + count(studies) + " studies") +
      ", of the recommendation without noise: ";
  if (known.size() == 1) {
    const RegretScale& scale = *known.front()->scale;
    text += "0 is the optimum (" + scaled(scale.best) + "), 1 the median of what runs (" +
            scaled(scale.reference) + ")";
    if (!only_one || study_of(*known.front()).instance != 0) {
      text += ", both of " + instances_text(known);
    }
  } else {
    text += "0 is the optimum of the study's instance, 1 the median of what runs there";
  }
  if (const auto mean = spread_of(random)) {
    text += "; random search comes to " + regret_text(mean->mean) + " on average, exactly";
  }
  return text + ".";
}

/// The optima of the scenario's instances, and what random search comes to; of which instances
/// there is none, and of the first of them why.
std::string regret_note(const SearchJudgement& judgement, const std::string& scenario,
                        std::size_t measured, std::int64_t studies,
                        const std::vector<double>& random) {
  std::vector<const GroupRegret*> known;
  std::vector<const GroupRegret*> unknown;
  for (const GroupRegret& group : judgement.groups()) {
    if (study_of(group).scenario == scenario) (group.scale ? known : unknown).push_back(&group);
  }
  const bool only_one = known.size() + unknown.size() == 1;
  std::string text;
  if (!known.empty()) {
    text = paragraph("", 0, scale_text(known, only_one, measured, studies, random));
  }
  if (unknown.empty()) return text;
  const KnownSpace& why = unknown.front()->known;
  const std::string which =
      unknown.size() == 1 ? "" : "There is no regret of " + instances_text(unknown) + ". ";
  return text + paragraph("", 0, which + why.note) +
         (why.command.empty() ? "" : "  " + why.command + "\n");
}

std::string scenario_table(const search::SearchPlan& plan, const search::SearchResult& result,
                           const SearchJudgement& judgement, const scenarios::Scenario& scenario) {
  const bool maximize = scenario.objective.direction == scenarios::Direction::maximize;
  std::vector<std::vector<std::string>> rows{
      {"SEARCHER", "STUDIES", "LAUNCHES", "FAILED", "MEDIAN BEST", "BEST", "GPU-HOURS"}};
  std::vector<double> random;
  std::vector<std::string> regrets{"REGRET"};
  std::size_t measured = 0;
  std::int64_t studies = 0;
  for (const search::SearcherSpec& searcher : plan.searchers) {
    const Group group = group_of(result, judgement, scenario.name, searcher.text);
    rows.push_back(cells(searcher.text, group, maximize));
    const auto regret = spread_of(group.regret);
    measured += group.regret.size();
    studies += group.studies;
    regrets.push_back(regret ? regret_text(regret->mean) : "none");
    random.insert(random.end(), group.random.begin(), group.random.end());
  }
  for (std::size_t i = 0; measured > 0 && i < rows.size(); ++i) rows[i].push_back(regrets[i]);
  return paragraph("", 0,
                   scenario.name + ": " + std::string(name_of(scenario.objective.metric)) + ", " +
                       (maximize ? "greater" : "less") + " is better") +
         columns_text(rows) + regret_note(judgement, scenario.name, measured, studies, random) +
         "\n";
}

}  // namespace

std::string search_table(const search::SearchPlan& plan, const search::SearchResult& result,
                         const SearchJudgement& judgement) {
  std::string text;
  for (const scenarios::Scenario& scenario : plan.scenarios) {
    text += scenario_table(plan, result, judgement, scenario);
  }
  return text;
}

std::string search_text(const search::SearchPlan& plan, const search::SearchResult& result,
                        const std::string& out, const SearchJudgement& judgement) {
  return search_table(plan, result, judgement) + "The journals are in " + out +
         "\nNext: cubicbench report " + out + " --out page.html\n";
}

}  // namespace cubicbench::results
