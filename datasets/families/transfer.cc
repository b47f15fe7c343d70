#include "datasets/families/transfer.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "datasets/exhaustive/best_found.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Direction;

/// The best configuration of one member, evaluated in another.
struct Brought {
  bool runs = false;
  double better_share = 1.0;  ///< of what runs there, how much is better
  double gap_closed = 0.0;
};

std::optional<double> value_in(const MadeMember& from, const MadeMember& into) {
  Configuration best(from.scenario.space.size());
  from.scenario.space.configuration_at(from.judged.best_known, best);
  const scenarios::Placement placement =
      into.scenario.space.from_assignment(from.scenario.space.to_assignment(best));
  if (!placement.in_space()) return std::nullopt;
  sim::Workspace workspace;
  const scenarios::Instance instance(into.scenario, 0);
  const scenarios::TrueValue got = instance.true_value(placement.configuration, workspace);
  return got.reason == scenarios::Reason::none ? std::optional(got.value) : std::nullopt;
}

Brought brought(const MadeMember& from, const MadeMember& into) {
  const std::optional<double> value = value_in(from, into);
  if (!value) return {};
  const Direction direction = into.scenario.objective.direction;
  const std::vector<double>& running = into.judged.running;
  const auto better =
      std::ranges::count_if(running, [&](double v) { return is_better(v, *value, direction); });
  const double baseline = into.judged.baseline->value;
  const double gap = (*value - baseline) / (into.judged.best_value - baseline);
  return {.runs = true,
          .better_share = static_cast<double>(better) / static_cast<double>(running.size()),
          .gap_closed = std::clamp(gap, 0.0, 1.0)};
}

/// Mean of the largest of five out of `values`, every five equally likely: the largest is the one
/// at place i (of those in rising order) in C(i, 4) of C(n, 5) choices.
double best_of_five(std::vector<double> values) {
  constexpr std::size_t five = 5;
  std::ranges::sort(values);
  if (values.size() < five) return values.empty() ? 0.0 : values.back();
  const auto n = static_cast<double>(values.size());
  const double all = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) / 120.0;
  double sum = 0.0;
  for (std::size_t place = five - 1; place < values.size(); ++place) {
    const auto i = static_cast<double>(place);
    sum += values[place] * (i * (i - 1) * (i - 2) * (i - 3) / 24.0) / all;
  }
  return sum;
}

}  // namespace

Transfer transfer_of(std::span<const MadeMember> members, int threads) {
  std::vector<std::vector<Brought>> into(members.size());
  support::parallel_for(members.size(), threads, [&](std::size_t i) {
    for (const MadeMember& from : members) {
      if (&from != &members[i]) into[i].push_back(brought(from, members[i]));
    }
  });
  Transfer transfer;
  for (const std::vector<Brought>& others : into) {
    std::vector<double> gaps;
    for (const Brought& one : others) {
      ++transfer.pairs;
      transfer.runs += one.runs ? 1 : 0;
      transfer.in_best_1 += one.better_share < 0.01 ? 1 : 0;
      transfer.in_best_5 += one.better_share < 0.05 ? 1 : 0;
      transfer.gap_closed += one.gap_closed;
      gaps.push_back(one.gap_closed);
    }
    transfer.best_of_5 += best_of_five(std::move(gaps));
  }
  if (transfer.pairs > 0) transfer.gap_closed /= static_cast<double>(transfer.pairs);
  if (!members.empty()) transfer.best_of_5 /= static_cast<double>(members.size());
  return transfer;
}

}  // namespace cubicbench::datasets
