#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "predictor/judging/chosen_judgement.h"
#include "results/document/number_text.h"
#include "results/prediction/judgements.h"
#include "results/prediction/prediction_figures.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using predictor::JudgedDataset;

void add_head(const datasets::Dataset& data, const JudgedDataset& judged, Document& document) {
  std::string text = judged.dataset + ": " + grouped(judged.rows) +
                     " jobs with a time. Predictors estimate " + target_text(data) +
                     ". Split: " + std::string(name_of(judged.split));
  if (!judged.judgements.empty()) {
    text += ", " + counted(judged.judgements.front().repeats, "repeat", "repeats");
  }
  document.add(Paragraph{text + (data.simulated ? ". Outcomes are simulated."
                                                : ". Outcomes were measured on real machines.")});
}

/// "mlp 0.67, ridge 0.49": the best by mean tau first, without those that may not be compared.
std::string others_text(const JudgedDataset& judged, const predictor::Judgement& best) {
  std::vector<const predictor::Judgement*> others;
  for (const predictor::Judgement& of : judged.judgements) {
    if (of.train != best.train || of.privileged || of.predictor == best.predictor) continue;
    others.push_back(&of);
  }
  std::ranges::stable_sort(others, std::ranges::greater{},
                           [](const predictor::Judgement* of) { return of->kendall.mean; });
  constexpr std::size_t named = 3;
  if (others.size() > named) others.resize(named);
  return support::joined(others, ", ", [](const predictor::Judgement* of) {
    return of->predictor + " " + fixed(of->kendall.mean, 3);
  });
}

/// Who predicts best, how well, and what could be had.
std::string finding_of(const JudgedDataset& judged, const predictor::Judgement& best) {
  std::string text = "After " + counted(best.train, "job", "jobs") + " " + best.predictor +
                     " ranks unseen ones best, with Kendall's tau " + fixed(best.kendall.mean, 3);
  if (best.mape) text += " and a mean error of " + percent(best.mape->mean);
  if (const std::string others = others_text(judged, best); !others.empty()) {
    text += "; next " + others;
  }
  text += ".";
  if (const std::int64_t enough = predictor::enough_jobs(judged); enough > 0) {
    text += enough == best.train
                ? " More jobs may help: the smaller sizes tried are more than 0.02 below."
                : " " + grouped(enough) + " jobs come within 0.02 of that.";
  } else if (judged.noise_ceiling_kendall) {
    text += " Noise allows at most " + fixed(*judged.noise_ceiling_kendall, 3) + ".";
  }
  return text;
}

/// A page begins with its result, and one table of all predictors on the largest training part.
void add_finding(const JudgedDataset& judged, Document& document) {
  const predictor::Judgement* const best = best_judgement(judged);
  if (best == nullptr) return;
  document.add(Paragraph{finding_of(judged, *best)}, Media::html);
  document.add(chosen(judgements_table(judged, best->train),
                      {"predictor", "train", "test", "kendall", "sd", "spearman", "pearson_log",
                       "mape", "top_k_recall.10", "regret_at.1"}),
               Media::html);
  document.add(Paragraph{"Means over the repeats, the best of a column in bold; every column is "
                         "explained below."},
               Media::html);
}

/// What the numbers do not tell.
void add_notes(const JudgedDataset& judged, Document& document) {
  if (judged.jobs_without_physics > 0) {
    const std::string& reason = judged.no_physics_reason;
    document.add(Paragraph{
        "The simulator has no answer for " + grouped(judged.jobs_without_physics) + " of " +
        grouped(judged.rows) + " jobs" + (reason.empty() ? "" : " (the first: " + reason + ")") +
        ". For those roofline predicts the median of its training jobs, and hybrid is boosted "
        "trees on what is known at launch."});
  }
  if (judged.noise_ceiling_kendall) {
    document.add(Paragraph{"Noise ceiling: tau " + fixed(*judged.noise_ceiling_kendall, 3) +
                           " for a predictor that knew every value without noise."});
  }
}

void add_figures(const datasets::Dataset& data, const JudgedDataset& judged, Document& document) {
  if (train_sizes(judged).size() > 1) {
    document.add(Heading{.text = "How many jobs are enough", .id = "training"}, Media::html);
    add_learning_curves(judged, {.figure_id = "training", .file_stem = "training"}, document);
  }
  if (const predictor::Judgement* const best = best_judgement(judged)) {
    document.add(Heading{.text = "Predicted against measured", .id = "scatter"}, Media::html);
    document.add(
        scatter_drawing(data, judged, *best, {.figure_id = "scatter", .file_stem = "scatter"}));
  }
}

void add_judgements(const JudgedDataset& judged, Document& document) {
  document.add(Heading{.text = "Every predictor", .id = "judgements"}, Media::written);
  const Table table = judgements_table(judged);
  document.add(table, Media::written);
  document.add(Paragraph{reading_of(table)}, Media::written);
  const Table narrow =
      chosen(table, {"predictor", "train", "kendall", "sd", "spearman", "pearson_log", "mape",
                     "top_k_recall.10", "regret_at.1", "feasibility.auroc"});
  document.add(narrow, Media::terminal);
  document.add(Paragraph{reading_of(narrow)}, Media::terminal);
  document.add(Links{.files = {{.file = {"prediction.csv", predict_csv(judged)},
                                .words = "Every number as CSV, with tau of every repeat"}}});
}

void add_origin(const std::string& command, Document& document) {
  document.add(Heading{.text = "How to make this again", .id = "origin"}, Media::html);
  if (!command.empty()) document.add(Command{command}, Media::html);
  document.add(Paragraph{"The same version gives the same bytes. Page by cubicbench " +
                         support::own_version() + "."},
               Media::html);
}

}  // namespace

Document prediction_document(const datasets::Dataset& data, const JudgedDataset& judged,
                             const std::string& command) {
  Document document{.title = "How well " + judged.dataset + " is predicted", .contents = true};
  add_head(data, judged, document);
  add_finding(judged, document);
  add_figures(data, judged, document);
  add_judgements(judged, document);
  add_notes(judged, document);
  add_origin(command, document);
  return document;
}

}  // namespace cubicbench::results
