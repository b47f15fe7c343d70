#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "datasets/exhaustive/launched_pool.h"

namespace cubicbench::datasets {

/// True values that hold a share of many studies. An end that is missing fails.
struct RandomBand {
  std::optional<double> worse;
  std::optional<double> better;

  bool operator==(const RandomBand&) const = default;
};

/// What random search recommends after a number of launches, over many studies.
struct RandomAfter {
  double failing = 0.0;          ///< share of studies without a recommendation that runs
  std::optional<double> mean{};  ///< of the true values of the others; nothing where there is none
  double error = 0.0;            ///< standard error of the mean, `failing` counted as 0
  RandomBand half{};             ///< that holds 50 % of the studies
  RandomBand nine_tenths{};      ///< likewise 90 %

  bool operator==(const RandomAfter&) const = default;
};

/// Studies simulated for a file that is written once, and for a page that a reader waits for.
inline constexpr std::size_t random_studies_whole = 100'000;
inline constexpr std::size_t random_studies_quick = 20'000;
/// Configurations from which they draw, where a space has more.
inline constexpr std::uint64_t random_pool_max = 400'000;

/// Random search without replacement as it really goes: it picks its best by one noisy
/// measurement, loses launches to the infrastructure, and is worth what its pick is worth without
/// noise. Studies are simulated from what every configuration of `pool` comes to, each an
/// independent draw without repeats, `first` (the granted baseline) being tried before. Entry
/// b - 1 belongs to b launches.
///
/// Where the pool is a `sample` of the space, the studies are ten groups that draw from a tenth of
/// it each, so that their standard error has the sampling of the pool in it: a mean over draws from
/// a uniform sample estimates that over draws from the space without bias.
///
/// A band begins at the 5 % (25 %) quantile, counted from the worst, and ends where it holds 90 %
/// (50 %) of the studies: where more than 5 % of them end at one value, as at the baseline, its
/// upper edge comes down. A pure function of its arguments; `threads` (0: all cores) change
/// nothing. Requires a pool with an entry a launch and group, or the whole space.
std::vector<RandomAfter> random_studies(std::span<const LaunchedTrial> pool, bool sample,
                                        const std::optional<LaunchedTrial>& first,
                                        bool less_is_better, std::size_t launches, int threads,
                                        std::size_t studies);

/// Random search on one instance of a scenario, to six digits.
struct RandomSearchCurves {
  std::int64_t studies = 0;                  ///< that were simulated for each curve; 0: none
  std::vector<RandomAfter> from_baseline{};  ///< empty where the space has no baseline
  std::vector<RandomAfter> from_nothing{};

  bool operator==(const RandomSearchCurves&) const = default;
};

/// `baseline` is what a study is granted, if there is any. Requires a space with a configuration.
/// `look` is called now and then, by any thread; what it throws ends the work.
RandomSearchCurves random_search_curves(const scenarios::Instance& instance,
                                        const std::optional<scenarios::Configuration>& baseline,
                                        std::size_t launches, std::size_t studies, int threads,
                                        const std::function<void()>& look = {});

}  // namespace cubicbench::datasets
