#pragma once

#include <cstdint>
#include <memory>

#include "search/searchers/policy.h"
#include "search/searchers/registry.h"
#include "search/searchers/surrogate.h"

namespace cubicbench::search {

struct PaperOptions {
  std::int64_t random = 0;  ///< jobs of the random round
  std::int64_t jobs_of_round = 0;
  std::int64_t policies = 0;
  double explore = 0.0;  ///< share of an early round that single networks choose
  SurrogateOptions surrogate{};
  ReinforceOptions reinforce{};
};

/// Rounds of jobs as the paper has them [CubicML]: a random one, then rounds that a policy, trained
/// by REINFORCE from scratch against networks that learnt from the finished jobs, thinks best.
std::unique_ptr<Searcher> paper_rounds(const SearchContext& context, const PaperOptions& options);

}  // namespace cubicbench::search
