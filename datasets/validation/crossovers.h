#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/validation/validated_row.h"

namespace cubicbench::datasets {

/// The size from which on a collective is bound by bandwidth, measured and simulated: where two
/// lines meet that fit its curve, which is where the library changes algorithm and protocol.
struct Crossover {
  std::string source, system, collective;
  std::int64_t gpus = 0;
  double measured = 0.0;            ///< bytes
  std::optional<double> simulated;  ///< of the simulated times at the same sizes
};

/// The larger over the smaller of measured and simulated; nothing where the simulated curve has no
/// two lines that cross at one of its sizes.
std::optional<double> factor_of(const Crossover& crossover);

/// One a curve (source, system, operation, number of GPUs) of eight sizes or more that has two
/// regimes: two lines fit it with at most half the squared error of one, they cross between
/// measured sizes, and the second costs at most two thirds as much a byte. Messages between pairs
/// have no algorithms and are left out. In the order in which curves first appear.
std::vector<Crossover> crossovers_of(const Validation& validation);

/// In the order of factor_of(), the largest first; before all those that have none.
std::vector<Crossover> worst_first(std::vector<Crossover> crossovers);

/// Time of one message size.
struct SizedTime {
  double size = 0.0;  ///< bytes, above zero
  double time = 0.0;  ///< in any unit, above zero
};

/// start + size * per_byte, neither negative.
struct StartedLine {
  double start = 0.0;
  double per_byte = 0.0;
};

/// The lesser of two lines: one that starts sooner, and one that costs less a byte.
struct TwoLines {
  StartedLine low, high;
  double crossing = 0.0;   ///< size at which they meet, bytes
  double error = 0.0;      ///< sum of the squared logarithms of (lines / time)
  double error_one = 0.0;  ///< of the best single line instead
};

/// Fits a curve by two regimes: for every way to cut it in two, a line to each part by least
/// squares of relative errors, and of all cuts the one whose lesser line is nearest to all points.
/// Nothing where the upper part never is the cheaper a byte and dearer to start. Requires points
/// sorted by size, no size twice; three on either side of a cut.
std::optional<TwoLines> fit_two_lines(std::span<const SizedTime> curve);

/// How many there are, and which share of them is simulated within this factor.
inline constexpr double crossover_factor = 3.0;
struct CrossoverSummary {
  std::int64_t n = 0;
  std::optional<double> within;         ///< share; nothing of none
  std::optional<double> median_factor;  ///< of those that both have
};
CrossoverSummary summary_of(const std::vector<Crossover>& crossovers);

}  // namespace cubicbench::datasets
