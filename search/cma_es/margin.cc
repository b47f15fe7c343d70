#include "search/cma_es/margin.h"

#include <algorithm>

#include "search/cma_es/even_levels.h"
#include "sim/base/check.h"
#include "support/statistics/normal.h"

namespace cubicbench::search {
namespace {

/// The deviations from the mean beyond which a normal variable lies, on one side, with probability
/// `p` < 0.5.
double reach(double p) { return -support::normal_quantile(p); }

}  // namespace

Margin::Margin(std::vector<std::int64_t> levels, double margin)
    : levels_(std::move(levels)), stretch_(levels_.size(), 1.0), margin_(margin) {
  SIM_ASSERT(margin > 0.0 && margin < 0.5, margin);
}

double Margin::place(const NormalCloud& cloud, std::span<const double> sample,
                     std::size_t coordinate) const {
  const double mean = cloud.mean()[coordinate];
  return mean + (sample[coordinate] - mean) * stretch_[coordinate];
}

Margin::Cell Margin::cell_of(std::size_t coordinate, double mean) const {
  const std::int64_t levels = levels_[coordinate];
  const std::int64_t level = nearest_level(mean, levels);
  return {.low = boundary_below(std::max<std::int64_t>(level, 1), levels),
          .high = boundary_below(std::min(level + 1, levels - 1), levels)};
}

void Margin::correct(NormalCloud& cloud) {
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const double mean = cloud.mean()[i];
    const Cell cell = cell_of(i, mean);
    const double deviation = cloud.sigma() * stretch_[i] * cloud.deviation(i);
    const double below = support::normal_cdf((cell.low - mean) / deviation);
    const double above = 1.0 - support::normal_cdf((cell.high - mean) / deviation);
    if (std::max(below, above) > 0.5) {
      correct_end(cloud, i, cell, below, above);
    } else if (cell.low < cell.high) {
      correct_inside(cloud, i, cell, below, above);
    }
  }
}

/// Of the first or last value: the mean moves towards the boundary.
void Margin::correct_end(NormalCloud& cloud, std::size_t coordinate, const Cell& cell, double below,
                         double above) const {
  if (std::min(below, above) >= margin_) return;
  const double distance =
      cloud.sigma() * stretch_[coordinate] * cloud.deviation(coordinate) * reach(margin_);
  const double mean = cloud.mean()[coordinate];
  cloud.set_mean(coordinate, mean < cell.high ? cell.high - distance : cell.high + distance);
}

/// Of a value between two others: mean and stretch, so that each side has half the margin at least.
void Margin::correct_inside(NormalCloud& cloud, std::size_t coordinate, const Cell& cell,
                            double below, double above) {
  constexpr double certain = 1e-10;
  const double half = margin_ / 2.0;
  const double inside = 1.0 - (below + above);
  below = std::max(below, half);
  above = std::max(above, half);
  const double excess = 1.0 - below - above - inside;  // at most 0
  const double spare = below + inside + above - 3.0 * half;
  below = std::clamp(below + excess * (below - half) / spare, certain, 0.5 - certain);
  above = std::clamp(above + excess * (above - half) / spare, certain, 0.5 - certain);
  const double down = reach(below);
  const double up = reach(above);
  stretch_[coordinate] =
      (cell.high - cell.low) / ((down + up) * cloud.sigma() * cloud.deviation(coordinate));
  cloud.set_mean(coordinate, (cell.low * up + cell.high * down) / (down + up));
}

}  // namespace cubicbench::search
