#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "datasets/exhaustive/best_of_k_quantiles.h"
#include "datasets/exhaustive/enumeration.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/truth/instance.h"
#include "search/finished/study_set.h"

namespace cubicbench::search {

/// What regret is measured by: three true values of one space on one instance.
struct RegretScale {
  double best = 0.0;       ///< f*, the optimum
  double reference = 0.0;  ///< f_ref, the median of the configurations that do not fail
  /// What a configuration that fails counts as, and what stands for f(rec) while nothing has
  /// succeeded: throughput 0 where more is better, the worst true value of the space where less is.
  double failure = 0.0;

  bool operator==(const RegretScale&) const = default;
};

/// The scale of a space all of whose configurations were valued. Nothing where the optimum is not
/// certified, nothing runs, or the optimum is no better than the median, so that nothing can be
/// divided by what lies between them.
std::optional<RegretScale> regret_scale(const datasets::Enumeration& space,
                                        scenarios::Direction direction);

/// The normalised simple regret of a value f:
///
///   r = (f* - f) / (f* - f_ref)
///
/// 0 is the optimum, 1 the median of what runs, and more is worse. Where less is better both
/// differences change their sign, so that the same formula holds.
/// Sources: docs/regret.md.
double regret_of(double value, const RegretScale& scale);

/// Regrets after each launch: entry b - 1 belongs to b launches, failed ones counted.
struct StudyRegret {
  /// Of the recommendation, whose value is taken without noise.
  std::vector<double> recommended;
  /// Of the best measured value itself, noise included: below 0 where it beats the optimum.
  std::vector<double> observed;
};

/// The recommendation after each launch: position of the launch with the best measured value so
/// far, among equal ones that of the lowest trial; nothing before the first success.
std::vector<std::optional<std::size_t>> recommendations(const StudyResult& study);

/// The regrets of a study. Nothing where it has no launch, or what a recommendation is worth is not
/// known. `truths` has an entry a launch.
std::optional<StudyRegret> study_regret(const StudyResult& study,
                                        std::span<const std::optional<scenarios::TrueValue>> truths,
                                        const RegretScale& scale);

using datasets::Replacement;

/// The exact distribution of the best true value among k configurations drawn at random from a
/// space all of whose configurations were valued: not an average over searches that ran. Entry
/// k - 1 belongs to k draws. A draw that fails counts as RegretScale::failure.
struct ExactRandom {
  std::vector<double> mean;
  /// With these probabilities the best is no better: 5, 25, 75 and 95 %.
  std::vector<double> p05;
  std::vector<double> p25;
  std::vector<double> p75;
  std::vector<double> p95;
};

/// The distribution for k = 1 .. length; shorter where the enumeration has fewer best_of_k, empty
/// where it has none. Without replacement more draws than there are configurations find the best.
///
/// All of it stands in the enumeration; one of an earlier version has means alone, and the
/// quantiles are empty.
ExactRandom exact_random(const datasets::Enumeration& space, std::size_t length,
                         Replacement replacement);

}  // namespace cubicbench::search
