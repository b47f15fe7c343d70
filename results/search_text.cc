#include "results/search_text.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "results/columns.h"
#include "results/number_text.h"
#include "results/paragraph.h"
#include "scenarios/scenario.h"

namespace cubicbench::results {
namespace {

/// The studies of one searcher on one scenario.
struct Group {
  std::int64_t studies = 0;
  std::int64_t launches = 0;
  std::int64_t failed = 0;
  double gpu_hours = 0.0;
  std::vector<double> best;  ///< of the studies that have one
};

Group group_of(const search::SearchResult& result, std::string_view scenario,
               std::string_view searcher) {
  Group group;
  for (const search::StudySummary& study : result.studies) {
    if (study.scenario != scenario || study.searcher != searcher) continue;
    ++group.studies;
    group.launches += study.trials;
    group.failed += study.failed;
    group.gpu_hours += study.cost_gpu_hours;
    if (study.best) group.best.push_back(study.best->value);
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

std::string scenario_table(const search::SearchPlan& plan, const search::SearchResult& result,
                           const scenarios::Scenario& scenario) {
  const bool maximize = scenario.objective.direction == scenarios::Direction::maximize;
  std::vector<std::vector<std::string>> rows{
      {"SEARCHER", "STUDIES", "LAUNCHES", "FAILED", "MEDIAN BEST", "BEST", "GPU-HOURS"}};
  for (const search::SearcherSpec& searcher : plan.searchers) {
    rows.push_back(cells(searcher.text, group_of(result, scenario.name, searcher.text), maximize));
  }
  return paragraph("", 0,
                   scenario.name + ": " + std::string(name_of(scenario.objective.metric)) + ", " +
                       (maximize ? "greater" : "less") + " is better") +
         columns_text(rows) + "\n";
}

}  // namespace

std::string search_table(const search::SearchPlan& plan, const search::SearchResult& result) {
  std::string text;
  for (const scenarios::Scenario& scenario : plan.scenarios) {
    text += scenario_table(plan, result, scenario);
  }
  return text;
}

std::string search_text(const search::SearchPlan& plan, const search::SearchResult& result,
                        const std::string& out) {
  return search_table(plan, result) + "The journals are in " + out + "\nNext: cubicbench report " +
         out + " --out page.html\n";
}

}  // namespace cubicbench::results
