#include "search/finished/random_curve.h"

namespace cubicbench::search {

RandomCurve ideal_random(const datasets::Enumeration& space, std::size_t length,
                         Replacement replacement) {
  RandomCurve random;
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

std::optional<RandomCurve> launched_random(const datasets::Enumeration& space, std::size_t length,
                                           bool from_baseline, double failure) {
  const std::vector<datasets::RandomAfter>& known =
      from_baseline ? space.random_search.from_baseline : space.random_search.from_nothing;
  if (known.size() < length) return std::nullopt;
  RandomCurve random;
  for (std::size_t k = 0; k < length; ++k) {
    const datasets::RandomAfter& after = known[k];
    random.mean.push_back((1.0 - after.failing) * after.mean.value_or(0.0) +
                          after.failing * failure);
    random.error.push_back(after.error);
    random.p05.push_back(after.nine_tenths.worse.value_or(failure));
    random.p25.push_back(after.half.worse.value_or(failure));
    random.p75.push_back(after.half.better.value_or(failure));
    random.p95.push_back(after.nine_tenths.better.value_or(failure));
  }
  return random;
}

}  // namespace cubicbench::search
