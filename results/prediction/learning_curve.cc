#include "results/prediction/learning_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/prediction/chosen_judgement.h"
#include "support/csv.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using predictor::JudgedDataset;
using predictor::Judgement;

constexpr double deviations = 2.0;  // on either side, as in the paper

/// The judgements of one predictor, by rising size.
using Curve = std::vector<const Judgement*>;

std::vector<Curve> curves_of(const JudgedDataset& judged) {
  std::vector<Curve> curves;
  for (const Judgement& of : judged.judgements) {
    const auto same = [&](const Curve& curve) { return curve.front()->predictor == of.predictor; };
    const auto found = std::ranges::find_if(curves, same);
    if (found == curves.end()) {
      curves.push_back({&of});
    } else {
      found->push_back(&of);
    }
  }
  for (Curve& curve : curves) {
    std::ranges::stable_sort(curve, {}, [](const Judgement* of) { return of->train; });
  }
  return curves;
}

double low_of(const Judgement& of) { return of.kendall.mean - deviations * of.kendall.sd; }
double high_of(const Judgement& of) { return of.kendall.mean + deviations * of.kendall.sd; }

std::string title_of(const Curve& curve) {
  return curve.front()->predictor + (curve.front()->privileged ? " (asks the simulator)" : "");
}

Series band_of(const Curve& curve, std::size_t i) {
  Series band{.title = {}, .style = SeriesStyle::band, .color = look_of(i).color, .points = {}};
  for (const Judgement* const of : curve) {
    band.points.push_back({static_cast<double>(of->train), low_of(*of), high_of(*of)});
  }
  return band;
}

Series line_of(const Curve& curve, std::size_t i) {
  Series line{.title = title_of(curve),
              .style = SeriesStyle::marked_line,
              .color = look_of(i).color,
              .dash = look_of(i).dash,
              .width = 2.0,
              .mark = look_of(i).mark,
              .size = 0.7,
              .points = {}};
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

}  // namespace

Figure learning_curve_figure(const JudgedDataset& judged, const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.title = judged.dataset + ": rank correlation against the number of training jobs";
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  const std::vector<double> x(sizes.begin(), sizes.end());
  figure.x = log_axis("number of training jobs", x, AxisScale::log2);
  figure.x.ticks = x;
  figure.y = tau_axis(judged);
  const std::vector<Curve> curves = curves_of(judged);
  for (std::size_t i = 0; i < curves.size(); ++i) figure.series.push_back(band_of(curves[i], i));
  for (std::size_t i = 0; i < curves.size(); ++i) figure.series.push_back(line_of(curves[i], i));
  if (judged.noise_ceiling_kendall) {
    figure.levels.push_back({*judged.noise_ceiling_kendall,
                             "noise ceiling " + fixed(*judged.noise_ceiling_kendall, 3)});
  }
  if (judged.judgements.empty()) figure.message = "nothing was judged";
  return figure;
}

std::string learning_curve_csv(const JudgedDataset& judged) {
  using support::shortest;
  using Record = std::array<std::string, 9>;
  std::string text =
      support::csv_record(Record{"series", "predictor", "privileged", "train", "repeats",
                                 "kendall_mean", "kendall_sd", "low", "high"});
  for (const Curve& curve : curves_of(judged)) {
    for (const Judgement* const of : curve) {
      text += support::csv_record(
          Record{"predictor", of->predictor, of->privileged ? "true" : "false",
                 std::to_string(of->train), std::to_string(of->repeats), shortest(of->kendall.mean),
                 shortest(of->kendall.sd), shortest(low_of(*of)), shortest(high_of(*of))});
    }
  }
  if (judged.noise_ceiling_kendall) {
    text += support::csv_record(Record{"noise_ceiling", "", "", "", "",
                                       shortest(*judged.noise_ceiling_kendall), "", "", ""});
  }
  return text;
}

std::string learning_curve_caption(const JudgedDataset& judged) {
  std::string text =
      "Rank correlation (Kendall's tau-b) of predicted and measured values over the "
      "test part of " +
      judged.dataset + " (split: " + std::string(name_of(judged.split)) +
      ") against the number of jobs learnt from.";
  if (!judged.judgements.empty()) {
    const std::int64_t repeats = judged.judgements.front().repeats;
    text += " A line is the mean over " + std::to_string(repeats) +
            (repeats == 1 ? " repeat"
                          : " repeats, the band two standard deviations to either "
                            "side");
    text += ".";
  }
  if (std::ranges::any_of(judged.judgements, [](const Judgement& of) { return of.privileged; })) {
    text +=
        " Predictors that ask the simulator which made the outcomes are not to be compared with "
        "the others.";
  }
  if (judged.noise_ceiling_kendall) {
    text +=
        " The noise ceiling is tau of the measured values and the same values without noise: "
        "what a predictor that knew the truth would reach.";
  }
  return text;
}

}  // namespace cubicbench::results
