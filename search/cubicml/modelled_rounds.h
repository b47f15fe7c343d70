#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "search/searchers/policy.h"
#include "search/searchers/registry.h"

namespace cubicbench::search {

struct ModelledOptions {
  std::int64_t random = 0;  ///< jobs of the random round, the baseline one of them
  std::int64_t jobs_of_round = 0;
  std::size_t pairs = 0;   ///< candidates that differ from the best in two knobs
  std::size_t judged = 0;  ///< candidates whose uncertainty is worked out
  double curious = 0.0;    ///< share of a round that is chosen by expected improvement
  double doubt = 1.0;      ///< deviations of the score count so many times
  ReinforceOptions reinforce{};
};

/// Rounds of jobs with what the field has learnt since [CubicML]: the predictors are Gaussian
/// processes of speed, memory and time, whose uncertainty the policy's reward knows; the policy
/// goes on from round to round; neighbours of the best job stand beside what it drew; and each job
/// of a round counts with what those before it are expected to show.
std::unique_ptr<Searcher> modelled_rounds(const SearchContext& context,
                                          const ModelledOptions& options);

}  // namespace cubicbench::search
