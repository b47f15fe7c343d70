#include "datasets/landscape/total_effects.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "sim/base/philox.h"
#include "support/statistics/mean.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::SearchSpace;

/// Names what inactive parameters would have. Part of every recorded result: never changes.
constexpr std::uint64_t hidden_seed = 0x68696464656e;

constexpr std::size_t batch_rows = 256;

double hidden_probability(const scenarios::SearchSpace& space,
                          std::span<const std::int64_t> configuration) {
  double probability = 1.0;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (configuration[i] == scenarios::inactive) {
      probability /= static_cast<double>(space.parameters()[i].values.size());
    }
  }
  return probability;
}

/// `configuration` with a uniform value for inactive parameters.
Configuration held_of(const SearchSpace& space, const Configuration& configuration,
                      std::uint64_t number) {
  Configuration held = configuration;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i] != scenarios::inactive) continue;
    held[i] = static_cast<std::int64_t>(sim::uniform_below({.seed = hidden_seed,
                                                            .purpose = sim::Purpose::space_sample,
                                                            .entity = number,
                                                            .draw = static_cast<std::uint32_t>(i)},
                                                           space.parameters()[i].values.size()));
  }
  return held;
}

/// What is redrawn of one row: an entry a parameter.
using RowRedraws = std::vector<std::vector<Redraw>>;

RowRedraws redraws_of(const SearchSpace& space, std::uint64_t number) {
  Configuration configuration(space.size());
  space.configuration_at(number, configuration);
  const Configuration held = held_of(space, configuration, number);
  RowRedraws of_row;
  for (std::size_t i = 0; i < space.size(); ++i) {
    of_row.push_back(redraws(space, configuration, held, i));
  }
  return of_row;
}

/// Asks about all redraws of some rows at once.
JudgedValues values_of(const Judge& judge, const std::vector<RowRedraws>& rows) {
  std::vector<std::uint64_t> numbers;
  for (const RowRedraws& row : rows) {
    for (const std::vector<Redraw>& of_parameter : row) {
      std::ranges::transform(of_parameter, std::back_inserter(numbers), &Redraw::number);
    }
  }
  JudgedValues values(judge);
  values.ask(std::move(numbers));
  return values;
}

/// Variance of the logarithms of redraws that run, by weight; 0 where there is but one, or none.
double variance_among(const std::vector<Redraw>& redraws, const JudgedValues& values) {
  std::vector<double> logs;
  std::vector<double> weights;
  for (const Redraw& redraw : redraws) {
    const scenarios::TrueValue& value = values.of(redraw.number);
    if (value.reason != scenarios::Reason::none) continue;
    logs.push_back(sim::log(value.value));
    weights.push_back(redraw.weight);
  }
  return logs.empty() ? 0.0 : support::weighted_variance(logs, weights);
}

/// The mean is summed in shares of n: recorded landscapes have the bits of that order.
LeftVariance left_variance(const std::vector<double>& variances) {
  const auto n = static_cast<double>(variances.size());
  LeftVariance left;
  for (const double variance : variances) left.mean += variance / n;
  if (variances.size() < 2) return left;
  left.standard_error = std::sqrt(support::squares_about(variances, left.mean) / (n - 1.0) / n);
  return left;
}

}  // namespace

std::vector<Redraw> redraws(const scenarios::SearchSpace& space,
                            std::span<const std::int64_t> configuration,
                            std::span<const std::int64_t> held, std::size_t parameter) {
  if (configuration[parameter] == scenarios::inactive) return {};
  std::vector<Redraw> found;
  scenarios::Configuration drawn(space.size());
  for (std::int64_t value = 0; value < std::ssize(space.parameters()[parameter].values); ++value) {
    drawn.assign(held.begin(), held.end());
    drawn[parameter] = value;
    space.canonicalise(drawn);
    if (!space.satisfies(drawn)) continue;
    found.push_back({.number = space.number_of(drawn), .weight = hidden_probability(space, drawn)});
  }
  return found;
}

std::vector<LeftVariance> left_variances(const SearchSpace& space, const Judge& judge,
                                         std::span<const std::uint64_t> rows) {
  SIM_ASSERT(!rows.empty(), rows.size());
  std::vector<std::vector<double>> of_parameter(space.size());
  for (std::size_t begin = 0; begin < rows.size(); begin += batch_rows) {
    const std::size_t end = std::min(rows.size(), begin + batch_rows);
    std::vector<RowRedraws> batch;
    for (std::size_t i = begin; i < end; ++i) batch.push_back(redraws_of(space, rows[i]));
    const JudgedValues values = values_of(judge, batch);
    for (const RowRedraws& row : batch) {
      for (std::size_t i = 0; i < space.size(); ++i) {
        of_parameter[i].push_back(variance_among(row[i], values));
      }
    }
  }
  std::vector<LeftVariance> left;
  for (const std::vector<double>& variances : of_parameter) {
    left.push_back(left_variance(variances));
  }
  return left;
}

}  // namespace cubicbench::datasets
