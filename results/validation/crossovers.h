#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/document/table.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

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
std::span<const Field<Crossover>> crossover_fields();

/// In the order of factor_of(), the largest first; before all those that have none.
std::vector<Crossover> worst_first(std::vector<Crossover> crossovers);

/// How many there are, and which share of them is simulated within this factor.
inline constexpr double crossover_factor = 3.0;
struct CrossoverSummary {
  std::int64_t n = 0;
  std::optional<double> within;         ///< share; nothing of none
  std::optional<double> median_factor;  ///< of those that both have
};
CrossoverSummary summary_of(const std::vector<Crossover>& crossovers);

}  // namespace cubicbench::results
