#include "results/bootstrap.h"

#include <cstddef>
#include <numeric>
#include <vector>

#include "results/search_curve.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"

namespace cubicbench::results {
namespace {

constexpr std::uint64_t resample_key = 0x62'61'6e'64;  // "band"

double centre_of(const std::vector<double>& values, Centre centre) {
  if (centre == Centre::median) return quantile(values, 0.5);
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

Interval bootstrap_interval(std::span<const double> values, std::int64_t resamples, Centre centre) {
  SIM_ASSERT(!values.empty(), values.size());
  SIM_ASSERT(resamples >= 1, resamples);
  std::vector<double> centres;
  std::vector<double> drawn(values.size());
  for (std::int64_t resample = 0; resample < resamples; ++resample) {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      drawn[i] = values[static_cast<std::size_t>(
          sim::uniform_below({.seed = resample_key,
                              .purpose = sim::Purpose::bootstrap,
                              .entity = static_cast<std::uint64_t>(resample),
                              .draw = static_cast<std::uint32_t>(i)},
                             values.size()))];
    }
    centres.push_back(centre_of(drawn, centre));
  }
  constexpr double outside = (1.0 - bootstrap_level) / 2.0;
  return {.low = quantile(centres, outside), .high = quantile(centres, 1.0 - outside)};
}

}  // namespace cubicbench::results
