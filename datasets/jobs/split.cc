#include "datasets/jobs/split.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "scenarios/readers/campaign_reader.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using support::InputError;

/// Positions of jobs, sorted.
using Positions = std::vector<std::size_t>;

/// The two sides of a split before anything is drawn.
struct Sides {
  Positions pool;
  Positions test;
};

/// Jobs at or below the cut may be learnt from, those above it are tested. Cuts fall between
/// distinct values only; of all of them the one that leaves nearest to `share` of the jobs below,
/// the lowest of equals. Nothing when there is one value.
std::optional<std::int64_t> cut_of(const Dataset& data, std::span<const std::size_t> jobs,
                                   std::int64_t Job::*value, double share) {
  std::map<std::int64_t, std::size_t> count;
  for (const std::size_t job : jobs) ++count[data.jobs[job].*value];
  const double wanted = share * static_cast<double>(jobs.size());
  std::optional<std::int64_t> best;
  double best_distance = 0.0;
  std::size_t below = 0;
  for (auto at = count.begin(); at != count.end() && std::next(at) != count.end(); ++at) {
    below += at->second;
    const double distance = std::abs(static_cast<double>(below) - wanted);
    if (!best || distance < best_distance) {
      best = at->first;
      best_distance = distance;
    }
  }
  return best;
}

Sides sides_by(std::span<const std::size_t> jobs,
               const std::function<bool(std::size_t)>& is_tested) {
  Sides sides;
  for (const std::size_t job : jobs) (is_tested(job) ? sides.test : sides.pool).push_back(job);
  return sides;
}

Sides cut_sides(const Dataset& data, std::span<const std::size_t> jobs, std::int64_t Job::*value,
                double share, const std::string& where, const char* values) {
  const std::optional<std::int64_t> cut = cut_of(data, jobs, value, share);
  if (!cut) {
    throw InputError(where, std::string("expected jobs of at least two ") + values + ", got one");
  }
  return sides_by(jobs, [&](std::size_t job) { return data.jobs[job].*value > *cut; });
}

Sides left_out_sides(const Dataset& data, std::span<const std::size_t> jobs,
                     std::string Job::*value, std::uint64_t repeat, const std::string& where,
                     const char* values) {
  std::set<std::string> distinct;
  for (const std::size_t job : jobs) distinct.insert(data.jobs[job].*value);
  if (distinct.size() < 2) {
    throw InputError(where, std::string("expected jobs of at least two ") + values +
                                ", got one, \"" + support::shortened(*distinct.begin()) + "\"");
  }
  const auto left_out =
      std::next(distinct.begin(), static_cast<std::ptrdiff_t>(repeat % distinct.size()));
  return sides_by(jobs, [&](std::size_t job) { return data.jobs[job].*value == *left_out; });
}

/// The jobs of each configuration, in the order of their first.
std::vector<Positions> by_configuration(const Dataset& data, std::span<const std::size_t> jobs) {
  std::map<std::uint64_t, std::size_t> group_of;
  std::vector<Positions> groups;
  for (const std::size_t job : jobs) {
    const auto [group, is_new] = group_of.try_emplace(data.jobs[job].configuration, groups.size());
    if (is_new) groups.emplace_back();
    groups[group->second].push_back(job);
  }
  return groups;
}

/// Whole configurations in random order, those that still fit into `size` jobs; the one with the
/// fewest repeats where none fits, so that something is drawn. Requires a job.
Positions drawn(const Dataset& data, std::span<const std::size_t> pool, std::size_t size,
                std::uint64_t repeat) {
  std::vector<Positions> groups = by_configuration(data, pool);
  sim::shuffle(groups, {.seed = repeat, .purpose = sim::Purpose::split});
  Positions taken;
  for (const Positions& group : groups) {
    if (taken.size() + group.size() <= size) taken.insert(taken.end(), group.begin(), group.end());
  }
  if (taken.empty()) taken = *std::ranges::min_element(groups, {}, &Positions::size);
  std::ranges::sort(taken);
  return taken;
}

Positions without(std::span<const std::size_t> jobs, std::span<const std::size_t> sorted_others) {
  Positions rest;
  for (const std::size_t job : jobs) {
    if (!std::ranges::binary_search(sorted_others, job)) rest.push_back(job);
  }
  return rest;
}

Split random_split(const Dataset& data, std::span<const std::size_t> jobs, std::size_t train,
                   std::uint64_t repeat, const std::string& where) {
  const std::size_t tested_min = (jobs.size() + 9) / 10;
  Split split;
  split.learnable = jobs.size() - tested_min;
  split.train = drawn(data, jobs, std::min(train, split.learnable), repeat);
  split.test = without(jobs, split.train);
  if (split.test.empty()) {
    throw InputError(where, "expected jobs of at least two configurations, got one");
  }
  return split;
}

/// Of every kind but `random`.
Sides sides_of(const Dataset& data, std::span<const std::size_t> jobs, SplitKind kind,
               std::uint64_t repeat, const std::string& where) {
  switch (kind) {
    case SplitKind::time:
      return cut_sides(data, jobs, &Job::when, 2.0 / 3.0, where, "days");
    case SplitKind::scale:
      return cut_sides(data, jobs, &Job::gpus, 0.5, where, "GPU counts");
    case SplitKind::workload:
      return left_out_sides(data, jobs, &Job::workload, repeat, where, "workloads");
    case SplitKind::cluster:
      return left_out_sides(data, jobs, &Job::cluster, repeat, where, "clusters");
    case SplitKind::searcher:
    case SplitKind::random:
      break;
  }
  return left_out_sides(data, jobs, &Job::searcher, repeat, where, "searchers");
}

/// Of the side that may be learnt from, the jobs whose configuration nobody tests.
Positions untested(const Dataset& data, const Sides& sides) {
  std::set<std::uint64_t> tested;
  for (const std::size_t job : sides.test) tested.insert(data.jobs[job].configuration);
  Positions pool;
  for (const std::size_t job : sides.pool) {
    if (!tested.contains(data.jobs[job].configuration)) pool.push_back(job);
  }
  return pool;
}

}  // namespace

static_assert(static_cast<std::size_t>(SplitKind::searcher) + 1 ==
              scenarios::prediction_splits.size());

std::span<const std::string_view> split_names() { return scenarios::prediction_splits; }

std::string_view name_of(SplitKind kind) { return split_names()[static_cast<std::size_t>(kind)]; }

Split split_of(const Dataset& data, std::span<const std::size_t> jobs, SplitKind kind,
               std::int64_t train, std::uint64_t repeat, const std::string& where) {
  SIM_ASSERT(train >= 1, train);
  const auto size = static_cast<std::size_t>(train);
  if (jobs.empty()) throw InputError(where, "expected jobs with a time, got none");
  if (kind == SplitKind::random) return random_split(data, jobs, size, repeat, where);
  const Sides sides = sides_of(data, jobs, kind, repeat, where);
  const Positions pool = untested(data, sides);
  if (pool.empty()) {
    throw InputError(where, "expected jobs to learn from whose configuration is not tested, got " +
                                std::to_string(sides.pool.size()) + " that are all repeats");
  }
  return {.train = drawn(data, pool, size, repeat), .test = sides.test, .learnable = pool.size()};
}

}  // namespace cubicbench::datasets
