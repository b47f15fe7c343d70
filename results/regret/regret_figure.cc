#include "results/regret/regret_figure.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "results/document/csv_lines.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/regret/series_end.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

constexpr const char* random_color = "#808080";  // seen on white and on black

/// From a decade to where the lines begin. The bands may reach below what is shown.
Axis regret_axis(const std::vector<const std::vector<double>*>& lines) {
  constexpr double shown_min = 1e-4;
  constexpr double margin = 1.1;
  double low = 0.1;
  Axis axis{.label = "regret, without noise (0: optimum, 1: median)",
            .min = 1.0,
            .max = 1.0,
            .scale = AxisScale::log10};
  for (const std::vector<double>* const line : lines) {
    for (const double regret : *line) {
      if (regret > 0.0) low = std::min(low, regret);
      axis.max = std::max(axis.max, regret);
    }
  }
  axis.max *= margin;
  while (axis.min > std::max(low, shown_min)) axis.min /= 10.0;
  return axis;
}

void add_band(const std::vector<double>& low, const std::vector<double>& high,
              const std::string& of, const std::string& color, Figure& figure) {
  Series band{.of = of, .style = SeriesStyle::band, .color = color};
  const auto shown = [&](double regret) { return std::clamp(regret, figure.y.min, figure.y.max); };
  for (std::size_t k = 0; k < low.size(); ++k) {
    band.points.push_back({static_cast<double>(k + 1), shown(low[k]), shown(high[k])});
  }
  figure.series.push_back(std::move(band));
}

void add_line(const std::string& label, const std::string& color, int dash,
              const std::vector<double>& regrets, Figure& figure) {
  Series line{
      .label = label, .style = SeriesStyle::line, .color = color, .dash = dash, .width = 2.5};
  for (std::size_t k = 0; k < regrets.size(); ++k) {
    line.points.push_back(
        {static_cast<double>(k + 1), std::clamp(regrets[k], figure.y.min, figure.y.max)});
  }
  figure.series.push_back(std::move(line));
}

/// What the line of random search is, and its bands.
std::string random_sentence(const SearchedProblem& problem) {
  if (!problem.knows_launched_random()) {
    return std::string(" The dotted line is the exact expectation of random search ") +
           (problem.replacement == datasets::Replacement::with ? "with" : "without") +
           " replacement, computed from the true values of all configurations of the space, "
           "without noise or infrastructure failures; its grey bands hold 50 and 90 % of such "
           "searches.";
  }
  const double error = std::ranges::max(problem.random_best.error);
  const search::RegretScale& scale = *problem.yardstick.scale;
  return " The dotted line is what is expected of random search, noise, failures and retries "
         "included: the mean over " +
         grouped(problem.known.space->random_search.studies) +
         " simulated studies (standard error at most " +
         regret_text(error / std::fabs(scale.best - scale.reference)) +
         "); its grey bands hold 50 and 90 % of them.";
}

}  // namespace

Figure regret_figure(const SearchedProblem& problem, const std::string& name) {
  SIM_ASSERT(problem.yardstick.scale.has_value(), problem.study->scenario);
  const search::RandomCurve& random = problem.yardstick.random;
  std::vector<const std::vector<double>*> lines{&random.mean};
  for (const SearchedSeries& series : problem.series) lines.push_back(&series.mean);
  std::size_t longest = 1;
  for (const auto* const line : lines) longest = std::max(longest, line->size());
  Figure figure;
  figure.name = name;
  figure.title = problem.study->scenario + ": regret of the recommendation";
  figure.x.label = "number of jobs launched (failed ones count)";
  figure.x.max = static_cast<double>(longest);
  figure.y = regret_axis(lines);
  add_band(random.p05, random.p95, problem.random_label(), random_color, figure);
  add_band(random.p25, random.p75, problem.random_label(), random_color, figure);
  const std::vector<SeriesLook> styles = searcher_looks(problem);
  for (std::size_t i = 0; i < problem.series.size(); ++i) {
    const SearchedSeries& series = problem.series[i];
    add_band(series.low, series.high, series.end.name, styles[i].color, figure);
  }
  for (std::size_t i = 0; i < problem.series.size(); ++i) {
    const SearchedSeries& series = problem.series[i];
    add_line(series.end.name, styles[i].color, styles[i].dash, series.mean, figure);
  }
  add_line(problem.random_label(), random_color, 3, random.mean, figure);
  return figure;
}

std::string regret_caption(const SearchedProblem& problem) {
  const bool seeds = std::ranges::any_of(
      problem.series, [](const SearchedSeries& series) { return series.end.ends.size() > 1; });
  std::string text =
      "How far from the optimum the recommendation is, that is the configuration with the best "
      "measured value so far, valued without noise: (optimum \xE2\x88\x92 value) / (optimum "
      "\xE2\x88\x92 median of all configurations that run). The axis is logarithmic: a line on its "
      "lower edge has found the optimum or is closer to it than the axis shows.";
  if (seeds) {
    text +=
        " Each line is the mean over the seeds, in a band of " + band_text(problem.options) + ".";
  }
  return text + random_sentence(problem) +
         " Failed jobs count as launches. Before the first success the recommendation counts as "
         "throughput 0, or as the worst of the space where less is better.";
}

void write_regret_csv(const SearchedProblem& problem, const FilePiece& write) {
  SIM_ASSERT(problem.yardstick.scale.has_value(), problem.study->scenario);
  CsvLines lines("series,scenario,instance,searcher,seed,launches,value,regret,observed_regret\n",
                 write);
  const auto begin = [&](std::string_view series) -> CsvLines& {
    return lines.add(series).add(problem.study->scenario).add(problem.study->instance);
  };
  const auto add_curve = [&](std::string_view series, std::string_view searcher,
                             const std::vector<double>& regrets,
                             const std::vector<double>& values = {}) {
    for (std::size_t k = 0; k < regrets.size(); ++k) {
      begin(series).add(searcher).empty().add(k + 1);
      lines.add(values.empty() ? std::optional<double>() : values[k]);
      lines.add(regrets[k]).empty().end_line();
    }
  };
  begin("optimum").empty(3).add(problem.yardstick.scale->best).add(0).empty().end_line();
  begin("median").empty(3).add(problem.yardstick.scale->reference).add(1).empty().end_line();
  // A small regret is a good value: quantiles of values change places.
  const auto add_random = [&](const std::string& name, const search::RandomCurve& values) {
    const search::RandomCurve regrets = regrets_of(values, *problem.yardstick.scale);
    add_curve(name + "_mean", {}, regrets.mean, values.mean);
    add_curve(name + "_p05", {}, regrets.p05, values.p95);
    add_curve(name + "_p25", {}, regrets.p25, values.p75);
    add_curve(name + "_p75", {}, regrets.p75, values.p25);
    add_curve(name + "_p95", {}, regrets.p95, values.p05);
  };
  add_random("random", problem.random_ideal);
  if (problem.knows_launched_random()) add_random("launched_random", problem.random_best);
  for (const SearchedSeries& series : problem.series) {
    for (const StudyEnd& end : series.end.ends) {
      for (std::size_t k = 0; end.curve && k < end.curve->recommended.size(); ++k) {
        begin("study").add(end.study->series).add(end.study->seed).add(k + 1).empty();
        lines.add(end.curve->recommended[k]).add(end.curve->observed[k]).end_line();
      }
    }
    add_curve("mean", series.end.name, series.mean);
    add_curve("low", series.end.name, series.low);
    add_curve("high", series.end.name, series.high);
  }
  lines.end();
}

std::string regret_csv(const SearchedProblem& problem) {
  return text_of([&](const FilePiece& write) { write_regret_csv(problem, write); });
}

}  // namespace cubicbench::results
