#include "sim/program/slowest_rank.h"

#include <algorithm>
#include <cmath>

#include "sim/base/slowest.h"
#include "sim/base/units.h"

namespace cubicbench::sim {

SlowestRank slowest_rank(const ArchWork& work, const Plan& plan, std::int64_t ranks) {
  const WorkSpread& spread = work.spread;
  if (plan.length_balancing || ranks == 1 || spread.tokens <= 0.0) return {};
  const double alone = (1.0 - spread.together) / real(plan.batch_per_gpu);
  const double out = latest_of(ranks) * std::sqrt(spread.together + alone);
  return {.tokens = std::min(1.0 + out * spread.tokens, spread.most),
          .attention = std::min(1.0 + out * spread.attention, spread.most_attention)};
}

}  // namespace cubicbench::sim
