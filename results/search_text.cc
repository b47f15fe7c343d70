#include "results/search_text.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "results/columns.h"
#include "results/number_text.h"
#include "results/paragraph.h"
#include "results/regret_text.h"
#include "results/search_curve.h"
#include "scenarios/scenario.h"

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

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

/// "83.1", "1,829".
std::string hours(double value) {
  constexpr double shown_whole = 100.0;
  return value < shown_whole ? fixed(value, 1) : grouped(static_cast<std::uint64_t>(value + 0.5));
}

/// Of sorted values; of an even number the mean of the two in the middle.
double median(const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
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
          any ? scaled(median(group.best)) : none,
          any ? scaled(best) : none,
          hours(group.gpu_hours)};
}

/// The optima of the scenario's instances, and what random search comes to; or why there is none.
std::string regret_note(const SearchJudgement& judgement, const std::string& scenario,
                        const std::vector<double>& random) {
  for (const GroupRegret& group : judgement.groups()) {
    const StudyResult& study = *group.series.front().ends.front().study;
    if (study.scenario != scenario) continue;
    if (!group.scale) {
      return paragraph("", 0, group.known.note) +
             (group.known.command.empty() ? "" : "  " + group.known.command + "\n");
    }
    std::string text =
        "Regret is the mean over the studies, of the recommendation without noise: 0 "
        "is the optimum (" +
        scaled(group.scale->best) + "), 1 the median of what runs (" +
        scaled(group.scale->reference) + ")";
    if (study.instance != 0) text += ", both of instance " + std::to_string(study.instance);
    if (const auto mean = spread_of(random)) {
      text += "; random search comes to " + regret_text(mean->mean) + " on average, exactly";
    }
    return paragraph("", 0, text + ".");
  }
  return {};
}

std::string scenario_table(const search::SearchPlan& plan, const search::SearchResult& result,
                           const SearchJudgement& judgement, const scenarios::Scenario& scenario) {
  const bool maximize = scenario.objective.direction == scenarios::Direction::maximize;
  std::vector<std::vector<std::string>> rows{
      {"SEARCHER", "STUDIES", "LAUNCHES", "FAILED", "MEDIAN BEST", "BEST", "GPU-HOURS"}};
  std::vector<double> random;
  std::vector<std::string> regrets{"REGRET"};
  bool any_regret = false;
  for (const search::SearcherSpec& searcher : plan.searchers) {
    const Group group = group_of(result, judgement, scenario.name, searcher.text);
    rows.push_back(cells(searcher.text, group, maximize));
    const auto regret = spread_of(group.regret);
    any_regret = any_regret || regret.has_value();
    regrets.push_back(regret ? regret_text(regret->mean) : "none");
    random.insert(random.end(), group.random.begin(), group.random.end());
  }
  for (std::size_t i = 0; any_regret && i < rows.size(); ++i) rows[i].push_back(regrets[i]);
  return paragraph("", 0,
                   scenario.name + ": " + std::string(name_of(scenario.objective.metric)) + ", " +
                       (maximize ? "greater" : "less") + " is better") +
         columns_text(rows) + regret_note(judgement, scenario.name, random) + "\n";
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
