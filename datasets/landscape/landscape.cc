#include "datasets/landscape/landscape.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <span>

#include "datasets/exhaustive/best_found.h"
#include "datasets/landscape/total_effects.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/permutation.h"
#include "support/statistics/main_effect.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Direction;
using scenarios::Reason;
using scenarios::SearchSpace;
using scenarios::TrueValue;

/// Names the rows. Part of every recorded result: never changes.
constexpr std::uint64_t row_key = 0x6c616e647363;

/// Climbs begin at this many of the best rows.
constexpr std::size_t climbers = 16;

/// One-parameter climbs begin at this many rows that run.
constexpr std::size_t climbs_begun = 40;

/// A quarter of the rows is redrawn in every parameter, which takes a few times as long as the
/// rows.
constexpr std::uint64_t rows_per_total_row = 4;
constexpr std::uint64_t total_rows_min = 1'000;
constexpr std::uint64_t total_rows_max = 50'000;

/// A configuration that was drawn and runs.
struct RunningRow {
  std::uint64_t number = 0;
  double value = 0.0;
};

std::vector<std::uint64_t> drawn_numbers(std::uint64_t configurations, std::uint64_t rows) {
  const support::Permutation permutation(configurations, row_key);
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t row = 0; row < rows; ++row) numbers.push_back(permutation(row));
  return numbers;
}

/// Counts the ends of rows, and returns those that run in their order.
std::vector<RunningRow> count_ends(std::span<const std::uint64_t> numbers,
                                   std::span<const TrueValue> values, Landscape& landscape) {
  std::vector<RunningRow> running;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto end = std::ranges::find(landscape_ends, values[i].reason);
    SIM_ASSERT(end != landscape_ends.end(), numbers[i]);
    ++landscape.ends[static_cast<std::size_t>(end - landscape_ends.begin())];
    if (values[i].reason == Reason::none) {
      SIM_ASSERT(values[i].value > 0.0, numbers[i], values[i].value);
      running.push_back({.number = numbers[i], .value = values[i].value});
    }
  }
  return running;
}

std::array<double, landscape_quantiles.size()> quantiles_of(const std::vector<RunningRow>& rows) {
  std::vector<double> values;
  std::ranges::transform(rows, std::back_inserter(values), &RunningRow::value);
  std::array<double, landscape_quantiles.size()> quantiles{};
  std::ranges::transform(landscape_quantiles, quantiles.begin(),
                         [&](double q) { return support::quantile(values, q); });
  return quantiles;
}

/// From the least to the greatest value, a hundredth of the rows apart.
std::vector<double> hundredths_of(const std::vector<RunningRow>& rows) {
  std::vector<double> values;
  std::ranges::transform(rows, std::back_inserter(values), &RunningRow::value);
  std::ranges::sort(values);
  std::vector<double> quantiles;
  for (int i = 0; i <= 100; ++i) {
    quantiles.push_back(support::quantile(values, static_cast<double>(i) / 100.0));
  }
  return quantiles;
}

double share_better(double baseline, Direction direction, const std::vector<RunningRow>& rows) {
  const auto better = std::ranges::count_if(
      rows, [&](const RunningRow& row) { return is_better(row.value, baseline, direction); });
  return static_cast<double>(better) / static_cast<double>(rows.size());
}

/// The best first; equal ones by their numbers.
std::vector<RunningRow> best_of(std::vector<RunningRow> rows, Direction direction,
                                std::size_t count) {
  const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(std::min(count, rows.size()));
  std::ranges::partial_sort(rows, middle, [&](const RunningRow& a, const RunningRow& b) {
    return a.value == b.value ? a.number < b.number : is_better(a.value, b.value, direction);
  });
  rows.erase(middle, rows.end());
  return rows;
}

void climb(const SearchSpace& space, const Judge& judge, const LandscapeQuestion& question,
           const std::vector<RunningRow>& running, Landscape& landscape) {
  const std::vector<RunningRow> best = best_of(running, question.direction, climbers);
  if (!best.empty()) landscape.best_drawn = best.front().value;
  std::vector<std::uint64_t> starts;
  std::ranges::transform(best, std::back_inserter(starts), &RunningRow::number);
  if (question.baseline_number) starts.push_back(*question.baseline_number);
  landscape.best_known = hill_climb(space, question.direction, judge, starts);
  if (!landscape.best_known) return;
  landscape.climbed = landscape.best_known->evaluations;
  landscape.best_known->evaluations += landscape.rows;
}

/// Climbs on from the ends that are better than the best known.
void improve(const SearchSpace& space, const Judge& judge, const LandscapeQuestion& question,
             const ClimbEnds& ends, Landscape& landscape) {
  std::vector<std::uint64_t> better;
  for (const std::optional<Summit>& end : ends) {
    if (is_better(end->value, landscape.best_known->value, question.direction)) {
      better.push_back(end->number);
    }
  }
  const auto summit = hill_climb(space, question.direction, judge, better);
  if (!summit) return;
  landscape.best_known->number = summit->number;
  landscape.best_known->value = summit->value;
}

/// Climbs of one parameter at a time, from the baseline and from rows that run. They come in random
/// order, so the first are as good as any.
void add_climbs(const SearchSpace& space, const Judge& judge, const LandscapeQuestion& question,
                const std::vector<RunningRow>& running, Landscape& landscape) {
  Climbs& climbs = landscape.climbs;
  std::vector<std::uint64_t> starts;
  for (std::size_t i = 0; i < std::min(climbs_begun, running.size()); ++i) {
    starts.push_back(running[i].number);
  }
  const ClimbEnds ends = climb_ends(space, question.direction, judge, starts, 1);
  if (question.baseline_number) {
    const std::span baseline(&*question.baseline_number, 1);
    climbs.from_baseline = climb_ends(space, question.direction, judge, baseline, 1).front();
    climbs.from_baseline_pairs = climb_ends(space, question.direction, judge, baseline, 2).front();
  }
  if (!ends.empty()) improve(space, judge, question, ends, landscape);
  std::set<std::uint64_t> different;
  for (const std::optional<Summit>& end : ends) different.insert(end->number);
  climbs.starts = ends.size();
  climbs.ends = different.size();
  climbs.at_best = static_cast<std::uint64_t>(std::ranges::count_if(
      ends, [&](const auto& end) { return end->value == landscape.best_known->value; }));
}

/// Index of the parameter's value in each row, or `inactive`.
std::vector<std::int64_t> levels_of(const SearchSpace& space, std::size_t parameter,
                                    const std::vector<RunningRow>& rows) {
  std::vector<std::int64_t> levels;
  scenarios::Configuration configuration(space.size());
  for (const RunningRow& row : rows) {
    space.configuration_at(row.number, configuration);
    levels.push_back(configuration[parameter]);
  }
  return levels;
}

void add_main_effects(const SearchSpace& space, const std::vector<RunningRow>& running,
                      std::span<const double> logs, Landscape& landscape) {
  std::vector<std::vector<std::int64_t>> all;
  const support::Drawn drawn =
      landscape.exhaustive() ? support::Drawn::all : support::Drawn::sample;
  if (logs.size() >= 2) landscape.log_variance = support::variance(logs, drawn);
  for (std::size_t i = 0; i < space.size(); ++i) {
    const std::vector<std::int64_t>& levels = all.emplace_back(levels_of(space, i, running));
    landscape.importance.push_back(
        {.name = space.parameters()[i].setting->name,
         .levels = std::set<std::int64_t>(levels.begin(), levels.end()).size(),
         .main = main_effect(levels, logs, drawn)});
  }
  landscape.explained = explained_variance(all, logs);
}

/// Rows come in random order, so the first of them are as good as any.
void add_total_effects(const SearchSpace& space, const Judge& judge,
                       const std::vector<RunningRow>& running, std::uint64_t asked_rows,
                       Landscape& landscape) {
  const auto wanted = std::clamp(asked_rows / rows_per_total_row, total_rows_min, total_rows_max);
  std::vector<std::uint64_t> rows;
  for (const RunningRow& row : running) {
    if (rows.size() < wanted) rows.push_back(row.number);
  }
  if (!landscape.log_variance || *landscape.log_variance <= 0.0) return;
  landscape.total_rows = rows.size();
  const std::vector<LeftVariance> left = left_variances(space, judge, rows);
  for (std::size_t i = 0; i < space.size(); ++i) {
    landscape.importance[i].total = left[i].mean / *landscape.log_variance;
    if (left[i].standard_error) {
      landscape.importance[i].total_error = *left[i].standard_error / *landscape.log_variance;
    }
  }
}

}  // namespace

std::string_view end_name(Reason reason) {
  return reason == Reason::none ? "ok" : scenarios::name_of(reason);
}

const Importance* largest_main(const Landscape& landscape) {
  const auto largest = std::ranges::max_element(landscape.importance, {}, &Importance::main);
  return largest == landscape.importance.end() || !largest->main ? nullptr : &*largest;
}

Landscape landscape_of(const SearchSpace& space, const Judge& judge,
                       const LandscapeQuestion& question) {
  Landscape landscape;
  landscape.configurations = space.count();
  landscape.rows = std::min(question.rows, space.count());
  const std::vector<std::uint64_t> numbers = drawn_numbers(space.count(), landscape.rows);
  const std::vector<RunningRow> running = count_ends(numbers, judge(numbers), landscape);
  if (!running.empty()) {
    landscape.quantiles = quantiles_of(running);
    landscape.hundredths = hundredths_of(running);
    if (question.baseline.reason == Reason::none) {
      landscape.share_better = share_better(question.baseline.value, question.direction, running);
    }
  }
  climb(space, judge, question, running, landscape);
  add_climbs(space, judge, question, running, landscape);
  std::vector<double> logs;
  for (const RunningRow& row : running) logs.push_back(sim::log(row.value));
  add_main_effects(space, running, logs, landscape);
  add_total_effects(space, judge, running, question.rows, landscape);
  return landscape;
}

ScenarioLandscape scenario_landscape(const scenarios::Scenario& scenario, std::uint64_t instance,
                                     std::uint64_t rows, int threads) {
  const scenarios::Instance truth(scenario, instance);
  const scenarios::Placement placement = scenario.space.from_plan(scenario.baseline);
  sim::Workspace workspace;
  LandscapeQuestion question{.rows = rows, .direction = scenario.objective.direction};
  question.baseline = truth.true_value(scenario.baseline, workspace);
  if (placement.in_space()) {
    question.baseline_number = scenario.space.number_of(placement.configuration);
  }
  return {.scenario = truth.scenario(),
          .truth_sha256 = scenarios::truth_sha256(truth),
          .baseline = question.baseline,
          .landscape = landscape_of(scenario.space, truth_judge(truth, threads), question)};
}

}  // namespace cubicbench::datasets
