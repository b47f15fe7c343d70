#pragma once

#include <optional>
#include <span>

namespace cubicbench::support {

/// The sum of `values`, added in their order, over their number. Requires at least one.
double mean(std::span<const double> values);
std::optional<double> mean_if_any(std::span<const double> values);

/// sum w x / sum w. Requires as many weights as values, and a positive sum of weights.
double weighted_mean(std::span<const double> values, std::span<const double> weights);

/// Whether values are all that exist, or a sample of more.
enum class Drawn { all, sample };

/// sum (x - centre)^2.
double squares_about(std::span<const double> values, double centre);

/// squares_about(mean) / n for all, / (n - 1) for a sample, whose own mean is closer to it than the
/// mean of what it was drawn from. Two passes: the mean first, so that a large mean does not cancel
/// the deviations away [ChanGolubLeVeque83]. Requires one value, two of a sample.
double variance(std::span<const double> values, Drawn drawn);

/// sum w (x - m)^2 / sum w, where m is weighted_mean(). Requires what weighted_mean() does.
double weighted_variance(std::span<const double> values, std::span<const double> weights);

struct MeanAndSd {
  double mean = 0.0;
  double sd = 0.0;  ///< standard deviation of the sample (n - 1); 0 of one value
};

/// The mean here is the first value plus the mean difference from it ("shifted data",
/// [ChanGolubLeVeque83]), so that equal values have exactly that mean and no spread; it may differ
/// from mean() in the last bits. Requires at least one value.
MeanAndSd mean_and_sd(std::span<const double> values);

}  // namespace cubicbench::support
