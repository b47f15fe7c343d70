#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "search/finished/search_curve.h"
#include "search/finished/study_set.h"
#include "support/statistics/bootstrap.h"

namespace cubicbench::results {

/// Orders of the jobs of random search unless asked for.
inline constexpr std::int64_t usual_permutations = 100;

/// Which launches count, and how random search is averaged.
struct CurveOptions {
  /// Are the lines and bands over launches looked at? If not they are not computed: of random
  /// search they take longer than the rest.
  bool drawn = true;
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
  const search::StudyLaunch* of = nullptr;
  std::optional<double> best_so_far;
  double cost_gpu_hours = 0.0;  ///< of this launch and all before it
};

/// The launches of one study in order. Whole ones have a place on the x axis, where short ones
/// before them count in part (search::charged_places); with hidden failures only those that
/// succeeded, one after the other.
std::vector<CurveJob> jobs_of(const search::StudyResult& study, bool hide_failures);

/// The curves of one series' studies: entry i belongs to launch i + 1, short ones counted in part.
struct SearcherCurves {
  std::string series;       ///< as StudyResult has it
  search::Studies studies;  ///< one per seed, in order; the set must outlive this
  bool random = false;      ///< random search, in which the order of jobs means nothing
  /// Running best, over several seeds its median as far as aligned_bests() go; nothing before the
  /// first success of a single study. Empty for random search: the two below take its place.
  search::Values frontier{};
  std::vector<double>
      permutation_mean{};            ///< mean_running_best() of the jobs of all seeds together
  std::vector<double> exact_mean{};  ///< expected_best() of the same
  /// Quartiles over the seeds, or of random search's exact distribution; with a bootstrap, its
  /// interval for the median over the seeds, for random search for their mean. Empty for one seed.
  std::vector<double> low{};
  std::vector<double> high{};
};

/// Points of the series' line: it ends after that many jobs.
std::size_t line_end(const SearcherCurves& curves);

/// Places on the x axis that the series takes: those of its line and of its first seed's jobs.
std::size_t places_of(const SearcherCurves& curves, bool hide_failures);

/// The curves of studies of one scenario and instance, random search first, then by name.
std::vector<SearcherCurves> searcher_curves(const search::Studies& studies,
                                            const CurveOptions& options);

/// The band over seeds that the options ask for. Requires a value.
support::Interval seed_band(std::span<const double> values, const CurveOptions& options,
                            support::Centre centre);

/// "its 95 % bootstrap interval (1,000 resamples of the seeds)", "their quartiles".
std::string band_text(const CurveOptions& options);

}  // namespace cubicbench::results
