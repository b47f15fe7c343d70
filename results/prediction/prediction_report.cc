#include "results/prediction/prediction_report.h"

#include <nlohmann/json.hpp>

#include "results/document/markup.h"
#include "results/document/number_text.h"
#include "results/layout/page.h"
#include "results/layout/page_files.h"
#include "results/prediction/chosen_judgement.h"
#include "results/prediction/physics_note.h"
#include "results/prediction/predict_csv.h"
#include "results/prediction/prediction_section.h"
#include "results/prediction/target_text.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

std::string head_part(const datasets::Dataset& data, const predictor::JudgedDataset& judged) {
  std::string text = judged.dataset + ": " + grouped(static_cast<std::uint64_t>(judged.rows)) +
                     " jobs with a time, of which predictors estimate " + target_text(data.target) +
                     ". Split: " + std::string(name_of(judged.split)) + ".";
  text += data.simulated ? " Outcomes are simulated." : " Outcomes were measured on real machines.";
  std::string html = "<p>" + escaped(text) + "</p>\n";
  if (judged.jobs_without_physics > 0) {
    html += "<p>" + escaped(physics_note(judged)) + "</p>\n";
  }
  if (judged.noise_ceiling_kendall) {
    html += "<p>Noise ceiling: tau " + fixed(*judged.noise_ceiling_kendall, 3) +
            " for a predictor that knew every value without noise.</p>\n";
  }
  return html;
}

std::string origin_part(const PredictionReportOptions& options) {
  std::string html = "<section id=\"origin\">\n<h2>How to make this again</h2>\n";
  if (!options.command.empty()) html += "<pre>" + escaped(options.command) + "</pre>\n";
  const std::string version = support::new_document("report").at("version");
  return html + "<p>The same version gives the same bytes. Page by cubicbench " + escaped(version) +
         ".</p>\n</section>\n";
}

}  // namespace

std::vector<std::string> write_prediction_report(const datasets::Dataset& data,
                                                 const predictor::JudgedDataset& judged,
                                                 const std::filesystem::path& folder,
                                                 const PredictionReportOptions& options) {
  std::vector<PageFile> files{{"prediction.csv", predict_csv(judged)}};
  std::string body = head_part(data, judged);
  if (train_sizes(judged).size() > 1) {
    body += "<section id=\"training\">\n<h2>How many jobs are enough</h2>\n" +
            add_learning_curves(judged, {.figure_id = "training", .file_stem = "training"}, files) +
            "</section>\n";
  }
  if (const predictor::Judgement* const best = best_judgement(judged)) {
    body +=
        "<section id=\"scatter\">\n<h2>Predicted against measured</h2>\n" +
        add_scatter(data, judged, *best, {.figure_id = "scatter", .file_stem = "scatter"}, files) +
        "</section>\n";
  }
  body += "<section id=\"judgements\">\n<h2>Every predictor</h2>\n" + judgements_reading() +
          judgements_table(judged) +
          "<p><a href=\"prediction.csv\">Every number as CSV</a>, with tau of every repeat.</p>\n"
          "</section>\n";
  body += origin_part(options);
  return write_page(folder / "index.html", page_html(options.title, body), files);
}

}  // namespace cubicbench::results
