#include "results/regret/series_end.h"

#include <algorithm>
#include <utility>

#include "results/document/cell_text.h"
#include "results/document/number_text.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

/// Mean and quartiles; null of no values.
Cell spread_cell(const std::vector<double>& values, std::string words,
                 std::optional<double> number) {
  if (values.empty()) return {};
  return Record{.members = {{"mean", support::mean_if_any(values)},
                            {"low", support::quantile(values, 0.25)},
                            {"high", support::quantile(values, 0.75)}},
                .words = std::move(words),
                .number = number};
}

Cell gain_cell(const SeriesEnd& of) {
  const std::vector<double> gains = of.all(&StudyEnd::gain);
  const std::optional<double> median = support::median_if_any(gains);
  return spread_cell(gains, median ? signed_percent(*median) : "", median);
}

/// "0.0312 (0.0101 to 0.0520)": mean and quartiles; the mean alone where these are equal.
template <auto number>
Cell regret_cell(const SeriesEnd& of) {
  const std::vector<double> regrets = of.all(number);
  if (regrets.empty()) return {};
  const double low = support::quantile(regrets, 0.25);
  const double high = support::quantile(regrets, 0.75);
  const std::string mean = regret_text(*support::mean_if_any(regrets));
  return spread_cell(
      regrets,
      low == high ? mean : mean + " (" + regret_text(low) + " to " + regret_text(high) + ")",
      support::mean_if_any(regrets));
}

template <auto number>
Cell mean_cell(const SeriesEnd& of) {
  return support::mean_if_any(of.all(number));
}

/// Of at least one value: "312.4 k"; with several studies "312.4 k (298.1 k to 320.0 k)": median,
/// smallest and largest.
std::string range_text(const std::vector<double>& values) {
  std::string median = value_text(support::median(values));
  if (values.size() == 1) return median;
  const auto [low, high] = std::ranges::minmax(values);
  return median + " (" + value_text(low) + " to " + value_text(high) + ")";
}

template <auto number>
Cell range_cell(const SeriesEnd& of) {
  const std::vector<double> values = of.all(number);
  if (values.empty()) return {};
  return Record{.members = {}, .words = range_text(values), .number = support::median(values)};
}

/// The best of the best measured values.
Cell best_cell(const SeriesEnd& of) {
  const std::vector<double> best = of.all(&StudyEnd::observed);
  if (best.empty()) return {};
  const auto direction = of.ends.front().study->objective.direction;
  return direction == scenarios::Direction::maximize ? std::ranges::max(best)
                                                     : std::ranges::min(best);
}

Cell mean_regret_cell(const SeriesEnd& of) {
  const auto mean = support::mean_if_any(of.all(&StudyEnd::regret));
  return mean ? Cell(Record{.members = {}, .words = regret_text(*mean), .number = mean}) : Cell();
}

const Field<SeriesEnd> fields[] = {
    {{"searcher", "searcher"}, &SeriesEnd::name},
    {{"studies", "studies", Show::count}, [](const SeriesEnd& of) { return of.ends.size(); }},
    {{"launches", "launches", Show::count},
     [](const SeriesEnd& of) { return of.tally().all.launches; }},
    {{"failed", "failed", Show::count},
     [](const SeriesEnd& of) { return of.tally().failed.launches; }},
    {{"failures", ""}, [](const SeriesEnd& of) { return failures_cell(of.tally()); }},
    {{"trials", "proposals", Show::count}, [](const SeriesEnd& of) { return of.tally().trials; }},
    {{"duplicates", "proposed again", Show::count, "",
      "proposals of a configuration that the same study had proposed before"},
     [](const SeriesEnd& of) { return of.tally().duplicates; }},
    {{"cost_gpu_hours", "GPU-hours", Show::scaled},
     [](const SeriesEnd& of) { return of.tally().all.gpu_hours; }},
    {{"failed_gpu_hours", "GPU-hours of failures", Show::scaled},
     [](const SeriesEnd& of) { return of.tally().failed.gpu_hours; }},
    {{"gain_over_baseline", "gain over baseline", Show::figure, "",
      "of the value without noise, the median over the studies"},
     gain_cell},
    {{"regret", "final regret", Show::figure, "",
      "regret of the recommendation after the last launch, the mean over the studies with its "
      "quartiles in brackets"},
     regret_cell<&StudyEnd::regret>},
    {{"observed_regret", "of the best measured value", Show::figure, "",
      "regret of that value itself: optimistic, since noise helped to make it the best, and "
      "possibly below 0"},
     regret_cell<&StudyEnd::observed_regret>},
    {{"random_regret", "random search, expected", Show::figure, "",
      "its expected regret after as many launches"},
     regret_cell<&StudyEnd::random_regret>},
    {{"share_within_1_percent", "within 1 % of the optimum", Show::percent, "",
      "share of studies whose recommendation is that close to the optimum's value"},
     mean_cell<&StudyEnd::within_1_percent>},
    {{"share_within_5_percent", "within 5 %", Show::percent},
     mean_cell<&StudyEnd::within_5_percent>},
    {for_people({"failed_share", "failed", Show::percent}),
     [](const SeriesEnd& of) {
       const StudyTally tally = of.tally();
       if (tally.all.launches == 0) return Cell();
       return Cell(static_cast<double>(tally.failed.launches) /
                   static_cast<double>(tally.all.launches));
     }},
    {for_people({"median_best", "median best", Show::scaled}),
     [](const SeriesEnd& of) { return support::median_if_any(of.all(&StudyEnd::observed)); }},
    {for_people({"best", "best", Show::scaled}), best_cell},
    {for_people({"mean_regret", "regret", Show::figure}), mean_regret_cell},
    {for_people({"measured", "best measured", Show::figure, "",
                 "over several studies the median, with the smallest and the largest in brackets; "
                 "optimistic, since noise helped to make it the best"}),
     range_cell<&StudyEnd::observed>},
    {for_people(
         {"true_value", "without noise", Show::figure, "",
          "the true value of the same configuration, in a table of runs the mean of its runs"}),
     range_cell<&StudyEnd::recommended>}};

}  // namespace

StudyTally SeriesEnd::tally() const {
  StudyTally sum;
  for (const StudyEnd& end : ends) add(end.tally, sum);
  return sum;
}

std::string value_text(double value) {
  return value < 1.0 && value > -1.0 ? fixed(value, 4) : scaled(value);
}

std::string regret_text(double regret) {
  if (regret == 0.0) return "0";
  if (regret < 0.0) return "\xE2\x88\x92" + regret_text(-regret);
  if (regret >= 1.0) return fixed(regret, 3);
  if (regret >= 1e-3) return fixed(regret, 4);
  return formatted(regret, std::chars_format::scientific, 1);
}

std::span<const Field<SeriesEnd>> series_fields() { return fields; }

}  // namespace cubicbench::results
