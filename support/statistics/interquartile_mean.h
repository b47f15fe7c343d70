#pragma once

#include <vector>

namespace cubicbench::support {

/// The mean of the middle half: of n sorted values, floor(n / 4) are left out at either end. It
/// resists outliers as a median does and uses more of the values [Agarwal21, section 4.3]. Requires
/// a value and no NaN.
double interquartile_mean(std::vector<double> values);

}  // namespace cubicbench::support
