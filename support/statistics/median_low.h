#pragma once

#include <vector>

namespace cubicbench::support {

/// The middle value, or the smaller of the two in the middle: always one of the values. Requires at
/// least one.
double median_low(std::vector<double> values);

}  // namespace cubicbench::support
