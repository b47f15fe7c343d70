#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/landscape/explained_variance.h"
#include "datasets/landscape/hill_climb.h"
#include "datasets/landscape/judge.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// What is asked about a space.
struct LandscapeQuestion {
  std::uint64_t rows = 20'000;  ///< configurations to draw; no more than the space has
  scenarios::Direction direction = scenarios::Direction::maximize;
  scenarios::TrueValue baseline{};                 ///< what the others are held against
  std::optional<std::uint64_t> baseline_number{};  ///< nothing: outside the space
};

/// Ends that a noise-free value can have, in the order in which they are shown.
inline constexpr std::array landscape_ends{scenarios::Reason::none,     scenarios::Reason::oom_init,
                                           scenarios::Reason::oom_late, scenarios::Reason::timeout,
                                           scenarios::Reason::invalid,  scenarios::Reason::numeric};

inline constexpr std::array landscape_quantiles{0.05, 0.25, 0.5, 0.75, 0.95};

/// "ok", or the reason.
std::string_view end_name(scenarios::Reason reason);

/// How much of Var(log y) hangs on one parameter.
struct Importance {
  std::string_view name{};              ///< of the parameter
  std::size_t levels = 0;               ///< values that run, being inactive among them
  std::optional<double> main{};         ///< by itself; support/statistics/main_effect.h
  std::optional<double> total{};        ///< with all that it takes part in; total_effects.h
  std::optional<double> total_error{};  ///< standard error of `total`
};

/// Where climbs that change one parameter at a time end.
struct Climbs {
  std::optional<Summit> from_baseline{};        ///< nothing where it is outside or does not run
  std::optional<Summit> from_baseline_pairs{};  ///< likewise, also changing two at a time
  std::uint64_t starts = 0;                     ///< rows that run, from which one climbs each
  std::uint64_t at_best = 0;                    ///< of these, climbs that end with the best known
  std::uint64_t ends = 0;                       ///< different configurations at which they end
};

/// What a search space looks like. Values are of the objective, logarithms natural.
struct Landscape {
  std::uint64_t configurations = 0;
  std::uint64_t rows = 0;
  std::array<std::uint64_t, landscape_ends.size()> ends{};  ///< rows each
  /// Of the rows that run; nothing where none does.
  std::optional<std::array<double, landscape_quantiles.size()>> quantiles{};
  std::vector<double> hundredths{};  ///< their quantiles 0, 0.01 .. 1; none without rows
  std::optional<double> best_drawn{};
  /// Rows that are better than the baseline, of those that run; nothing where it or no row runs.
  std::optional<double> share_better{};
  std::optional<Summit> best_known{};  ///< evaluations: rows and what the climb asked for
  std::uint64_t climbed = 0;           ///< evaluations of the climb
  Climbs climbs{};
  /// Of log values; nothing where few rows run.
  std::optional<ExplainedVariance> explained{};
  std::optional<double> log_variance{};  ///< nothing of fewer than two rows that run
  std::uint64_t total_rows = 0;          ///< rows that total effects are a mean over
  std::vector<Importance> importance{};  ///< one a parameter, in the space's order

  bool exhaustive() const { return rows == configurations; }
  double median() const { return (*quantiles)[landscape_quantiles.size() / 2]; }
  std::uint64_t running() const { return ends.front(); }
};

/// The parameter with the largest main effect, the first of equals; null where none is known.
const Importance* largest_main(const Landscape& landscape);

/// Draws rows uniformly and without repeats by a fixed key, and climbs from the best of them and
/// from the baseline. A pure function of its arguments. Requires a space with a configuration, and
/// values above 0.
Landscape landscape_of(const scenarios::SearchSpace& space, const Judge& judge,
                       const LandscapeQuestion& question);

/// The landscape of a scenario under the hidden constants of one instance.
struct ScenarioLandscape {
  scenarios::Scenario scenario;  ///< with the constants of the instance
  std::string truth_sha256;
  scenarios::TrueValue baseline;
  Landscape landscape;
};

/// Draws `rows` configurations on up to `threads` threads (0: all cores), which change nothing of
/// the answer. Requires a scenario with a model and with a configuration.
ScenarioLandscape scenario_landscape(const scenarios::Scenario& scenario, std::uint64_t instance,
                                     std::uint64_t rows, int threads);

}  // namespace cubicbench::datasets
