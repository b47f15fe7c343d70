#include "results/prediction/scatter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "results/layout/number_text.h"
#include "results/layout/series_look.h"
#include "results/prediction/target_text.h"
#include "sim/base/numeric.h"
#include "support/csv.h"
#include "support/json/canonical.h"
#include "support/statistics/correlation.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using datasets::Dataset;
using predictor::Judgement;
using predictor::PredictedJob;

constexpr std::size_t bins_max = 6;

/// Jobs of like size share a colour: neighbouring GPU counts in at most `bins_max` bins.
class GpuBins {
 public:
  explicit GpuBins(const std::vector<ScatterPoint>& points) {
    std::set<std::int64_t> counts;
    for (const ScatterPoint& point : points) counts.insert(point.job->gpus);
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
    const auto text = [](std::int64_t count) { return grouped(static_cast<std::uint64_t>(count)); };
    return (low == high ? text(low) : text(low) + " to " + text(high)) +
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
  for (const ScatterPoint& point : scatter.points) {
    all[bins.bin_of(point.job->gpus)].points.push_back({point.measured, point.predicted});
  }
  return all;
}

std::vector<double> column(const Scatter& scatter, double ScatterPoint::*member) {
  std::vector<double> values;
  for (const ScatterPoint& point : scatter.points) values.push_back(point.*member);
  return values;
}

/// "jobs of the first of 10 repeats".
std::string repeat_text(std::int64_t repeats) {
  return repeats > 1 ? "the first of " + std::to_string(repeats) + " repeats" : "one repeat";
}

/// Of the points, as the eye sees them.
std::string correlations_text(const Scatter& scatter) {
  std::vector<double> measured = column(scatter, &ScatterPoint::measured);
  std::vector<double> predicted = column(scatter, &ScatterPoint::predicted);
  std::string text = "Of these points tau is " +
                     fixed(support::kendall_tau_b(predicted, measured), 3) + " and rho " +
                     fixed(support::spearman_rho(predicted, measured), 3);
  if (!scatter.values) return text + ".";
  for (double& value : measured) value = sim::log(value);
  for (double& value : predicted) value = sim::log(value);
  return text + ", r of the logarithms " + fixed(support::pearson_r(predicted, measured), 3) + ".";
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

}  // namespace

Scatter scatter_of(const Dataset& data, const Judgement& judgement) {
  Scatter scatter{.predictor = judgement.predictor,
                  .values = judgement.calibrated,
                  .unit = judgement.calibrated ? whole_job_unit(data) : target_text(data.target),
                  .constant = 1.0,
                  .points = {}};
  for (const PredictedJob& predicted : judgement.first_repeat) {
    const datasets::Job& job = data.jobs[predicted.job];
    if (!job.value) continue;
    ScatterPoint point{.job = &job, .measured = *job.value, .predicted = predicted.predicted};
    if (scatter.values) {
      point.measured = whole_job(data, job, point.measured);
      point.predicted = whole_job(data, job, sim::exp(point.predicted));
    }
    scatter.points.push_back(point);
  }
  if (scatter.points.empty()) return scatter;
  scatter.constant = support::median(column(scatter, &ScatterPoint::measured));
  for (ScatterPoint& point : scatter.points) {
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
  std::vector<double> x = column(scatter, &ScatterPoint::measured);
  std::vector<double> y = column(scatter, &ScatterPoint::predicted);
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

std::string scatter_csv(const Scatter& scatter) {
  using support::shortest;
  std::string text = support::csv_record(std::array<std::string, 6>{
      "job", "gpus", "measured", "predicted", "measured_plotted", "predicted_plotted"});
  for (const ScatterPoint& point : scatter.points) {
    const double scale = scatter.values ? scatter.constant : 1.0;
    text += support::csv_record(std::array<std::string, 6>{
        point.job->id, std::to_string(point.job->gpus), shortest(point.measured * scatter.constant),
        shortest(point.predicted * scale), shortest(point.measured), shortest(point.predicted)});
  }
  return text;
}

std::string scatter_caption(const Dataset& data, const predictor::JudgedDataset& judged,
                            const Judgement& judgement) {
  const Scatter scatter = scatter_of(data, judgement);
  const auto count = [](auto value) { return grouped(static_cast<std::uint64_t>(value)); };
  std::string text = "Each mark is one of " + count(scatter.points.size()) + " jobs of " +
                     judged.dataset + " that " + judgement.predictor +
                     " had not seen when it learnt from " + count(judgement.train) +
                     " others (split: " + std::string(name_of(judged.split)) + "; " +
                     repeat_text(judgement.repeats) + ").";
  text += " Measured are " + scatter.unit;
  if (is_per_gpu(data) && scatter.values) text += " of the whole job";
  text += ", divided by " + scaled(scatter.constant) + ", the median of the jobs shown";
  text += scatter.values ? "; so are the predicted ones."
                         : ". The predictor learnt to order jobs by that value alone, so the scale "
                           "of its scores is arbitrary.";
  if (!scatter.points.empty()) text += " " + correlations_text(scatter);
  return text + " Over all repeats tau of " + target_text(data.target) + " is " +
         fixed(judgement.kendall.mean, 3) + " (sd " + fixed(judgement.kendall.sd, 3) + ").";
}

}  // namespace cubicbench::results
