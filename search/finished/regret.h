#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

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

/// Regrets after each launch that was charged (charged_places): entry b - 1 belongs to b launches,
/// failed ones counted, short ones in part.
struct StudyRegret {
  /// Of the recommendation, whose value is taken without noise.
  std::vector<double> recommended;
  /// Of the best measured value itself, noise included: below 0 where it beats the optimum.
  std::vector<double> observed;
};

/// A configuration that is recommended.
struct Recommendation {
  std::size_t launch = 0;  ///< position of its first launch that succeeded
  double measured = 0.0;   ///< mean of its measurements

  bool operator==(const Recommendation&) const = default;
};

/// The recommendation after each launch that was charged (charged_places): the configuration with
/// the best mean of its measurements in whole launches so far, among equal ones that of the lowest
/// trial; nothing before the first success. After the last launch what the searcher stated, if it
/// did. Throws InputError where it stated what it never launched whole with success.
std::vector<std::optional<Recommendation>> recommendations(const StudyResult& study);

/// The regrets of a study, given its recommendations. Nothing where it has no launch, or what a
/// recommendation is worth is not known. `truths` has an entry a launch.
std::optional<StudyRegret> study_regret(const StudyResult& study,
                                        std::span<const std::optional<Recommendation>> recommended,
                                        std::span<const std::optional<scenarios::TrueValue>> truths,
                                        const RegretScale& scale);

}  // namespace cubicbench::search
