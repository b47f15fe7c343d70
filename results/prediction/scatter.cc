#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string_view>
#include <vector>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/prediction/prediction_figures.h"
#include "sim/base/numeric.h"
#include "support/statistics/correlation.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using datasets::Dataset;
using predictor::Judgement;

constexpr std::size_t bins_max = 6;

/// A test job as the figure has it.
struct Point {
  const datasets::Job* job = nullptr;
  double measured = 0.0;   ///< divided by the constant
  double predicted = 0.0;  ///< likewise; of a predictor of order alone its score, as it is
};

struct Scatter {
  std::string predictor;
  bool values = true;  ///< false: scores without a unit, which only order the jobs
  /// Of what was measured: whole jobs, see whole_job_unit(). Scores rank the target itself, so
  /// beside them stands what they rank, see target_text().
  std::string unit;
  double constant = 1.0;  ///< median measured value, by which all are divided
  std::vector<Point> points{};
};

std::vector<double> column(const Scatter& scatter, double Point::*member) {
  std::vector<double> values;
  for (const Point& point : scatter.points) values.push_back(point.*member);
  return values;
}

/// Measured and predicted ones; none of scores.
std::vector<double> values_of(const Scatter& scatter) {
  if (!scatter.values) return {};
  std::vector<double> values = column(scatter, &Point::measured);
  std::ranges::move(column(scatter, &Point::predicted), std::back_inserter(values));
  return values;
}

/// Jobs of like size share a colour: neighbouring GPU counts in at most `bins_max` bins.
std::vector<Series> dots_of(const Scatter& scatter) {
  std::map<std::int64_t, std::vector<FigurePoint>> dots;
  for (const Point& point : scatter.points) {
    dots[point.job->gpus].push_back({point.measured, point.predicted});
  }
  const std::size_t bins = std::min(dots.size(), bins_max);
  std::vector<Series> all;
  std::size_t counts = 0;
  std::int64_t low = 0;
  for (const auto& [gpus, points] : dots) {
    const std::size_t bin = counts++ * bins / dots.size();
    if (bin == all.size()) {
      low = gpus;
      all.push_back({.style = SeriesStyle::dots,
                     .color = bins > 1 ? sequential_color(bin, bins) : look_of(0).color,
                     .width = 1.0,
                     .mark = look_of(bin).mark,
                     .size = 0.45});
    }
    all.back().title = (bins > 1 ? "" : "test jobs, ") +
                       (low == gpus ? "" : grouped(low) + " to ") + counted(gpus, "GPU", "GPUs");
    std::ranges::copy(points, std::back_inserter(all.back().points));
  }
  return all;
}

/// Of the points, as the eye sees them.
std::string correlations_text(const Scatter& scatter) {
  std::vector<double> measured = column(scatter, &Point::measured);
  std::vector<double> predicted = column(scatter, &Point::predicted);
  const std::string tau = fixed(support::kendall_tau_b(predicted, measured), 3);
  const std::string rho = fixed(support::spearman_rho(predicted, measured), 3);
  if (!scatter.values) return "For these points, tau is " + tau + " and rho " + rho + ".";
  std::ranges::transform(measured, measured.begin(), sim::log);
  std::ranges::transform(predicted, predicted.begin(), sim::log);
  return "For these points, tau is " + tau + ", rho " + rho + " and r of the logarithms " +
         fixed(support::pearson_r(predicted, measured), 3) + ".";
}

/// Logarithmic where the values, which are not below zero, span a decade.
Axis measured_axis(const std::string& label, const std::vector<double>& values) {
  constexpr double decade = 10.0;
  const auto [low, high] =
      values.empty() ? std::ranges::min_max_result<double>{0.0, 0.0} : std::ranges::minmax(values);
  if (low > 0.0 && high >= decade * low) return log_axis(label, values, AxisScale::log10);
  Axis axis = linear_axis(label, values);
  axis.min = std::max(axis.min, 0.0);
  return axis;
}

Scatter scatter_of(const Dataset& data, const Judgement& judgement) {
  Scatter scatter{.predictor = judgement.predictor,
                  .values = judgement.calibrated,
                  .unit = judgement.calibrated ? whole_job_unit(data) : target_text(data),
                  .constant = 1.0};
  for (const predictor::PredictedJob& predicted : judgement.first_repeat) {
    const datasets::Job& job = data.jobs[predicted.job];
    if (!job.value) continue;
    Point point{.job = &job, .measured = *job.value, .predicted = predicted.predicted};
    if (scatter.values) {
      point.measured = whole_job(data, job, point.measured);
      point.predicted = whole_job(data, job, sim::exp(point.predicted));
    }
    scatter.points.push_back(point);
  }
  if (scatter.points.empty()) return scatter;
  scatter.constant = support::median(column(scatter, &Point::measured));
  for (Point& point : scatter.points) {
    point.measured /= scatter.constant;
    if (scatter.values) point.predicted /= scatter.constant;
  }
  return scatter;
}

Figure scatter_figure(const Scatter& scatter, const FigurePlace& place) {
  Figure figure;
  figure.name = place.figure_id;
  figure.shape = place.shape;
  figure.title = "predicted against measured " + scatter.unit + ", by " + scatter.predictor;
  const std::string measured = "measured " + scatter.unit + " / constant";
  if (scatter.values) {
    std::vector<double> both = values_of(scatter);  // one range, so that equal is the diagonal
    both.insert(both.end(), place.beside.begin(), place.beside.end());
    figure.x = log_axis(measured, both, AxisScale::log10);
    figure.y = figure.x;
    figure.y.label = "predicted " + scatter.unit + " / constant";
    figure.series.push_back(
        {.title = "predicted = measured",
         .style = SeriesStyle::line,
         .color = "#606060",
         .dash = 2,
         .width = 1.2,
         .points = {{figure.x.min, figure.x.min}, {figure.x.max, figure.x.max}}});
  } else {
    figure.x = measured_axis(measured, column(scatter, &Point::measured));
    figure.y = linear_axis("predicted score (without a unit)", column(scatter, &Point::predicted));
  }
  std::ranges::move(dots_of(scatter), std::back_inserter(figure.series));
  if (scatter.points.empty()) figure.message = "no job to test on";
  return figure;
}

/// Both as they were, and divided by the constant.
std::string scatter_csv(const Scatter& scatter) {
  Table table{.columns = data_columns({"job", "gpus", "measured", "predicted", "measured_plotted",
                                       "predicted_plotted"})};
  const double scale = scatter.values ? scatter.constant : 1.0;
  for (const Point& point : scatter.points) {
    table.rows.push_back({point.job->id, point.job->gpus, point.measured * scatter.constant,
                          point.predicted * scale, point.measured, point.predicted});
  }
  return csv_of(table);
}

std::string scatter_caption(const Scatter& scatter, const Dataset& data,
                            const predictor::JudgedDataset& judged, const Judgement& shown) {
  std::string text =
      "Each mark is one of " + grouped(scatter.points.size()) + " jobs of " + judged.dataset +
      " that " + shown.predictor + " had not seen when it learnt from " + grouped(shown.train) +
      " others (split: " + std::string(name_of(judged.split)) +
      (shown.repeats > 1 ? "; the first of " : "; ") + counted(shown.repeats, "repeat", "repeats") +
      "). Measured values are " + scatter.unit;
  if (is_per_gpu(data) && scatter.values) text += " of the whole job";
  text += ", divided by " + scaled(scatter.constant) + ", the median of the jobs shown";
  text += scatter.values ? "; predicted values are divided by it too."
                         : ". The predictor learnt only to order jobs by that value, so the scale "
                           "of its scores is arbitrary.";
  if (!scatter.points.empty()) text += " " + correlations_text(scatter);
  return text + " Over all repeats, tau of " + target_text(data) + " is " +
         fixed(shown.kendall.mean, 3) + " (sd " + fixed(shown.kendall.sd, 3) + ").";
}

}  // namespace

Drawing scatter_drawing(const Dataset& data, const predictor::JudgedDataset& judged,
                        const Judgement& shown, const FigurePlace& place) {
  const Scatter scatter = scatter_of(data, shown);
  return {.figure = scatter_figure(scatter, place),
          .heading = place.heading,
          .caption = scatter_caption(scatter, data, judged, shown),
          .stem = place.file_stem,
          .csv = scatter_csv(scatter)};
}

std::vector<double> scatter_values(const Dataset& data, const Judgement& shown) {
  return values_of(scatter_of(data, shown));
}

double whole_job(const datasets::Dataset& data, const datasets::Job& job, double value) {
  return is_per_gpu(data) ? value * static_cast<double>(job.gpus) : value;
}

std::string whole_job_unit(const datasets::Dataset& data) {
  std::string_view name = data.target;
  const auto ended_in = [&name](std::string_view ending) {
    const bool ended = name.ends_with(ending);
    if (ended) name.remove_suffix(ending.size());
    return ended;
  };
  ended_in("_per_gpu");
  const bool is_rate = ended_in("_per_s");
  std::string text(name);
  std::ranges::replace(text, '_', ' ');
  return is_rate ? text + "/s" : text;
}

std::string target_text(const datasets::Dataset& data) {
  return whole_job_unit(data) + (is_per_gpu(data) ? " per GPU" : "");
}

}  // namespace cubicbench::results
