#include "support/statistics/profile.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/base/philox.h"

namespace cubicbench::support {
namespace {

/// Part of every recorded runtime: never changes.
constexpr std::uint64_t restart_key = 0x72'65'73'74;  // "rest"

bool any_hit(std::span<const Runtime> runs) { return std::ranges::any_of(runs, &Runtime::hit); }

/// The least cost of a problem; nothing where every solver fails.
std::optional<double> least_cost(std::span<const std::vector<std::optional<double>>> costs,
                                 std::size_t problem) {
  std::optional<double> least;
  for (const auto& of_solver : costs) {
    const std::optional<double>& cost = of_solver[problem];
    if (cost && (!least || *cost < *least)) least = cost;
  }
  return least;
}

}  // namespace

std::vector<double> share_reaching(std::span<const double> values,
                                   std::span<const double> thresholds) {
  SIM_ASSERT(!values.empty(), thresholds.size());
  std::vector<double> shares;
  for (const double threshold : thresholds) {
    const auto reached = std::ranges::count_if(values, [&](double v) { return v >= threshold; });
    shares.push_back(static_cast<double>(reached) / static_cast<double>(values.size()));
  }
  return shares;
}

std::vector<std::vector<double>> performance_profiles(
    std::span<const std::vector<std::optional<double>>> costs, std::span<const double> ratios) {
  std::vector<std::vector<double>> profiles(costs.size(), std::vector<double>(ratios.size(), 0.0));
  if (costs.empty()) return profiles;
  const std::size_t problems = costs.front().size();
  SIM_ASSERT(problems > 0, problems);
  const double one = 1.0 / static_cast<double>(problems);
  for (std::size_t problem = 0; problem < problems; ++problem) {
    const std::optional<double> least = least_cost(costs, problem);
    for (std::size_t solver = 0; least && solver < costs.size(); ++solver) {
      const std::optional<double>& cost = costs[solver][problem];
      for (std::size_t i = 0; cost && i < ratios.size(); ++i) {
        if (*cost <= ratios[i] * *least) profiles[solver][i] += one;
      }
    }
  }
  return profiles;
}

std::vector<double> log_targets(double from, double to) {
  SIM_ASSERT(from > 0.0 && to > 0.0, from, to);
  std::vector<double> targets;
  for (int i = 0; i < target_count; ++i) {
    const double share = static_cast<double>(i) / (target_count - 1);
    targets.push_back(sim::exp((1.0 - share) * sim::log(from) + share * sim::log(to)));
  }
  targets.front() = from;
  targets.back() = to;
  return targets;
}

std::vector<std::optional<std::int64_t>> first_hits(std::span<const double> curve,
                                                    std::span<const double> targets) {
  std::vector<std::optional<std::int64_t>> hits;
  for (const double target : targets) {
    const auto found = std::ranges::find_if(curve, [&](double value) { return value <= target; });
    if (found == curve.end()) {
      hits.emplace_back();
    } else {
      hits.emplace_back(found - curve.begin() + 1);
    }
  }
  return hits;
}

std::vector<double> hits_within(std::span<const std::optional<std::int64_t>> hits,
                                std::int64_t launches) {
  SIM_ASSERT(!hits.empty(), launches);
  std::vector<double> shares;
  for (std::int64_t at = 1; at <= launches; ++at) {
    const auto within =
        std::ranges::count_if(hits, [&](const auto& hit) { return hit && *hit <= at; });
    shares.push_back(static_cast<double>(within) / static_cast<double>(hits.size()));
  }
  return shares;
}

std::optional<double> expected_runtime(std::span<const Runtime> runs) {
  if (!any_hit(runs)) return std::nullopt;
  std::int64_t launches = 0;
  for (const Runtime& run : runs) launches += run.launches;
  return static_cast<double>(launches) /
         static_cast<double>(std::ranges::count_if(runs, &Runtime::hit));
}

std::optional<std::vector<double>> simulated_restarts(std::span<const Runtime> runs,
                                                      std::int64_t count) {
  if (!any_hit(runs)) return std::nullopt;
  std::vector<double> runtimes;
  for (std::int64_t i = 0; i < count; ++i) {
    double launches = 0.0;
    for (std::uint32_t draw = 0;; ++draw) {
      const auto position = sim::uniform_below({.seed = restart_key,
                                                .purpose = sim::Purpose::bootstrap,
                                                .entity = static_cast<std::uint64_t>(i),
                                                .draw = draw},
                                               runs.size());
      const Runtime& run = runs[static_cast<std::size_t>(position)];
      launches += static_cast<double>(run.launches);
      if (run.hit) break;
    }
    runtimes.push_back(launches);
  }
  return runtimes;
}

}  // namespace cubicbench::support
