#include "datasets/exhaustive/best_of_k_quantiles.h"

#include <algorithm>
#include <array>

#include "datasets/exhaustive/best_rank.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array<double, 4> shares{0.05, 0.25, 0.75, 0.95};
constexpr std::size_t answers_of_k = 2 * shares.size();

BestQuantiles quantiles_at(const double* answers) {
  return {.p05 = answers[0], .p25 = answers[1], .p75 = answers[2], .p95 = answers[3]};
}

}  // namespace

BestOfKQuantiles::BestOfKQuantiles(scenarios::Direction direction, std::uint64_t configurations,
                                   std::uint64_t failed, std::int64_t k_max, int threads)
    : asked_(static_cast<std::size_t>(k_max) * answers_of_k), answers_(asked_.size()) {
  support::parallel_for(static_cast<std::size_t>(k_max), threads, [&](std::size_t m) {
    for (std::size_t i = 0; i < answers_of_k; ++i) {
      const Replacement replacement = i < shares.size() ? Replacement::with : Replacement::without;
      const std::uint64_t from_worst =
          best_rank(configurations, m + 1, shares[i % shares.size()], replacement);
      std::uint64_t rank = from_worst <= failed ? 0 : from_worst - failed;
      if (rank > 0 && direction == scenarios::Direction::minimize) {
        rank = configurations - failed - rank + 1;
      }
      const std::size_t answer = m * answers_of_k + i;
      asked_[answer] = {.rank = rank, .answer = answer};
    }
  });
  std::ranges::sort(asked_, {}, &Asked::rank);
}

void BestOfKQuantiles::give(double failure, std::vector<BestOfK>& list) {
  for (const Asked& asked : asked_) {
    if (asked.rank > 0) break;
    answers_[asked.answer] = failure;
  }
  for (std::size_t m = 0; m < list.size(); ++m) {
    const double* const answers = &answers_[m * answers_of_k];
    list[m].with_quantiles = quantiles_at(answers);
    list[m].without_quantiles = quantiles_at(answers + shares.size());
  }
}

}  // namespace cubicbench::datasets
