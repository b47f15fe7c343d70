#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/studies/study_set.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// Orders of the jobs of random search unless asked for.
inline constexpr std::int64_t usual_permutations = 100;

/// Which launches count, and how random search is averaged.
struct CurveOptions {
  bool hide_failures = false;  ///< failed launches are neither plotted nor counted
  /// Random orders of the jobs of random search that its line is averaged over, as in the paper;
  /// nothing: where the space is known the line is exact, else usual_permutations.
  std::optional<std::int64_t> permutations{};
  /// Bands are bootstrap_interval() of the line from so many resamples of the seeds; 0: quartiles.
  std::int64_t bootstrap = 0;
};

/// One launch of a study and what was known after it.
struct CurveJob {
  std::int64_t launch = 0;                 ///< of all launches of the study, from 1
  std::optional<std::int64_t> plotted_at;  ///< place on the x axis, from 1; nothing where hidden
  const StudyLaunch* of = nullptr;
  std::optional<double> best_so_far;
  double cost_gpu_hours = 0.0;  ///< of this launch and all before it
};

/// The launches of one study in order. With hidden failures only those that succeeded have a place
/// on the x axis.
std::vector<CurveJob> jobs_of(const StudyResult& study, scenarios::Direction direction,
                              bool hide_failures);

/// A value a launch: entry i belongs to launch i + 1.
struct SearcherCurves {
  std::string searcher;
  std::string series;                       ///< as StudyResult has it: what a reader calls the line
  std::vector<const StudyResult*> studies;  ///< one a seed, in order; the set must outlive this
  /// Running best, over several seeds its median, see seed_band(); nothing before the first success
  /// of a single study. For random search empty: the two below take its place.
  Values frontier;
  std::vector<double> permutation_mean;  ///< mean_running_best() of the jobs of all seeds together
  std::vector<double> exact_mean;        ///< expected_best() of the same
  /// Quartiles over the seeds, or of random search's exact distribution; with a bootstrap, its
  /// interval for the median over the seeds, of random search for their mean. Empty with one seed.
  std::vector<double> low;
  std::vector<double> high;
};

/// Points of the series' line: it ends after that many jobs.
std::size_t line_end(const SearcherCurves& curves);

/// Places on the x axis that the series takes: those of its line and of its first seed's jobs.
std::size_t places_of(const SearcherCurves& curves, scenarios::Direction direction,
                      bool hide_failures);

/// Is this the searcher whose order of jobs means nothing?
bool is_random(const std::string& searcher);

/// The curves of one series' studies (one a seed) on one scenario and instance.
SearcherCurves curves_of(std::vector<const StudyResult*> studies, scenarios::Direction direction,
                         const CurveOptions& options);

/// The studies of one scenario and instance: what one figure shows.
struct StudyGroup {
  std::string scenario;
  std::int64_t instance = 0;
  std::vector<SearcherCurves> searchers;  ///< one a series: random search first, then by name
};

/// The studies of `set` by scenario and instance, in its order. The set must outlive the result.
std::vector<std::vector<const StudyResult*>> grouped_studies(const StudySet& set);

/// The curves of studies of one scenario and instance, a series after the other.
StudyGroup group_of(const std::vector<const StudyResult*>& studies, scenarios::Direction direction,
                    const CurveOptions& options);

}  // namespace cubicbench::results
