#include "results/searches/cost_figure.h"

#include "results/document/csv.h"
#include "results/document/series_look.h"

namespace cubicbench::results {

Drawing cost_figure(const SearchedProblem& problem, const std::string& stem) {
  Figure figure;
  figure.name = "cost";
  figure.title = "best measured value against GPU-hours";
  Table table{.columns = data_columns({"searcher", "seed", "gpu_hours", "best"})};
  std::vector<double> hours;
  std::vector<double> values;
  for (std::size_t i = 0; i < problem.series.size(); ++i) {
    const SeriesEnd& of = problem.series[i].end;
    const SeriesLook look = look_of(i);
    Series marks{
        .title = of.name, .style = SeriesStyle::dots, .color = look.color, .mark = look.mark};
    for (const StudyEnd& end : of.ends) {
      if (!end.observed) continue;
      hours.push_back(tally_of(*end.study).all.gpu_hours);
      values.push_back(*end.observed);
      marks.points.push_back({.x = hours.back(), .y = values.back()});
      table.rows.push_back({of.name, end.study->seed, hours.back(), values.back()});
    }
    figure.series.push_back(std::move(marks));
  }
  figure.x = linear_axis("GPU-hours of the study", hours);
  figure.y = linear_axis("best measured value", values);
  if (values.empty()) figure.message = "No launch succeeded.";
  return {
      .figure = figure,
      .label = "best measured value of every study against its GPU-hours",
      .caption = "A mark is a study: what it spent, and the best value that it measured for it.",
      .stem = stem,
      .csv = csv_of(table)};
}

}  // namespace cubicbench::results
