#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "predictor/judging/chosen_judgement.h"
#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/prediction/prediction_figures.h"

namespace cubicbench::results {
namespace {

using predictor::JudgedDataset;
using predictor::Judgement;
using predictor::Judgements;

constexpr double deviations = 2.0;  // on either side, as in the paper

double low_of(const Judgement& of) { return of.kendall.mean - deviations * of.kendall.sd; }
double high_of(const Judgement& of) { return of.kendall.mean + deviations * of.kendall.sd; }

Series band_of(const Judgements& curve, const SeriesLook& look) {
  Series band{.of = curve.front()->predictor, .style = SeriesStyle::band, .color = look.color};
  for (const Judgement* const of : curve) {
    band.points.push_back({static_cast<double>(of->train), low_of(*of), high_of(*of)});
  }
  return band;
}

Series line_of(const Judgements& curve, const SeriesLook& look) {
  const Judgement& first = *curve.front();
  Series line{.label = first.predictor + (first.privileged ? " (asks the simulator)" : ""),
              .of = first.predictor,
              .style = SeriesStyle::marked_line,
              .color = look.color,
              .dash = look.dash,
              .width = 2.0,
              .mark = look.mark,
              .size = 0.7};
  for (const Judgement* const of : curve) {
    line.points.push_back({static_cast<double>(of->train), of->kendall.mean});
  }
  return line;
}

/// From a tick at or below all bands to one; no tau is less than -1.
Axis tau_axis(const JudgedDataset& judged) {
  double low = 0.9;
  for (const Judgement& of : judged.judgements) low = std::min(low, low_of(of));
  low = std::max(low, -1.0);
  const double step = tick_step(1.0 - low);
  return {.label = "Kendall's tau over the test part",
          .min = std::floor(low / step) * step,
          .max = 1.0};
}

Figure learning_curve_figure(const JudgedDataset& judged, const std::vector<Judgements>& curves,
                             const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.title = judged.dataset + ": rank correlation against the number of training jobs";
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  const std::vector<double> x(sizes.begin(), sizes.end());
  figure.x = log_axis("number of training jobs", x, AxisScale::log2);
  figure.x.ticks = x;
  figure.y = tau_axis(judged);
  std::vector<std::string> names;
  for (const Judgements& curve : curves) names.push_back(curve.front()->predictor);
  const std::vector<SeriesLook> styles = looks_of(names);
  for (const auto series_of : {band_of, line_of}) {
    for (std::size_t i = 0; i < curves.size(); ++i) {
      figure.series.push_back(series_of(curves[i], styles[i]));
    }
  }
  if (judged.noise_ceiling_kendall) {
    figure.levels.push_back({*judged.noise_ceiling_kendall,
                             "noise ceiling " + fixed(*judged.noise_ceiling_kendall, 3)});
  }
  if (judged.judgements.empty()) figure.message = "nothing was judged";
  return figure;
}

/// A row for each predictor and size, and one with the noise ceiling.
std::string learning_curve_csv(const JudgedDataset& judged, const std::vector<Judgements>& curves) {
  Table table{.columns = data_columns({"series", "predictor", "privileged", "train", "repeats",
                                       "kendall_mean", "kendall_sd", "low", "high"})};
  for (const Judgements& curve : curves) {
    for (const Judgement* const of : curve) {
      table.rows.push_back({"predictor", of->predictor, of->privileged ? "true" : "false",
                            of->train, of->repeats, of->kendall.mean, of->kendall.sd, low_of(*of),
                            high_of(*of)});
    }
  }
  if (judged.noise_ceiling_kendall) {
    table.rows.push_back(
        {"noise_ceiling", "", "", "", "", *judged.noise_ceiling_kendall, "", "", ""});
  }
  return csv_of(table);
}

std::string learning_curve_caption(const JudgedDataset& judged) {
  std::string text =
      "Rank correlation (Kendall's tau-b) of predicted and measured values over the "
      "test part of " +
      judged.dataset + " (split: " + std::string(name_of(judged.split)) +
      ") against the number of training jobs.";
  if (!judged.judgements.empty()) {
    const std::int64_t repeats = judged.judgements.front().repeats;
    text += " A line is the mean over " + counted(repeats, "repeat", "repeats") +
            (repeats == 1 ? "." : ", the band two standard deviations to either side.");
  }
  if (std::ranges::any_of(judged.judgements, &Judgement::privileged)) {
    text +=
        " Predictors that ask the simulator that made the outcomes are not to be compared with "
        "the others.";
  }
  if (judged.noise_ceiling_kendall) {
    text +=
        " The noise ceiling is tau between the measured values and the same values without "
        "noise, which a predictor that knew the truth would reach.";
  }
  return text;
}

}  // namespace

void add_learning_curves(const JudgedDataset& judged, const FigurePlace& place,
                         Document& document) {
  const std::vector<Judgements> curves = by_predictor(judged);
  document.add(Drawing{.figure = learning_curve_figure(judged, curves, place.figure_id),
                       .caption = learning_curve_caption(judged),
                       .stem = place.file_stem,
                       .csv = learning_curve_csv(judged, curves)});
}

}  // namespace cubicbench::results
