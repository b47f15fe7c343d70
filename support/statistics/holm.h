#pragma once

#include <span>
#include <vector>

namespace cubicbench::support {

/// Holm's step-down adjustment for m tests at once [Holm79]: rejecting those whose adjusted p is at
/// most alpha keeps the probability of any false rejection at or below alpha, however the tests
/// depend on each other. With p_(1) <= ... <= p_(m)
///
///   adjusted p_(i) = max over j <= i of min(1, (m - j + 1) p_(j))
///
/// One entry per p, in the order given. Requires p in [0, 1].
std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace cubicbench::support
