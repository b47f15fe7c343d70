#include "search/finished/regret.h"

#include "datasets/exhaustive/best_found.h"
#include "search/finished/charged_launches.h"
#include "sim/base/check.h"
#include "support/input_error.h"

namespace cubicbench::search {

using scenarios::Direction;
using scenarios::Reason;
using scenarios::TrueValue;

namespace {

/// The measurements of each configuration of a study.
class MeasuredMeans {
 public:
  explicit MeasuredMeans(const StudyResult& study)
      : study_(study), of_config_(study.configs.size()) {}

  /// A launch that succeeded.
  void add(std::size_t launch) {
    Measurements& of = of_config_[config_of(launch)];
    const bool is_new = of.count == 0;
    if (is_new) of.first = launch;
    of.sum += *study_.launches[launch].value;
    ++of.count;
    if (is_new && best_) {
      if (better(of, of_config_[config_of(*best_)])) best_ = launch;
    } else {
      best_ = best_of_all();
    }
  }

  std::optional<Recommendation> best() const {
    return best_ ? std::optional(of_config_[config_of(*best_)].recommendation()) : std::nullopt;
  }

  Recommendation of(const ConfigText& config) const {
    const std::optional<ConfigId> id = study_.configs.find(config);
    if (!id || of_config_[index_of(*id)].count == 0) {
      throw support::InputError(study_.file,
                                "expected the recommendation of a configuration that was "
                                "launched and ran, got another");
    }
    return of_config_[index_of(*id)].recommendation();
  }

 private:
  struct Measurements {
    std::size_t first = 0;
    double sum = 0.0;
    std::int64_t count = 0;
    double mean() const { return sum / static_cast<double>(count); }
    Recommendation recommendation() const { return {.launch = first, .measured = mean()}; }
  };

  std::size_t config_of(std::size_t launch) const {
    return index_of(study_.launches[launch].config);
  }

  bool better(const Measurements& a, const Measurements& b) const {
    return datasets::is_better(a.mean(), b.mean(), study_.objective.direction) ||
           (a.mean() == b.mean() &&
            study_.launches[a.first].trial < study_.launches[b.first].trial);
  }

  /// A mean may have fallen. No two have the same trial.
  std::size_t best_of_all() const {
    const Measurements* best = nullptr;
    for (const Measurements& of : of_config_) {
      if (of.count > 0 && (best == nullptr || better(of, *best))) best = &of;
    }
    return best->first;
  }

  const StudyResult& study_;
  std::vector<Measurements> of_config_;
  std::optional<std::size_t> best_;  ///< the first launch of the best
};

}  // namespace

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

std::vector<std::optional<Recommendation>> recommendations(const StudyResult& study) {
  std::vector<std::optional<Recommendation>> recommended;
  MeasuredMeans means(study);
  for (const ChargedPlace& place : charged_places(study)) {
    if (place.whole && study.launches[*place.whole].value) means.add(*place.whole);
    recommended.push_back(means.best());
  }
  if (study.stated && !recommended.empty()) recommended.back() = means.of(*study.stated);
  return recommended;
}

std::optional<StudyRegret> study_regret(const StudyResult& study,
                                        std::span<const std::optional<Recommendation>> recommended,
                                        std::span<const std::optional<TrueValue>> truths,
                                        const RegretScale& scale) {
  SIM_ASSERT(truths.size() == study.launches.size(), truths.size(), study.launches.size());
  if (study.launches.empty()) return std::nullopt;
  StudyRegret regret;
  for (const std::optional<Recommendation>& at : recommended) {
    double worth = scale.failure;
    double observed = scale.failure;
    if (at) {
      const std::optional<TrueValue>& truth = truths[at->launch];
      if (!truth) return std::nullopt;
      // A launch may end where the configuration without noise does not, as at a time limit.
      if (truth->reason == Reason::none) worth = truth->value;
      observed = at->measured;
    }
    regret.recommended.push_back(regret_of(worth, scale));
    regret.observed.push_back(regret_of(observed, scale));
  }
  return regret;
}

}  // namespace cubicbench::search
