#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "support/statistics/interval.h"

namespace cubicbench::support {

enum class Centre { mean, median };

/// Share of the resamples within bootstrap_interval().
inline constexpr double bootstrap_level = 0.95;

/// The percentile bootstrap's interval [EfronTibshirani93] for the centre of the distribution that
/// `values` were drawn from: between the quantiles of the centres of `resamples` samples of as many
/// values, drawn with replacement. The draws have a fixed key, so that resample r takes the same
/// positions of every list of that length. Requires a value and resamples >= 1.
Interval bootstrap_interval(std::span<const double> values, std::int64_t resamples, Centre centre);

/// bootstrap_interval() of the mean of each of many lists of one length, such as the same studies
/// after one launch, two and so on: equal to the bit, but each resample is drawn once for all
/// lists.
std::vector<Interval> bootstrap_means(std::span<const std::vector<double>> lists,
                                      std::int64_t resamples);

/// The interval of a mean over groups of the mean of each, such as a score over problems of studies
/// on each: a resample draws as many groups, and of each of them as many values. The draws have a
/// fixed key. Requires a group, a value in each, and resamples >= 1.
Interval bootstrap_nested(std::span<const std::vector<double>> groups, std::int64_t resamples);

/// A number that groups of values come to.
using GroupedStatistic = std::function<double(const std::vector<std::vector<double>>&)>;

/// The stratified bootstrap [Agarwal21, section 4.1]: the interval of what groups come to where the
/// groups are all there are, such as the problems of a suite: a resample draws of each group as
/// many of its values. The draws have a fixed key. Requires a group, a value in each, and resamples
/// >= 1.
Interval bootstrap_stratified(std::span<const std::vector<double>> groups, std::int64_t resamples,
                              const GroupedStatistic& statistic);

}  // namespace cubicbench::support
