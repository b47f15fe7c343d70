#include "results/prediction/prediction_section.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "results/layout/figure.h"
#include "results/layout/figure_html.h"
#include "results/layout/html_table.h"
#include "results/layout/markup.h"
#include "results/layout/number_text.h"
#include "results/prediction/job_times.h"
#include "results/prediction/learning_curve.h"
#include "results/prediction/scatter.h"

namespace cubicbench::results {
namespace {

using predictor::JudgedDataset;
using predictor::Judgement;
using support::MeanAndSd;

constexpr const char* unknown = "\xE2\x80\x93";  // an en dash

std::string add_figure(const Figure& figure, const std::string& csv, const std::string& caption,
                       const std::string& file_stem, std::vector<PageFile>& files) {
  files.push_back({file_stem + ".svg", svg_of(figure)});
  files.push_back({file_stem + ".csv", csv});
  const PageFile& drawing = files[files.size() - 2];
  return figure_html({.svg = drawing.text,
                      .label = figure.title,
                      .caption = caption,
                      .svg_file = drawing.name,
                      .csv_file = files.back().name});
}

std::string share(double value) { return std::isfinite(value) ? fixed(value, 3) : unknown; }

/// "0.830 ± 0.012"
std::string spread(const MeanAndSd& of) {
  if (!std::isfinite(of.mean)) return unknown;
  return fixed(of.mean, 3) + " \xC2\xB1 " + share(of.sd);
}

std::string percent_text(double value) { return std::isfinite(value) ? percent(value) : unknown; }

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

std::vector<std::string> row_of(const Judgement& of) {
  return {of.predictor + (of.privileged ? " *" : ""),
          count(of.train),
          count(of.test),
          spread(of.kendall),
          share(of.spearman.mean),
          share(of.pearson_log.mean),
          of.mape ? percent_text(of.mape->mean) : unknown,
          share(of.within_gpu_count_kendall.mean),
          share(of.top_k_recall[2].mean),
          percent_text(of.regret_at[0].mean),
          of.feasibility ? share(of.feasibility->auroc.mean) : unknown};
}

constexpr const char* reading_text =
    "Over the test part, mean over the repeats (\xC2\xB1 standard deviation): tau-b and rho of "
    "predicted and measured values, r of their logarithms, the mean error relative to the "
    "measured "
    "value (none of predictors of order alone), tau among jobs of one GPU count, the share of "
    "the "
    "ten best jobs that are among the ten predicted best, how much worse than the best the job "
    "predicted best is, and how well jobs that run out of memory are told from those that do not "
    "(area under the ROC curve).";

}  // namespace

std::string add_scatter(const datasets::Dataset& data, const JudgedDataset& judged,
                        const Judgement& shown, const FigurePlace& place,
                        std::vector<PageFile>& files) {
  const Scatter scatter = scatter_of(data, shown);
  return add_figure(scatter_figure(scatter, place.figure_id), scatter_csv(scatter),
                    scatter_caption(data, judged, shown), place.file_stem, files);
}

std::string add_learning_curves(const JudgedDataset& judged, const FigurePlace& place,
                                std::vector<PageFile>& files) {
  return add_figure(learning_curve_figure(judged, place.figure_id), learning_curve_csv(judged),
                    learning_curve_caption(judged), place.file_stem, files);
}

std::string add_job_times(const datasets::Dataset& data, const FigurePlace& place,
                          std::vector<PageFile>& files) {
  return add_figure(job_times_figure(data, place.figure_id), job_times_csv(data),
                    job_times_caption(data), place.file_stem, files);
}

std::string judgements_reading() { return "<p id=\"reading\">" + escaped(reading_text) + "</p>\n"; }

std::string judgements_table(const JudgedDataset& judged, std::optional<std::int64_t> train) {
  std::vector<std::vector<std::string>> rows;
  bool any_privileged = false;
  for (const Judgement& of : judged.judgements) {
    if (train && of.train != *train) continue;
    rows.push_back(row_of(of));
    any_privileged = any_privileged || of.privileged;
  }
  const std::string note =
      any_privileged
          ? "<p class=\"note\">* asks the simulator that made the outcomes, with nominal "
            "constants: not to be compared with the others.</p>\n"
          : "";
  return html_table({{"Predictor"},
                     {"Learnt from", true},
                     {"Tested on", true},
                     {"tau", true},
                     {"rho", true},
                     {"r", true},
                     {"Mean error", true},
                     {"tau at one GPU count", true},
                     {"Top-10 recall", true},
                     {"Regret at 1", true},
                     {"Fits: AUROC", true}},
                    rows) +
         note;
}

std::string tau_table(const JudgedDataset& judged) {
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  std::vector<HtmlColumn> columns{{"Mean tau after learning from"}};
  for (const std::int64_t size : sizes) columns.push_back({count(size), true});
  std::vector<std::vector<std::string>> rows;
  for (const Judgement& of : judged.judgements) {
    const std::string name = of.predictor + (of.privileged ? " *" : "");
    auto row = std::ranges::find(rows, name, [](const auto& cells) { return cells.front(); });
    if (row == rows.end()) {
      rows.emplace_back(columns.size(), unknown).front() = name;
      row = std::prev(rows.end());
    }
    const auto at = std::ranges::lower_bound(sizes, of.train) - sizes.begin();
    (*row)[static_cast<std::size_t>(at) + 1] = share(of.kendall.mean);
  }
  return html_table(columns, rows);
}

}  // namespace cubicbench::results
