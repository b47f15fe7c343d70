#include "results/paper/paper_document.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "predictor/judging/chosen_judgement.h"
#include "results/document/number_text.h"
#include "results/paper/paper_numbers.h"
#include "results/prediction/prediction_figures.h"
#include "results/searches/report.h"
#include "results/studies/study_parts.h"
#include "sim/base/check.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

using predictor::Judgement;
using predictor::Learnt;

/// The best predictor that has learnt so, on so many jobs (0: on most); null where none was judged.
template <Learnt learnt, std::int64_t train = 0>
const Judgement* best_of(const NamedJudgement& of) {
  return best_judgement(*of.judged, train == 0 ? std::nullopt : std::optional<std::int64_t>(train),
                        learnt);
}

/// That predictor's figure, and all of them beside it.
void add_order(const NamedJudgement& of, const FigurePlace& place, Document& document) {
  const Judgement* const shown = best_of<Learnt::order, paper_train>(of);
  if (shown == nullptr) {
    document.add(Paragraph{"Nothing was judged."});
    return;
  }
  document.add(scatter_drawing(*of.data, *of.judged, *shown, place));
  document.add(judgements_table(*of.judged, shown->train));
}

void add_enough(const NamedJudgement& of, const FigurePlace& place, Document& document) {
  add_learning_curves(*of.judged, place, document);
  document.add(tau_table(*of.judged));
}

void add_times(const NamedJudgement& of, const FigurePlace& place, Document& document) {
  add_job_times(*of.data, place, document);
}

/// The section in which the panels of one figure stand.
struct PanelSection {
  const char* id;
  const char* heading;
};

struct FigureEntry {
  scenarios::CampaignFigure of;
  const char* heading;
  /// Null for the figure that is drawn from the searches, and for panels.
  void (*add)(const NamedJudgement&, const FigurePlace&, Document&) = nullptr;
  /// Of a panel, which shows predicted against measured: whose predictions.
  const Judgement* (*shown)(const NamedJudgement&) = nullptr;
  const PanelSection* together = nullptr;  ///< in which they stand side by side
};

constexpr PanelSection fig3{.id = "fig3", .heading = "Fig. 3: predicted against measured"};
constexpr PanelSection fig3_real{.id = "fig3-real",
                                 .heading = "Fig. 3 on real runs: predicted against measured"};

constexpr FigureEntry entries[] = {
    {{"fig2a", ""}, "Fig. 2(a): best so far after how many jobs", nullptr},
    {{"fig2b", "fig2b"}, "Fig. 2(b): predicted against measured, learnt from order", add_order},
    {{"fig3-random", "fig3-random"},
     "Left: jobs split at random",
     nullptr,
     best_of<Learnt::values, paper_train>,
     &fig3},
    {{"fig3-time", "fig3-time"},
     "Middle: from older jobs to newer",
     nullptr,
     best_of<Learnt::values>,
     &fig3},
    {{"fig3-scale", "fig3-scale"},
     "Right: from fewer GPUs to more",
     nullptr,
     best_of<Learnt::values>,
     &fig3},
    {{"fig4-jobs", "fig4-training", true}, "Fig. 4, left: jobs over time", add_times},
    {{"fig4-training", "fig4-training"}, "Fig. 4, right: how many jobs are enough", add_enough},
    {{"fig3-random-real", "fig3-random-real"},
     "Left: jobs split at random",
     nullptr,
     best_of<Learnt::values, paper_train>,
     &fig3_real},
    {{"fig3-scale-real", "fig3-scale-real"},
     "Right: from fewer GPUs to more",
     nullptr,
     best_of<Learnt::values>,
     &fig3_real},
    {{"fig4-training-real", "fig4-training-real"},
     "Fig. 4, right, on real runs: how many jobs are enough",
     add_enough}};

const FigureEntry& entry_of(const std::string& figure) {
  const auto* const entry =
      std::ranges::find(entries, figure, [](const FigureEntry& one) { return one.of.name; });
  SIM_ASSERT(entry != std::end(entries), figure);
  return *entry;
}

/// What goes into the page.
struct Paper {
  const search::StudySet& set;
  std::vector<SearchedProblem> problems;
  std::span<const NamedJudgement> predictions;
  std::string stem;
  const PaperOptions& options;
};

const NamedJudgement& prediction_of(const Paper& paper, const std::string& figure) {
  const auto found =
      std::ranges::find(paper.predictions, entry_of(figure).of.prediction, &NamedJudgement::name);
  SIM_ASSERT(found != paper.predictions.end(), figure);
  return *found;
}

void add_searches(const Paper& paper, const FigureEntry& entry, Document& document) {
  const std::vector<std::string> labels = file_labels(grouped_studies(paper.set));
  const std::string name(entry.of.name);
  const bool several = paper.problems.size() > 1;
  for (std::size_t i = 0; i < paper.problems.size(); ++i) {
    add_search_section(paper.problems[i],
                       {.id = i == 0 ? name : name + "-" + std::to_string(i + 1),
                        .heading = entry.heading,
                        .file_stem = paper.stem + "." + name + (several ? "." + labels[i] : "")},
                       document);
  }
}

void add_figure(const Paper& paper, const std::string& name, Document& document) {
  const FigureEntry& entry = entry_of(name);
  if (entry.add == nullptr) return add_searches(paper, entry, document);
  document.add(Heading{entry.heading, name});
  entry.add(prediction_of(paper, name), {.figure_id = name, .file_stem = paper.stem + "." + name},
            document);
}

/// Panels that follow one another under one heading: side by side, then the table of each.
void add_panels(const Paper& paper, std::span<const std::string> names, Document& document) {
  const PanelSection& section = *entry_of(names.front()).together;
  document.add(Heading{section.heading, section.id});
  std::vector<double> values;
  for (const std::string& name : names) {
    const NamedJudgement& of = prediction_of(paper, name);
    if (const Judgement* const shown = entry_of(name).shown(of)) {
      std::ranges::move(scatter_values(*of.data, *shown), std::back_inserter(values));
    }
  }
  Gallery gallery;
  Document tables;
  for (const std::string& name : names) {
    const FigureEntry& entry = entry_of(name);
    const NamedJudgement& of = prediction_of(paper, name);
    const Judgement* const shown = entry.shown(of);
    tables.add(Heading{.text = entry.heading, .level = 3});
    if (shown == nullptr) {
      tables.add(Paragraph{"Nothing was judged."});
      continue;
    }
    gallery.drawings.push_back(scatter_drawing(*of.data, *of.judged, *shown,
                                               {.figure_id = name,
                                                .file_stem = paper.stem + "." + name,
                                                .shape = FigureShape::panel,
                                                .heading = entry.heading,
                                                .beside = values}));
    tables.add(judgements_table(*of.judged, shown->train));
  }
  document.add(std::move(gallery));
  document.add(tables);
}

void add_figures(const Paper& paper, std::span<const std::string> names, Document& document) {
  for (std::size_t i = 0; i < names.size();) {
    const PanelSection* const together = entry_of(names[i]).together;
    std::size_t end = i + 1;
    if (together == nullptr) {
      add_figure(paper, names[i], document);
    } else {
      while (end < names.size() && entry_of(names[end]).together == together) ++end;
      add_panels(paper, names.subspan(i, end - i), document);
    }
    i = end;
  }
}

/// Null where the figure is not on the page.
const NamedJudgement* shown_prediction(const Paper& paper, const std::string& figure) {
  const std::vector<std::string>& shown = paper.options.figures;
  return std::ranges::find(shown, figure) == shown.end() ? nullptr : &prediction_of(paper, figure);
}

Table predictions_table(std::span<const NamedJudgement> predictions) {
  Table table{.columns = {{"prediction", "prediction"},
                          {"dataset", "jobs of"},
                          {"split", "split"},
                          {"rows", "jobs with a time", Show::count},
                          {"train", "learnt from", Show::figure},
                          {"repeats", "repeats", Show::count},
                          {"outcomes", "outcomes"}}};
  for (const NamedJudgement& of : predictions) {
    std::vector<std::string> sizes;
    for (const std::int64_t size : train_sizes(*of.judged)) sizes.push_back(std::to_string(size));
    const auto& judgements = of.judged->judgements;
    table.rows.push_back({of.name, of.judged->dataset, name_of(of.judged->split), of.judged->rows,
                          std::move(sizes), judgements.empty() ? 0 : judgements.front().repeats,
                          of.data->simulated ? "simulated" : "real runs"});
  }
  return table;
}

/// The predictions by themselves, and all their numbers.
void add_predictions(const Paper& paper, Document& document) {
  if (paper.predictions.empty()) return;
  document.add(Heading{.text = "What was predicted", .level = 3});
  document.add(predictions_table(paper.predictions));
  Links links{.files = {}, .lead = "Every number of every predictor as CSV:"};
  std::vector<std::string> commands;
  for (const NamedJudgement& of : paper.predictions) {
    links.files.push_back(
        {.file = {paper.stem + "." + of.name + ".judged.csv", predict_csv(*of.judged)},
         .words = of.name});
    if (!of.command.empty()) commands.push_back(of.command);
  }
  document.add(links);
  if (commands.empty()) return;
  document.add(Paragraph{"One prediction alone:"});
  document.add(Command{support::joined(commands, "\n")});
}

}  // namespace

std::vector<scenarios::CampaignFigure> paper_figures() {
  std::vector<scenarios::CampaignFigure> figures;
  std::ranges::transform(entries, std::back_inserter(figures), &FigureEntry::of);
  return figures;
}

Document paper_document(const search::StudySet& set, std::span<const NamedJudgement> predictions,
                        const std::filesystem::path& out_html, const PaperOptions& options) {
  const Paper paper{.set = set,
                    .problems = searched_problems(set, {}, options.curves),
                    .predictions = predictions,
                    .stem = out_html.stem().string(),
                    .options = options};
  Document document{.title = options.title, .contents = true};
  add_paper_numbers({.searches = paper.problems,
                     .simulated = shown_prediction(paper, "fig3-random"),
                     .simulated_sizes = shown_prediction(paper, "fig4-training"),
                     .real = shown_prediction(paper, "fig3-random-real"),
                     .real_sizes = shown_prediction(paper, "fig4-training-real")},
                    document);
  add_figures(paper, options.figures, document);
  if (!predictions.empty()) {
    document.add(Heading{"How to read the tables of predictors", "reading"});
    add_judgements_reading(document);
  }
  if (!set.studies.empty()) add_asked(set, document);
  add_origin(set, options.commands, document);
  add_predictions(paper, document);
  return document;
}

}  // namespace cubicbench::results
