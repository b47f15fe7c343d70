#include "results/regret/exact_random.h"

namespace cubicbench::results {

ExactRandom exact_random(const datasets::Enumeration& space, std::size_t length,
                         Replacement replacement) {
  ExactRandom random;
  for (const datasets::BestOfK& best : space.best_of_k) {
    if (random.mean.size() == length) break;
    const bool with = replacement == Replacement::with;
    random.mean.push_back(with ? best.with_replacement : best.without_replacement);
    const auto& quantiles = with ? best.with_quantiles : best.without_quantiles;
    if (!quantiles) continue;
    random.p05.push_back(quantiles->p05);
    random.p25.push_back(quantiles->p25);
    random.p75.push_back(quantiles->p75);
    random.p95.push_back(quantiles->p95);
  }
  return random;
}

}  // namespace cubicbench::results
