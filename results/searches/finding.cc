#include "results/searches/finding.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "datasets/exhaustive/best_found.h"
#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "results/studies/study_parts.h"
#include "support/joined.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

/// A searcher and the median of what its studies came to.
struct Came {
  const SearchedSeries* series = nullptr;
  double value = 0.0;
  std::optional<double> gain{};
};

/// All have the value without noise, or all are compared by what was measured.
bool knows_truth(const SearchedProblem& problem) {
  return std::ranges::all_of(problem.series, [](const SearchedSeries& series) {
    return series.end.all(&StudyEnd::recommended).size() ==
           series.end.all(&StudyEnd::observed).size();
  });
}

/// The best first; without those of whom no launch succeeded.
std::vector<Came> ranked(const SearchedProblem& problem, bool truth) {
  std::vector<Came> all;
  for (const SearchedSeries& series : problem.series) {
    const auto values = series.end.all(truth ? &StudyEnd::recommended : &StudyEnd::observed);
    if (values.empty()) continue;
    Came came{.series = &series, .value = support::median(values)};
    const auto gains = series.end.all(&StudyEnd::gain);
    if (!gains.empty()) came.gain = support::median(gains);
    all.push_back(came);
  }
  std::ranges::stable_sort(all, [&](const Came& a, const Came& b) {
    return datasets::is_better(a.value, b.value, problem.study->objective.direction);
  });
  return all;
}

std::string came_text(const Came& came) {
  return came.series->end.name + " " + scaled(came.value) +
         (came.gain ? " (" + signed_percent(*came.gain) + ")" : "");
}

}  // namespace

std::string finding_of(const SearchedProblem& problem) {
  const bool truth = knows_truth(problem);
  const std::vector<Came> came = ranked(problem, truth);
  if (came.empty()) return "No launch succeeded on " + problem_name(*problem.study) + ".";
  const Came& best = came.front();
  const std::size_t studies = best.series->end.ends.size();
  std::string text = "On " + problem_name(*problem.study) + " " + best.series->end.name +
                     " reached " + scaled(best.value) + " " + measure_of(*problem.study);
  if (best.gain) text += ", " + signed_percent(*best.gain) + " against the baseline";
  text += std::string(studies > 1 ? " (median of " + std::to_string(studies) + " studies" : " (") +
          (studies > 1 ? ", " : "") + (truth ? "without noise)" : "as measured)");
  if (came.size() > 1) {
    text +=
        "; " + support::joined(std::vector<Came>(came.begin() + 1, came.end()), ", ", came_text);
  }
  text += ".";
  if (problem.yardstick.scale && !best.series->mean.empty() &&
      !problem.yardstick.random.mean.empty()) {
    const std::size_t launches =
        std::min(best.series->mean.size(), problem.yardstick.random.mean.size());
    text += " Its mean regret after " + grouped(launches) + " launches is " +
            fixed(best.series->mean[launches - 1], 2) + ", where random search reaches " +
            fixed(problem.yardstick.random.mean[launches - 1], 2) +
            " (0: the optimum, 1: the median of what runs).";
  }
  return text;
}

}  // namespace cubicbench::results
