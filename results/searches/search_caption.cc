#include <algorithm>

#include "results/document/series_look.h"
#include "results/searches/search_figure.h"
#include "results/searches/search_rounds.h"
#include "search/searchers/charge.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

/// Where the lines of seeds of different length end, and why.
std::string ends_text(const SearchedProblem& problem) {
  std::size_t longest = 0;
  for (const SearchedSeries& series : problem.series) {
    longest = std::max(longest, places_of(series.curves, problem.options.hide_failures));
  }
  std::vector<std::string> ends;
  for (const SearchedSeries& series : problem.series) {
    const std::size_t end = line_end(series.curves);
    if (end < longest) ends.push_back(series.end.name + " at " + std::to_string(end));
  }
  if (ends.empty()) return "";
  return std::string(" A line ends with its jobs. A median is over the seeds that have ") +
         (problem.options.hide_failures ? "that many jobs that succeeded"
                                        : "made that many launches") +
         ", as long as they are at least half: " + support::joined(ends, ", ") + ".";
}

std::string rounds_text(const SearchedProblem& problem) {
  const SearchedSeries& subject = problem.series[subject_of(problem)];
  if (!has_rounds(subject.curves)) return "";
  return " Dots and line of " + subject.end.name +
         " have a colour per round (of the first seed; of many rounds the legend lists some); the "
         "best so far continues from round to round.";
}

/// Has the series a launch of a share of its job's steps?
bool has_short_launches(const SearcherCurves& curves) {
  return std::ranges::any_of(curves.studies, [](const search::StudyResult* study) {
    return std::ranges::any_of(study->launches, [](const search::StudyLaunch& launch) {
      return launch.fidelity < search::whole_launch;
    });
  });
}

/// Do two studies begin with the same jobs?
bool share_jobs(const search::StudyResult& a, const search::StudyResult& b) {
  const auto same = [&](const search::StudyLaunch& x, const search::StudyLaunch& y) {
    return x.value == y.value && x.fidelity == y.fidelity && a.config_of(x) == b.config_of(y);
  };
  return std::ranges::mismatch(a.launches, b.launches, same).in1 - a.launches.begin() > 1;
}

/// Which series begin with the same jobs, whose marks lie one below another.
std::string shared_text(const SearchedProblem& problem) {
  std::vector<std::string> names;
  for (const SearchedSeries& series : problem.series) {
    const bool shares = std::ranges::any_of(problem.series, [&](const SearchedSeries& other) {
      return &other != &series &&
             share_jobs(*series.curves.studies.front(), *other.curves.studies.front());
    });
    if (shares) names.push_back(series.end.name);
  }
  if (names.empty()) return "";
  return " Searchers that begin at random share their first jobs when their seed is the same: "
         "here " +
         support::joined(names, ", ") + ".";
}

/// What the line, or the two lines, of random search are averages of.
std::string random_text(const SearchedProblem& problem, bool seeds) {
  const CurveOptions& options = problem.options;
  const std::string orders = std::to_string(options.permutations.value_or(usual_permutations)) +
                             " random orders of its jobs";
  std::string text = " The order of random jobs has no meaning, so random search has ";
  if (!problem.shows_expected_random()) {
    text += "two lines: the best so far averaged over " + orders +
            ", and, dotted, the exact expectation of the best of k of them";
  } else if (problem.averages_orders()) {
    text += "the best so far averaged over " + orders;
  } else {
    text += "the exact expectation of the best of k of its jobs";
  }
  if (seeds) {
    text += " (jobs of all seeds together; the band is the ";
    text += options.bootstrap > 0 ? "same interval of the seeds' mean)" : "exact quartiles)";
  }
  if (options.hide_failures) return text + ".";
  return text + ". In these averages a failed job counts as " +
         (problem.maximize() ? "zero." : "the worst value measured.");
}

}  // namespace

std::string search_caption(const SearchedProblem& problem) {
  const auto any = [&](auto holds) {
    return std::ranges::any_of(problem.series, holds, &SearchedSeries::curves);
  };
  const bool seeds = any([](const SearcherCurves& curves) { return curves.studies.size() > 1; });
  std::string text = is_replay(*problem.study) ? "Each dot is the recorded value of one launch"
                     : is_real(*problem.study) ? "Each dot is the measured value of one real run"
                                               : "Each dot is the measured value of one job";
  text += " of " + problem.series[subject_of(problem)].end.name +
          (seeds ? "\xE2\x80\x99s first seed." : ".");
  text += " A line is the best so far";
  text += seeds ? ": the median over the seeds, in a band of " + band_text(problem.options) +
                      (problem.series.size() > 2 ? ", as bars where bands would overlap." : ".")
                : ".";
  if (any([](const SearcherCurves& curves) { return curves.random; })) {
    text += random_text(problem, seeds);
  }
  if (problem.shows_expected_random()) {
    text += problem.knows_launched_random()
                ? " The dotted line is what is expected of any random search: the true value of "
                  "what it recommends, failures counting as "
                : " The dotted line is the exact expectation of any random search: the best true "
                  "value of as many configurations drawn from the whole space, failures counting "
                  "as ";
    text += problem.maximize() ? "zero." : "the worst of the space.";
  }
  text += rounds_text(problem) + shared_text(problem);
  text += problem.options.hide_failures
              ? " Failed jobs are neither shown nor counted, as in the paper; they cost time all "
                "the same."
              : " A failed job counts as a launch and is marked below the axis.";
  if (any(has_short_launches)) {
    text += " Jobs that ran a share of their steps count in part and have no dot.";
  }
  text += ends_text(problem);
  if (problem.baseline.value) {
    text += " The line of long dashes is the noise-free value of the scenario's baseline.";
  }
  if (problem.series.size() > looks) {
    text += " After " + std::to_string(looks) + " series colours, dashes and marks repeat.";
  }
  return text;
}

}  // namespace cubicbench::results
