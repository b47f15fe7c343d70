#pragma once

#include <optional>
#include <vector>

namespace cubicbench::results {

/// The value below which a share `q` of `values` lies, between neighbours by linear interpolation:
/// at position q (n - 1) of the sorted values, from 0 (numpy's default). Nothing of no values,
/// unlike quantile() of results/studies/search_curve.h. Requires q in [0, 1] and no NaN.
std::optional<double> quantile_if_any(std::vector<double> values, double q);

std::optional<double> median(std::vector<double> values);
std::optional<double> mean(const std::vector<double>& values);

}  // namespace cubicbench::results
