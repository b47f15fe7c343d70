#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace cubicbench::results {

enum class Centre { mean, median };

struct Interval {
  double low = 0.0;
  double high = 0.0;

  bool operator==(const Interval&) const = default;
};

/// Share of the resamples within bootstrap_interval().
inline constexpr double bootstrap_level = 0.95;

/// The percentile bootstrap's interval for the centre of what `values` were drawn from: between the
/// quantiles of the centres of `resamples` samples of as many values, drawn with replacement from a
/// fixed key, so that resample r takes the same positions of every list of that length. Requires a
/// value and resamples >= 1.
Interval bootstrap_interval(std::span<const double> values, std::int64_t resamples, Centre centre);

/// bootstrap_interval() of the mean of each of many lists of one length, such as the same studies
/// after one launch, two and so on: to the bit, and each resample is drawn once for all of them.
std::vector<Interval> bootstrap_means(std::span<const std::vector<double>> lists,
                                      std::int64_t resamples);

}  // namespace cubicbench::results
