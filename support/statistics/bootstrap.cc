#include "support/statistics/bootstrap.h"

#include <cstddef>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::support {
namespace {

/// Part of every recorded interval: never changes.
constexpr std::uint64_t resample_key = 0x62'61'6e'64;  // "band"

}  // namespace

Interval bootstrap_interval(std::span<const double> values, std::int64_t resamples, Centre centre) {
  SIM_ASSERT(!values.empty(), values.size());
  SIM_ASSERT(resamples >= 1, resamples);
  constexpr double outside = (1.0 - bootstrap_level) / 2.0;
  std::vector<double> centres;
  std::vector<double> drawn(values.size());
  for (std::int64_t resample = 0; resample < resamples; ++resample) {
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      drawn[i] = values[sim::uniform_below({.seed = resample_key,
                                            .purpose = sim::Purpose::bootstrap,
                                            .entity = static_cast<std::uint64_t>(resample),
                                            .draw = static_cast<std::uint32_t>(i)},
                                           values.size())];
    }
    centres.push_back(centre == Centre::median ? median(drawn) : mean(drawn));
  }
  return {.low = quantile(centres, outside), .high = quantile(centres, 1.0 - outside)};
}

}  // namespace cubicbench::support
