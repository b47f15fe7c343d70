#include "results/leaderboard/board_figures.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/score/score_document.h"

namespace cubicbench::results {
namespace {

std::vector<SeriesLook> row_looks(const Leaderboard& board) {
  std::vector<std::string> names;
  for (const BoardRow& row : board.rows) names.push_back(row.searcher);
  return looks_of(names);
}

/// The height of a row of the diagram, whose last one is at 1.
double height_of(const Leaderboard& board, std::size_t row) {
  return static_cast<double>(board.rows.size() - row);
}

/// Rows by mean rank, best first.
std::vector<std::size_t> by_rank(const Leaderboard& board) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < board.rows.size(); ++i) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return *board.rows[i].rank; });
  return order;
}

}  // namespace

Drawing anytime_drawing(const Leaderboard& board) {
  Figure figure;
  figure.name = "score";
  figure.title = "Score while the budget is spent";
  Table table{.columns = data_columns({"searcher", "share_of_budget", "score"})};
  double lowest = 0.0;
  const std::vector<SeriesLook> look = row_looks(board);
  for (std::size_t i = 0; i < board.rows.size(); ++i) {
    const BoardRow& row = board.rows[i];
    Series line{.label = row.searcher, .color = look[i].color, .dash = look[i].dash};
    for (std::size_t point = 0; point < row.curve.size(); ++point) {
      const double spent = static_cast<double>(point + 1) / static_cast<double>(row.curve.size());
      lowest = std::min(lowest, row.curve[point]);
      line.points.push_back({100.0 * spent, row.curve[point]});
      table.rows.push_back({row.searcher, spent, row.curve[point]});
    }
    figure.series.push_back(std::move(line));
  }
  figure.x = {.label = "share of the budget (%)", .min = 0.0, .max = 100.0};
  figure.y = score_axis(lowest);
  return {.figure = std::move(figure),
          .caption =
              "Mean score over all problems and seeds after each twelfth of the launches, "
              "failed ones counted.",
          .stem = "score",
          .csv = csv_of(table)};
}

Drawing rank_drawing(const Leaderboard& board) {
  const std::vector<std::size_t> order = by_rank(board);
  const std::vector<SeriesLook> look = row_looks(board);
  const double reach = board.critical_difference / 2.0;
  const auto rows = static_cast<double>(board.rows.size());
  const double best = *board.rows[order.front()].rank;
  Figure figure;
  figure.name = "ranks";
  figure.title = "Mean rank over the problems, with the critical difference";
  const double worst = *board.rows[order.back()].rank;
  figure.x =
      linear_axis("mean rank (1: best on every problem)", std::array{best - reach, worst + reach});
  figure.y = {.label = "", .min = 0.0, .max = rows + 1.0, .numbers = false};
  Table table{.columns = data_columns({"searcher", "mean_rank", "low", "high"})};
  figure.series.push_back(
      {.title = "bars of these overlap with the best one's",
       .style = SeriesStyle::band,
       .color = "#56B4E9",
       .points = {{best - reach, 0.0, rows + 1.0}, {best + reach, 0.0, rows + 1.0}}});
  for (std::size_t place = 0; place < order.size(); ++place) {
    const BoardRow& row = board.rows[order[place]];
    const double y = height_of(board, place);
    const std::string& color = look[order[place]].color;
    figure.levels.push_back({.y = y, .label = row.searcher, .is_row = true});
    figure.series.push_back(
        {.color = color, .width = 1.5, .points = {{*row.rank - reach, y}, {*row.rank + reach, y}}});
    figure.series.push_back({.of = row.searcher,
                             .style = SeriesStyle::dots,
                             .color = color,
                             .size = 0.8,
                             .points = {{*row.rank, y}}});
    table.rows.push_back({row.searcher, *row.rank, *row.rank - reach, *row.rank + reach});
  }
  return {.figure = std::move(figure),
          .caption = "Dots are mean ranks over the problems, bars the critical difference (" +
                     fixed(board.critical_difference, 2) +
                     " ranks): two searchers differ at 5 %, all pairs accounted for (Nemenyi), "
                     "where their bars do not overlap.",
          .stem = "ranks",
          .csv = csv_of(table)};
}

}  // namespace cubicbench::results
