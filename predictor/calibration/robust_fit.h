#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace cubicbench::predictor {

/// Numbers to find, each within its bounds, so that residuals are small.
struct FitProblem {
  std::vector<double> start;
  std::vector<double> lower{};
  std::vector<double> upper{};
  std::size_t rows = 0;
  /// Residuals of the rows at `values`. Equal values, equal bits.
  std::function<void(std::span<const double> values, std::span<double> residuals)> residuals;
  /// Rows of one cluster err together: what says how far the numbers are known. As many as rows.
  std::vector<std::size_t> clusters;
};

struct Fit {
  std::vector<double> values;
  /// Standard errors by the sandwich of clustered rows [White80], times sqrt(n / (n - 1)) of n
  /// clusters; infinite where nothing holds a number.
  std::vector<double> errors{};
  /// Whether the rows tell a number from every combination of the others.
  std::vector<bool> told_apart;
};

/// Minimises the sum of log(1 + (r / s)^2) over the rows, s the spread of most residuals (1.48
/// times their median size): a row that is far off counts little (Cauchy's loss, as in
/// [Hampel86, section 2.6]). Levenberg and Marquardt's method with weights renewed at every step,
/// derivatives by differences.
Fit robust_fit(const FitProblem& problem);

}  // namespace cubicbench::predictor
