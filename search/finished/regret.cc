#include "search/finished/regret.h"

#include "datasets/exhaustive/best_found.h"
#include "sim/base/check.h"

namespace cubicbench::search {

using scenarios::Direction;
using scenarios::Reason;
using scenarios::TrueValue;

std::optional<RegretScale> regret_scale(const datasets::Enumeration& space, Direction direction) {
  if (!space.optimum || !space.optimum->certified) return std::nullopt;
  if (space.quantiles.size() != datasets::quantile_count) return std::nullopt;
  const RegretScale scale{
      .best = space.optimum->value,
      .reference = space.quantiles[datasets::quantile_count / 2],
      .failure = direction == Direction::maximize ? 0.0 : space.quantiles.back()};
  if (!datasets::is_better(scale.best, scale.reference, direction)) return std::nullopt;
  return scale;
}

double regret_of(double value, const RegretScale& scale) {
  return (scale.best - value) / (scale.best - scale.reference);
}

std::vector<std::optional<std::size_t>> recommendations(const StudyResult& study) {
  const auto better = [&](const StudyLaunch& a, const StudyLaunch& b) {
    return datasets::is_better(*a.value, *b.value, study.objective.direction) ||
           (*a.value == *b.value && a.trial < b.trial);
  };
  std::vector<std::optional<std::size_t>> recommended;
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < study.launches.size(); ++i) {
    const StudyLaunch& launch = study.launches[i];
    if (launch.value && (!best || better(launch, study.launches[*best]))) best = i;
    recommended.push_back(best);
  }
  return recommended;
}

std::optional<StudyRegret> study_regret(const StudyResult& study,
                                        std::span<const std::optional<TrueValue>> truths,
                                        const RegretScale& scale) {
  SIM_ASSERT(truths.size() == study.launches.size(), truths.size(), study.launches.size());
  if (study.launches.empty()) return std::nullopt;
  StudyRegret regret;
  for (const std::optional<std::size_t>& at : recommendations(study)) {
    double worth = scale.failure;
    double observed = scale.failure;
    if (at) {
      const std::optional<TrueValue>& truth = truths[*at];
      if (!truth) return std::nullopt;
      // A launch may end where the configuration without noise does not, as at a time limit.
      if (truth->reason == Reason::none) worth = truth->value;
      observed = *study.launches[*at].value;
    }
    regret.recommended.push_back(regret_of(worth, scale));
    regret.observed.push_back(regret_of(observed, scale));
  }
  return regret;
}

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

}  // namespace cubicbench::search
