#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "predictor/judging/correlation.h"
#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/prediction/prediction_section.h"
#include "results/prediction/target_text.h"
#include "results/studies/search_curve.h"
#include "sim/base/numeric.h"

namespace cubicbench::results {
namespace {

using datasets::Dataset;
using predictor::Judgement;
using predictor::PredictedJob;

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

/// Jobs of like size share a colour: neighbouring GPU counts in at most `bins_max` bins.
class GpuBins {
 public:
  explicit GpuBins(const std::vector<Point>& points) {
    std::set<std::int64_t> counts;
    for (const Point& point : points) counts.insert(point.job->gpus);
    counts_.assign(counts.begin(), counts.end());
  }
  std::size_t size() const { return std::min(counts_.size(), bins_max); }
  std::size_t bin_of(std::int64_t gpus) const {
    const auto at = std::ranges::lower_bound(counts_, gpus) - counts_.begin();
    return static_cast<std::size_t>(at) * size() / counts_.size();
  }
  /// "64 GPUs", "8 to 32 GPUs".
  std::string title(std::size_t bin) const {
    std::int64_t low = 0;
    std::int64_t high = 0;
    for (const std::int64_t count : counts_) {
      if (bin_of(count) != bin) continue;
      if (low == 0) low = count;
      high = count;
    }
    return (low == high ? grouped(low) : grouped(low) + " to " + grouped(high)) +
           (high == 1 ? " GPU" : " GPUs");
  }

 private:
  std::vector<std::int64_t> counts_;
};

std::vector<Series> dots_of(const Scatter& scatter) {
  const GpuBins bins(scatter.points);
  std::vector<Series> all(bins.size());
  for (std::size_t bin = 0; bin < all.size(); ++bin) {
    all[bin] = {.title = all.size() > 1 ? bins.title(bin) : "test jobs, " + bins.title(bin),
                .style = SeriesStyle::dots,
                .color = all.size() > 1 ? sequential_color(bin, all.size()) : look_of(0).color,
                .width = 1.0,
                .mark = look_of(bin).mark,
                .size = 0.45,
                .points = {}};
  }
  for (const Point& point : scatter.points) {
    all[bins.bin_of(point.job->gpus)].points.push_back({point.measured, point.predicted});
  }
  return all;
}

/// "jobs of the first of 10 repeats".
std::string repeat_text(std::int64_t repeats) {
  return repeats > 1 ? "the first of " + std::to_string(repeats) + " repeats" : "one repeat";
}

/// Of the points, as the eye sees them.
std::string correlations_text(const Scatter& scatter) {
  std::vector<double> measured = column(scatter, &Point::measured);
  std::vector<double> predicted = column(scatter, &Point::predicted);
  std::string text = "For these points, tau is " +
                     fixed(predictor::kendall_tau_b(predicted, measured), 3) + " and rho " +
                     fixed(predictor::spearman_rho(predicted, measured), 3);
  if (!scatter.values) return text + ".";
  for (double& value : measured) value = sim::log(value);
  for (double& value : predicted) value = sim::log(value);
  return text + ", and r of the logarithms " + fixed(predictor::pearson_r(predicted, measured), 3) +
         ".";
}

/// Of measured values, which are above zero: logarithmic where they span a decade.
Axis measured_axis(const std::string& label, const std::vector<double>& values) {
  constexpr double decade = 10.0;
  if (values.empty()) return linear_axis(label, values);
  const auto [low, high] = std::ranges::minmax(values);
  if (low > 0.0 && high >= decade * low) return log_axis(label, values, AxisScale::log10);
  Axis axis = linear_axis(label, values);
  if (low >= 0.0) axis.min = std::max(axis.min, 0.0);
  return axis;
}

Scatter scatter_of(const Dataset& data, const Judgement& judgement) {
  Scatter scatter{.predictor = judgement.predictor,
                  .values = judgement.calibrated,
                  .unit = judgement.calibrated ? whole_job_unit(data) : target_text(data.target),
                  .constant = 1.0};
  for (const PredictedJob& predicted : judgement.first_repeat) {
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
  scatter.constant = quantile(column(scatter, &Point::measured), 0.5);
  for (Point& point : scatter.points) {
    point.measured /= scatter.constant;
    if (scatter.values) point.predicted /= scatter.constant;
  }
  return scatter;
}

Figure scatter_figure(const Scatter& scatter, const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.title = "predicted against measured " + scatter.unit + ", by " + scatter.predictor;
  const std::string measured = "measured " + scatter.unit + " / constant";
  std::vector<double> x = column(scatter, &Point::measured);
  std::vector<double> y = column(scatter, &Point::predicted);
  if (scatter.values) {
    x.insert(x.end(), y.begin(), y.end());  // one range for both, so that equal is the diagonal
    figure.x = log_axis(measured, x, AxisScale::log10);
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
    figure.x = measured_axis(measured, x);
    figure.y = linear_axis("predicted score (without a unit)", y);
  }
  std::ranges::move(dots_of(scatter), std::back_inserter(figure.series));
  if (scatter.points.empty()) figure.message = "no job to test on";
  return figure;
}

/// Both as they were, and divided by the constant.
std::string scatter_csv(const Scatter& scatter) {
  Table table{.columns = {{"job", ""},
                          {"gpus", ""},
                          {"measured", ""},
                          {"predicted", ""},
                          {"measured_plotted", ""},
                          {"predicted_plotted", ""}}};
  const double scale = scatter.values ? scatter.constant : 1.0;
  for (const Point& point : scatter.points) {
    table.rows.push_back({point.job->id, point.job->gpus, point.measured * scatter.constant,
                          point.predicted * scale, point.measured, point.predicted});
  }
  return csv_of(table);
}

std::string scatter_caption(const Scatter& scatter, const Dataset& data,
                            const predictor::JudgedDataset& judged, const Judgement& judgement) {
  std::string text = "Each mark is one of " + grouped(scatter.points.size()) + " jobs of " +
                     judged.dataset + " that " + judgement.predictor +
                     " had not seen when it learnt from " + grouped(judgement.train) +
                     " others (split: " + std::string(name_of(judged.split)) + "; " +
                     repeat_text(judgement.repeats) + ").";
  text += " Measured values are " + scatter.unit;
  if (is_per_gpu(data) && scatter.values) text += " of the whole job";
  text += ", divided by " + scaled(scatter.constant) + ", the median of the jobs shown";
  text += scatter.values ? "; predicted values are divided by it too."
                         : ". The predictor learnt only to order jobs by that value, so the scale "
                           "of its scores is arbitrary.";
  if (!scatter.points.empty()) text += " " + correlations_text(scatter);
  return text + " Over all repeats, tau of " + target_text(data.target) + " is " +
         fixed(judgement.kendall.mean, 3) + " (sd " + fixed(judgement.kendall.sd, 3) + ").";
}

}  // namespace

void add_scatter(const Dataset& data, const predictor::JudgedDataset& judged,
                 const Judgement& shown, const FigurePlace& place, Document& document) {
  const Scatter scatter = scatter_of(data, shown);
  document.add(Drawing{.figure = scatter_figure(scatter, place.figure_id),
                       .label = "",
                       .caption = scatter_caption(scatter, data, judged, shown),
                       .stem = place.file_stem,
                       .csv = scatter_csv(scatter)});
}

}  // namespace cubicbench::results
