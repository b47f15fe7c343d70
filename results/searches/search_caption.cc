#include "results/searches/search_caption.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/searches/search_rounds.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

/// Where the lines of seeds of different length end, and why.
std::string ends_text(const StudyGroup& group, scenarios::Direction direction,
                      const CurveOptions& options) {
  std::size_t longest = 0;
  for (const SearcherCurves& curves : group.searchers) {
    longest = std::max(longest, places_of(curves, direction, options.hide_failures));
  }
  std::vector<std::string> ends;
  for (const SearcherCurves& curves : group.searchers) {
    if (line_end(curves) < longest) {
      ends.push_back(curves.series + " at " + std::to_string(line_end(curves)));
    }
  }
  if (ends.empty()) return "";
  const std::string why =
      options.hide_failures ? "have that many jobs that succeeded" : "have made that many launches";
  return " A line goes as far as there are jobs, a median as far as at least half of the seeds " +
         why + ", and is over those that do: " + support::joined(ends, ", ") + ".";
}

std::string band_text(const CurveOptions& options) {
  if (options.bootstrap == 0) return "their quartiles";
  return "its 95 % bootstrap interval (" + grouped(static_cast<std::uint64_t>(options.bootstrap)) +
         " resamples of the seeds)";
}

std::string rounds_text(const StudyGroup& group, scenarios::Direction direction,
                        const CurveOptions& options) {
  std::vector<std::string> names;
  bool some_keys = false;
  for (const SearcherCurves& curves : group.searchers) {
    if (!has_rounds(curves)) continue;
    names.push_back(curves.series);
    const std::vector<std::int64_t> rounds = rounds_of(curves, direction, options.hide_failures);
    const std::int64_t count = rounds.empty() ? 0 : rounds.back() + 1;  // they never fall
    some_keys = some_keys || std::ssize(round_keys({}, rounds)) < count;
  }
  if (names.empty()) return "";
  return " Dots and line of " + support::joined(names, ", ") +
         " have a colour a round (of the first seed)" +
         (some_keys ? ", of which the legend lists only some" : "") +
         "; the best so far goes on from round to round.";
}

/// How many jobs at the start of two studies are the same.
std::size_t common_start(const StudyResult& a, const StudyResult& b) {
  const auto same = [](const StudyLaunch& x, const StudyLaunch& y) {
    return x.config == y.config && x.value == y.value;
  };
  return static_cast<std::size_t>(std::ranges::mismatch(a.launches, b.launches, same).in1 -
                                  a.launches.begin());
}

/// Which series begin with the same jobs, so that nobody wonders at marks one below another.
std::string shared_text(const StudyGroup& group) {
  std::vector<std::string> names;
  for (const SearcherCurves& curves : group.searchers) {
    const bool shares = std::ranges::any_of(group.searchers, [&](const SearcherCurves& other) {
      return &other != &curves && common_start(*curves.studies.front(), *other.studies.front()) > 1;
    });
    if (shares) names.push_back(curves.series);
  }
  if (names.empty()) return "";
  return " Searchers that begin at random with the same seed share their first jobs: here " +
         support::joined(names, ", ") + ".";
}

/// What the line, or the two lines, of random search are averages of.
std::string random_text(bool seeds, bool maximize, const CurveOptions& options,
                        const ExactRandom* exact) {
  const std::string orders = std::to_string(options.permutations.value_or(usual_permutations)) +
                             " random orders of its jobs";
  std::string text = " The order of random jobs means nothing, so random search has ";
  if (!shows_exact_space(options, exact)) {
    text += "two lines: the best so far averaged over " + orders +
            ", and, dotted, the exact expectation of the best of k of them";
  } else if (averages_orders(options, exact)) {
    text += "the best so far averaged over " + orders;
  } else {
    text += "the exact expectation of the best of k of its jobs";
  }
  if (seeds) {
    text += " (jobs of all seeds together; the band is the " +
            std::string(options.bootstrap > 0 ? "same interval of the seeds' mean)"
                                              : "exact quartiles)");
  }
  text += ".";
  if (options.hide_failures) return text;
  return text + (maximize ? " In these averages a failed job counts as zero."
                          : " In these averages a failed job counts as the worst value measured.");
}

}  // namespace

std::string search_caption(const StudyGroup& group, const StudyProblem& problem,
                           const CurveOptions& options, const ExactRandom* exact) {
  const bool maximize = problem.objective.direction == scenarios::Direction::maximize;
  bool random = false;
  bool seeds = false;
  for (const SearcherCurves& curves : group.searchers) {
    random = random || is_random(curves.searcher);
    seeds = seeds || curves.studies.size() > 1;
  }
  std::string text = problem.real ? "Each dot is what one real run measured."
                                  : "Each dot is what one job measured.";
  text += " A line is the best so far";
  text += seeds ? ": the median over the seeds, in a band of " + band_text(options) +
                      "; dots and marks are of the first seed."
                : ".";
  if (random) text += random_text(seeds, maximize, options, exact);
  if (shows_exact_space(options, exact)) {
    text +=
        " The dotted line is the exact expectation of any random search: the best true value of as "
        "many configurations drawn from the whole space, failures as " +
        std::string(maximize ? "zero." : "the worst of the space.");
  }
  text += rounds_text(group, problem.objective.direction, options);
  text += shared_text(group);
  text += options.hide_failures
              ? " Failed jobs are neither shown nor counted, as in the paper; they cost time all "
                "the same."
              : " A failed job counts as a launch and is marked below the axis.";
  text += ends_text(group, problem.objective.direction, options);
  if (problem.baseline_value) {
    text += " The line of long dashes is the noise-free value of the scenario's baseline.";
  }
  if (group.searchers.size() > looks) {
    text += " After " + std::to_string(looks) + " series colours, dashes and marks begin again.";
  }
  return text;
}

}  // namespace cubicbench::results
