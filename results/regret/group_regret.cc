#include "results/regret/group_regret.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "results/studies/launch_truths.h"
#include "support/statistics/bootstrap.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using scenarios::Direction;

/// As it was typed; the journal's searcher is not checked here.
bool with_replacement(const SearcherCurves& curves) {
  return curves.searcher.find(":replacement=1") != std::string::npos;
}

Replacement replacement_of(const StudyGroup& group) {
  bool any = false;
  bool all = true;
  for (const SearcherCurves& curves : group.searchers) {
    if (!is_random(curves.searcher)) continue;
    any = true;
    all = all && with_replacement(curves);
  }
  return any && all ? Replacement::with : Replacement::without;
}

std::vector<double> regrets_of(const std::vector<double>& values, const RegretScale& scale) {
  std::vector<double> regrets;
  regrets.reserve(values.size());
  for (const double value : values) regrets.push_back(regret_of(value, scale));
  return regrets;
}

/// A good value is a small regret: the quantiles change places.
ExactRandom regrets_of(const ExactRandom& best, const RegretScale& scale) {
  return {.mean = regrets_of(best.mean, scale),
          .p05 = regrets_of(best.p95, scale),
          .p25 = regrets_of(best.p75, scale),
          .p75 = regrets_of(best.p25, scale),
          .p95 = regrets_of(best.p05, scale)};
}

/// Is `value` as near to the optimum as a share of it?
bool within(double value, double best, double share) {
  return std::fabs(best - value) <= share * std::fabs(best);
}

StudyEnd end_of(const StudyResult& study, const GroupRegret& group, Direction direction,
                std::optional<double> baseline) {
  StudyEnd end{.study = &study,
               .tally = tally_of(study),
               .observed = {},
               .recommended = {},
               .gain = {},
               .regret = {},
               .random = {},
               .within_1_percent = {},
               .within_5_percent = {}};
  const auto truths = launch_truths(study);
  const auto recommended = recommendations(study, direction);
  const std::optional<std::size_t> last = recommended.empty() ? std::nullopt : recommended.back();
  if (last) {
    end.observed = study.launches[*last].value;
    const auto& truth = truths[*last];
    if (truth && truth->reason == scenarios::Reason::none) end.recommended = truth->value;
  }
  if (end.recommended && baseline && *baseline > 0.0) {
    const double more = *end.recommended - *baseline;
    end.gain = (direction == Direction::maximize ? more : -more) / *baseline;
  }
  if (!group.scale) return end;
  end.regret = study_regret(study, truths, *group.scale, direction);
  if (!end.regret) return end;
  const double best = group.scale->best;
  end.within_1_percent = end.recommended && within(*end.recommended, best, 0.01);
  end.within_5_percent = end.recommended && within(*end.recommended, best, 0.05);
  const std::size_t launches = study.launches.size();
  if (launches <= group.random.mean.size()) end.random = group.random.mean[launches - 1];
  return end;
}

void add_curve(const CurveOptions& options, SeriesRegret& series) {
  for (std::size_t k = 0;; ++k) {
    std::vector<double> at;
    for (const StudyEnd& end : series.ends) {
      if (end.regret && k < end.regret->recommended.size()) {
        at.push_back(end.regret->recommended[k]);
      }
    }
    if (at.empty() || 2 * at.size() < series.ends.size()) return;
    const Spread spread = *spread_of(at);
    series.mean.push_back(spread.mean);
    if (series.ends.size() == 1) continue;
    const support::Interval band =
        options.bootstrap > 0
            ? support::bootstrap_interval(at, options.bootstrap, support::Centre::mean)
            : support::Interval{.low = spread.low, .high = spread.high};
    series.low.push_back(band.low);
    series.high.push_back(band.high);
  }
}

/// What `number` says of each study that it says anything of.
template <typename Number>
std::vector<double> numbers_of(const std::vector<StudyEnd>& ends, Number number) {
  std::vector<double> numbers;
  for (const StudyEnd& end : ends) {
    const auto value = number(end);
    if (value) numbers.push_back(static_cast<double>(*value));
  }
  return numbers;
}

std::size_t longest(const StudyGroup& group) {
  std::size_t launches = 0;
  for (const SearcherCurves& curves : group.searchers) {
    for (const StudyResult* const study : curves.studies) {
      launches = std::max(launches, study->launches.size());
    }
  }
  return launches;
}

}  // namespace

std::optional<Spread> spread_of(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return Spread{.mean = support::mean(values),
                .low = support::quantile(values, 0.25),
                .high = support::quantile(values, 0.75)};
}

StudyTally SeriesRegret::tally() const {
  StudyTally sum;
  for (const StudyEnd& end : ends) add(end.tally, sum);
  return sum;
}

std::optional<Spread> SeriesRegret::final_regret() const {
  return spread_of(numbers_of(ends, [](const StudyEnd& end) {
    return end.regret ? std::optional(end.regret->recommended.back()) : std::nullopt;
  }));
}

std::optional<Spread> SeriesRegret::final_observed() const {
  return spread_of(numbers_of(ends, [](const StudyEnd& end) {
    return end.regret ? std::optional(end.regret->observed.back()) : std::nullopt;
  }));
}

std::optional<Spread> SeriesRegret::random() const {
  return spread_of(numbers_of(ends, [](const StudyEnd& end) { return end.random; }));
}

std::optional<Spread> SeriesRegret::gain() const {
  return spread_of(numbers_of(ends, [](const StudyEnd& end) { return end.gain; }));
}

std::optional<double> SeriesRegret::share_within_1_percent() const {
  return support::mean_if_any(
      numbers_of(ends, [](const StudyEnd& end) { return end.within_1_percent; }));
}

std::optional<double> SeriesRegret::share_within_5_percent() const {
  return support::mean_if_any(
      numbers_of(ends, [](const StudyEnd& end) { return end.within_5_percent; }));
}

GroupRegret group_regret(const StudyGroup& group, const KnownSpaces& spaces,
                         std::optional<double> baseline, const CurveOptions& options) {
  GroupRegret result;
  std::vector<const StudyResult*> studies;
  for (const SearcherCurves& curves : group.searchers) {
    studies.insert(studies.end(), curves.studies.begin(), curves.studies.end());
  }
  const Direction direction = studies.front()->objective.direction;
  result.known = spaces.of(studies);
  result.replacement = replacement_of(group);
  if (result.known.space) {
    result.scale = regret_scale(*result.known.space, direction);
    result.random_best = exact_random(*result.known.space, longest(group), result.replacement);
    result.random = regrets_of(result.random_best, *result.scale);
  }
  for (const SearcherCurves& curves : group.searchers) {
    SeriesRegret series{.series = curves.series, .ends = {}, .mean = {}, .low = {}, .high = {}};
    for (const StudyResult* const study : curves.studies) {
      series.ends.push_back(end_of(*study, result, direction, baseline));
    }
    add_curve(options, series);
    result.series.push_back(std::move(series));
  }
  return result;
}

}  // namespace cubicbench::results
