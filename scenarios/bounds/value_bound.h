#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "scenarios/bounds/recommendation_bound.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::scenarios {

/// What branch and bound prunes with: how good the configurations of a part of a space can be at
/// best, told without looking at each of them.
///
/// `instance` must outlive it. Not to be shared by threads.
class ValueBound {
 public:
  explicit ValueBound(const Instance& instance);

  /// A value that the true value of no configuration is better than, of those whose parameters
  /// [0, decided) are as in `configuration`; what it says of the others is not read. Better is what
  /// the objective says: where it maximises this is an upper bound, where it minimises a lower one.
  /// The worst infinity where all of them fail, the best where nothing is known. Not below what
  /// rounding loses: a bound may exceed the best value by its last bits, never fall short of it.
  ///
  /// Who only asks whether a part reaches a value says so by `reached`: of a part that does not,
  /// any bound that is worse than that will do. By default, the worst infinity, every part does.
  ///
  /// Requires a canonical configuration as far as it is decided; decided <= size().
  double upper_bound(std::span<const std::int64_t> configuration, std::size_t decided);
  double upper_bound(std::span<const std::int64_t> configuration, std::size_t decided,
                     double reached);

 private:
  double best_infinity() const;

  const Instance& instance_;
  std::optional<RecommendationBound> recommendation_;  ///< where it is one, in closed form
  const sim::Transformer* transformer_ = nullptr;      ///< likewise
};

}  // namespace cubicbench::scenarios
