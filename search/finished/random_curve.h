#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "datasets/exhaustive/best_of_k_quantiles.h"
#include "datasets/exhaustive/enumeration.h"

namespace cubicbench::search {

using datasets::Replacement;

/// What random search comes to in true values, entry k - 1 after k launches: known of the space,
/// not an average over searches that ran.
struct RandomCurve {
  std::vector<double> mean{};
  /// Between the first and the last lie 90 % of the searches, between the others half of them; the
  /// first is the worst in quality. Empty where they are not known.
  std::vector<double> p05{};
  std::vector<double> p25{};
  std::vector<double> p75{};
  std::vector<double> p95{};
  std::vector<double> error{};  ///< standard error of the mean; empty: the mean is exact

  bool operator==(const RandomCurve&) const = default;
};

/// The exact distribution of the best true value among k configurations drawn at random, for k = 1
/// .. length: a search that no noise misleads and no failure of the infrastructure interrupts. A
/// draw that fails counts as 0 where more is better and as the worst true value where less is.
/// Without replacement more draws than there are configurations find the best. Shorter where the
/// enumeration has fewer best_of_k, empty where it has none; one of an earlier version has means
/// alone.
RandomCurve ideal_random(const datasets::Enumeration& space, std::size_t length,
                         Replacement replacement);

/// Random search without replacement as it really goes (datasets/exhaustive/random_studies), for 1
/// .. length launches, which begin with the granted baseline or not. `failure` is what a
/// recommendation that fails counts as. Nothing where the enumeration does not know as many.
std::optional<RandomCurve> launched_random(const datasets::Enumeration& space, std::size_t length,
                                           bool from_baseline, double failure);

}  // namespace cubicbench::search
