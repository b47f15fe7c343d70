#include "results/validation/rank_agreement.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "support/statistics/correlation.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

constexpr std::size_t rows_min = 5;
constexpr std::int64_t pairs_min = 5;
constexpr double clear_ratio = 1.05;  ///< measured throughputs that differ by more than noise
constexpr double good_share = 0.9;    ///< of the best measured throughput

/// Throughputs of the timed rows of one group.
struct Group {
  std::vector<double> measured, simulated;
};

std::map<std::string_view, Group> groups_of(std::span<const ValidatedRow* const> rows) {
  std::map<std::string_view, Group> groups;
  for (const ValidatedRow* row : rows) {
    if (row->kind == RowKind::collective || !row->rel_error) continue;
    Group& group = groups[row->group];
    group.measured.push_back(*row->throughput_measured);
    group.simulated.push_back(*row->throughput_simulated);
  }
  return groups;
}

std::optional<double> clear_pair_kendall(const Group& group) {
  std::int64_t pairs = 0;
  std::int64_t balance = 0;
  for (std::size_t i = 0; i < group.measured.size(); ++i) {
    for (std::size_t j = 0; j < group.measured.size(); ++j) {
      if (group.measured[i] <= clear_ratio * group.measured[j]) continue;
      ++pairs;
      balance += group.simulated[i] > group.simulated[j] ? 1 : 0;
      balance -= group.simulated[i] < group.simulated[j] ? 1 : 0;
    }
  }
  if (pairs < pairs_min) return std::nullopt;
  return static_cast<double>(balance) / static_cast<double>(pairs);
}

/// Of the rows that share the first place: their share of the best measured throughput, and how
/// many of them reach 90 % of it.
struct FirstPlace {
  double ratio = 0.0;
  double good = 0.0;
};

FirstPlace first_place(const Group& group) {
  const double best = *std::ranges::max_element(group.measured);
  const double first = *std::ranges::max_element(group.simulated);
  FirstPlace place;
  double sharers = 0.0;
  for (std::size_t i = 0; i < group.measured.size(); ++i) {
    if (group.simulated[i] != first) continue;
    sharers += 1.0;
    place.ratio += group.measured[i] / best;
    place.good += group.measured[i] >= good_share * best ? 1.0 : 0.0;
  }
  return {.ratio = place.ratio / sharers, .good = place.good / sharers};
}

}  // namespace

RankAgreement rank_agreement(std::span<const ValidatedRow* const> rows) {
  RankAgreement agreement;
  std::vector<double> taus;
  std::vector<double> clear_pairs;
  std::vector<double> ratios;
  std::vector<double> shares;
  for (const auto& [name, group] : groups_of(rows)) {
    if (const auto clear = clear_pair_kendall(group)) clear_pairs.push_back(*clear);
    if (group.measured.size() < rows_min) continue;
    ++agreement.groups;
    taus.push_back(support::kendall_tau_b(group.measured, group.simulated));
    const FirstPlace place = first_place(group);
    ratios.push_back(place.ratio);
    shares.push_back(place.good);
  }
  agreement.kendall_median = support::median_if_any(taus);
  agreement.pair_kendall_5pct = support::median_if_any(clear_pairs);
  agreement.top1_ratio = support::mean_if_any(ratios);
  agreement.top1_share = support::mean_if_any(shares);
  return agreement;
}

}  // namespace cubicbench::results
