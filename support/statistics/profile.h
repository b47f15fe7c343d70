#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cubicbench::support {

/// Share of `values` that reach each of `thresholds`: the performance profile of scores
/// [Agarwal21, section 4.2]. Requires a value.
std::vector<double> share_reaching(std::span<const double> values,
                                   std::span<const double> thresholds);

/// Dolan and More's performance profile [DolanMore02]: costs[s][p] is what solver s needs for
/// problem p, nothing where it fails. Entry [s][i] is the share of problems that s solves within
/// ratios[i] times the least cost of any solver; problems that nobody solves count as unsolved.
std::vector<std::vector<double>> performance_profiles(
    std::span<const std::vector<std::optional<double>>> costs, std::span<const double> ratios);

/// 51 targets from `from` to `to`, evenly spaced in their logarithm, both ends included, as COCO's
/// empirical distributions have them [Hansen16]. Requires both above 0.
std::vector<double> log_targets(double from, double to);
inline constexpr int target_count = 51;

/// After how many launches a curve, such as regret after each launch, first is at or below each
/// target; nothing where it never is.
std::vector<std::optional<std::int64_t>> first_hits(std::span<const double> curve,
                                                    std::span<const double> targets);

/// The empirical distribution of runtimes [Hansen16]: entry b is the share of all hits, over runs
/// and targets, that took at most b + 1 launches. Requires a hit or a miss.
std::vector<double> hits_within(std::span<const std::optional<std::int64_t>> hits,
                                std::int64_t launches);

/// Launches of one run until the target, or all that it made without reaching it.
struct Runtime {
  std::int64_t launches = 0;
  bool hit = false;
};

/// The expected runtime to a target of independent restarts [Hansen16]: launches of all runs, up to
/// the target where they reach it, over the number of runs that do; nothing where none does.
std::optional<double> expected_runtime(std::span<const Runtime> runs);

/// `count` runtimes of simulated restarts [Hansen16]: runs are drawn with replacement until one
/// hits, and their launches added. The draws have a fixed key. Nothing where no run hits.
std::optional<std::vector<double>> simulated_restarts(std::span<const Runtime> runs,
                                                      std::int64_t count);

}  // namespace cubicbench::support
