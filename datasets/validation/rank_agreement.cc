#include "datasets/validation/rank_agreement.h"

#include <algorithm>
#include <cstddef>

#include "support/statistics/correlation.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::datasets {
namespace {

constexpr std::int64_t rows_min = 5;
constexpr std::int64_t pairs_min = 5;
constexpr double clear_ratio = 1.05;  ///< measured throughputs that differ by more than noise
constexpr double good_share = 0.9;    ///< of the best measured throughput

struct Throughputs {
  std::vector<double> measured, simulated;
};

std::optional<double> clear_pair_kendall(const Throughputs& of) {
  std::int64_t pairs = 0;
  std::int64_t balance = 0;
  for (std::size_t i = 0; i < of.measured.size(); ++i) {
    for (std::size_t j = 0; j < of.measured.size(); ++j) {
      if (of.measured[i] <= clear_ratio * of.measured[j]) continue;
      ++pairs;
      balance += of.simulated[i] > of.simulated[j] ? 1 : 0;
      balance -= of.simulated[i] < of.simulated[j] ? 1 : 0;
    }
  }
  if (pairs < pairs_min) return std::nullopt;
  return static_cast<double>(balance) / static_cast<double>(pairs);
}

/// Writes what the rows that share the first place come to.
void write_first_place(const Throughputs& of, RankedGroup& group) {
  const double best = std::ranges::max(of.measured);
  const double first = std::ranges::max(of.simulated);
  double sharers = 0.0;
  double measured = 0.0;
  for (std::size_t i = 0; i < of.measured.size(); ++i) {
    if (of.simulated[i] != first) continue;
    sharers += 1.0;
    measured += of.measured[i];
    group.top1_share += of.measured[i] / best;
    group.top1_good += of.measured[i] >= good_share * best ? 1.0 : 0.0;
  }
  group.top1_ratio = measured / sharers / best;
  group.top1_share /= sharers;
  group.top1_good /= sharers;
}

RankedGroup ranked(const NamedRows& rows) {
  Throughputs of;
  for (const ValidatedRow* row : rows.rows) {
    of.measured.push_back(*row->throughput_measured);
    of.simulated.push_back(*row->throughput_simulated);
  }
  RankedGroup group{.source = rows.rows.front()->source,
                    .group = rows.name,
                    .rows = std::ssize(rows.rows),
                    .tau = support::kendall_tau_b(of.measured, of.simulated),
                    .clear_pairs = clear_pair_kendall(of)};
  write_first_place(of, group);
  return group;
}

/// Small ones too.
std::vector<RankedGroup> all_groups(RowSpan rows) {
  const RowPointers timed =
      rows_where(rows, [](const ValidatedRow& row) { return is_run(row) && row.rel_error; });
  std::vector<RankedGroup> groups;
  for (const NamedRows& of : rows_by(timed, &ValidatedRow::group)) groups.push_back(ranked(of));
  return groups;
}

}  // namespace

std::vector<RankedGroup> ranked_groups(RowSpan rows) {
  std::vector<RankedGroup> groups = all_groups(rows);
  std::erase_if(groups, [](const RankedGroup& of) { return of.rows < rows_min; });
  return groups;
}

RankAgreement rank_agreement(RowSpan rows) {
  std::vector<RankedGroup> groups = all_groups(rows);
  std::ranges::sort(groups, {}, &RankedGroup::group);  // sums have one order
  std::vector<double> taus;
  std::vector<double> clear_pairs;
  std::vector<double> ratios;
  std::vector<double> shares;
  for (const RankedGroup& group : groups) {
    if (group.clear_pairs) clear_pairs.push_back(*group.clear_pairs);
    if (group.rows < rows_min) continue;
    taus.push_back(group.tau);
    ratios.push_back(group.top1_share);
    shares.push_back(group.top1_good);
  }
  return {.groups = std::ssize(taus),
          .kendall_median = support::median_if_any(taus),
          .pair_kendall_5pct = support::median_if_any(clear_pairs),
          .top1_ratio = support::mean_if_any(ratios),
          .top1_share = support::mean_if_any(shares)};
}

}  // namespace cubicbench::datasets
