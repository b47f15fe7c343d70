#include "support/statistics/bootstrap.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::support {
namespace {

/// Part of every recorded interval: never changes.
constexpr std::uint64_t resample_key = 0x62'61'6e'64;  // "band"

/// The positions that resample number `resample` takes of a list of positions.size() values.
void draw(std::int64_t resample, std::span<std::size_t> positions) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    positions[i] =
        static_cast<std::size_t>(sim::uniform_below({.seed = resample_key,
                                                     .purpose = sim::Purpose::bootstrap,
                                                     .entity = static_cast<std::uint64_t>(resample),
                                                     .draw = static_cast<std::uint32_t>(i)},
                                                    positions.size()));
  }
}

/// The i-th value of a resample of a group at place `place` of resample number `resample`.
double drawn_value(std::span<const double> values, std::int64_t resample, std::size_t place,
                   std::size_t i) {
  const sim::Draw draw{.seed = resample_key + place + 1,
                       .purpose = sim::Purpose::bootstrap,
                       .entity = static_cast<std::uint64_t>(resample),
                       .draw = static_cast<std::uint32_t>(i)};
  return values[static_cast<std::size_t>(sim::uniform_below(draw, values.size()))];
}

double drawn_mean(std::span<const double> values, std::int64_t resample, std::size_t place) {
  double sum = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += drawn_value(values, resample, place, i);
  return sum / static_cast<double>(values.size());
}

Interval interval_of(const std::vector<double>& centres) {
  constexpr double outside = (1.0 - bootstrap_level) / 2.0;
  return {.low = quantile(centres, outside), .high = quantile(centres, 1.0 - outside)};
}

std::vector<Interval> intervals_of(std::span<const std::span<const double>> lists,
                                   std::int64_t resamples, Centre centre) {
  const std::size_t count = lists.front().size();
  SIM_ASSERT(count > 0, lists.size());
  SIM_ASSERT(resamples >= 1, resamples);
  std::vector<std::vector<double>> centres(lists.size());
  std::vector<double> drawn(count);
  std::vector<std::size_t> positions(count);
  for (std::int64_t resample = 0; resample < resamples; ++resample) {
    draw(resample, positions);
    for (std::size_t list = 0; list < lists.size(); ++list) {
      SIM_ASSERT(lists[list].size() == count, lists[list].size(), count);
      for (std::size_t i = 0; i < count; ++i) drawn[i] = lists[list][positions[i]];
      centres[list].push_back(centre == Centre::median ? median(drawn) : mean(drawn));
    }
  }
  std::vector<Interval> intervals(lists.size());
  std::ranges::transform(centres, intervals.begin(), interval_of);
  return intervals;
}

}  // namespace

Interval bootstrap_interval(std::span<const double> values, std::int64_t resamples, Centre centre) {
  return intervals_of({&values, 1}, resamples, centre).front();
}

std::vector<Interval> bootstrap_means(std::span<const std::vector<double>> lists,
                                      std::int64_t resamples) {
  if (lists.empty()) return {};
  const std::vector<std::span<const double>> views(lists.begin(), lists.end());
  return intervals_of(views, resamples, Centre::mean);
}

Interval bootstrap_nested(std::span<const std::vector<double>> groups, std::int64_t resamples) {
  SIM_ASSERT(!groups.empty());
  SIM_ASSERT(resamples >= 1, resamples);
  std::vector<std::size_t> positions(groups.size());
  std::vector<double> centres;
  for (std::int64_t resample = 0; resample < resamples; ++resample) {
    draw(resample, positions);
    double sum = 0.0;
    for (std::size_t place = 0; place < positions.size(); ++place) {
      const std::vector<double>& group = groups[positions[place]];
      SIM_ASSERT(!group.empty(), positions[place]);
      sum += drawn_mean(group, resample, place);
    }
    centres.push_back(sum / static_cast<double>(groups.size()));
  }
  return interval_of(centres);
}

Interval bootstrap_stratified(std::span<const std::vector<double>> groups, std::int64_t resamples,
                              const GroupedStatistic& statistic) {
  SIM_ASSERT(!groups.empty());
  SIM_ASSERT(resamples >= 1, resamples);
  std::vector<std::vector<double>> drawn(groups.begin(), groups.end());
  std::vector<double> centres;
  for (std::int64_t resample = 0; resample < resamples; ++resample) {
    for (std::size_t place = 0; place < groups.size(); ++place) {
      SIM_ASSERT(!groups[place].empty(), place);
      for (std::size_t i = 0; i < drawn[place].size(); ++i) {
        drawn[place][i] = drawn_value(groups[place], resample, place, i);
      }
    }
    centres.push_back(statistic(drawn));
  }
  return interval_of(centres);
}

}  // namespace cubicbench::support
