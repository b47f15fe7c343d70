#pragma once

#include <cstdint>
#include <span>

namespace cubicbench::support {

/// Both ends included.
struct Interval {
  double low = 0.0;
  double high = 0.0;

  bool operator==(const Interval&) const = default;
};

enum class Centre { mean, median };

/// Share of the resamples within bootstrap_interval().
inline constexpr double bootstrap_level = 0.95;

/// The percentile bootstrap's interval [EfronTibshirani93] for the centre of the distribution that
/// `values` were drawn from: between the quantiles of the centres of `resamples` samples of as many
/// values, drawn with replacement. The draws have a fixed key, so that resample r takes the same
/// positions of every list of that length. Requires a value and resamples >= 1.
Interval bootstrap_interval(std::span<const double> values, std::int64_t resamples, Centre centre);

}  // namespace cubicbench::support
