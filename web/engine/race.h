#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"
#include "search/finished/random_curve.h"

namespace cubicbench::web {

inline constexpr std::int64_t race_launches_max = 100'000;
inline constexpr std::int64_t seed_max = 1'000'000'000;

/// Searchers that search one problem side by side, each with a budget of its own.
struct RaceAsked {
  std::string scenario;  ///< name, NAME@K or path
  std::vector<std::string> sets{};
  std::vector<std::string> searchers;
  std::int64_t launches = 1;
  std::int64_t seed = 0;
  std::int64_t instance = 0;
};

/// A launch as the page draws it.
struct RacedLaunch {
  search::Finished finished;
  std::optional<double> best{};  ///< noise-free, of the best measured so far
  double gpu_hours = 0.0;        ///< since the start
};

class Racer;

/// Studies of one problem, as `search` runs them, that go on by a few launches at a time.
class Race {
 public:
  /// Throws InputError, as `search` does.
  explicit Race(const RaceAsked& asked);
  Race(const Race&) = delete;
  Race& operator=(const Race&) = delete;
  ~Race();

  /// Up to so many more launches of each; what they came to, one entry a searcher.
  std::vector<std::vector<RacedLaunch>> step(std::int64_t launches);

  bool is_done() const;
  const std::vector<std::unique_ptr<Racer>>& racers() const { return racers_; }
  const scenarios::Scenario& scenario() const { return scenario_; }
  std::optional<double> baseline_value() const;

  /// What is known of the whole space, without noise; nothing where it is too large to be valued
  /// and no reference ships.
  const std::optional<datasets::Enumeration>& space() const { return space_; }
  /// Of as many launches as the race has. Nothing where the space is not known.
  std::optional<search::RandomCurve> random() const;

 private:
  RaceAsked asked_;
  scenarios::Scenario scenario_;
  std::string truth_sha256_;
  std::optional<datasets::Enumeration> space_;
  std::vector<std::unique_ptr<Racer>> racers_;
};

}  // namespace cubicbench::web
