#include "results/paper/paper_page.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "results/document/html.h"
#include "results/document/markup.h"
#include "results/layout/html_table.h"
#include "results/layout/page.h"
#include "results/layout/page_files.h"
#include "results/paper/paper_numbers.h"
#include "results/prediction/chosen_judgement.h"
#include "results/prediction/predict_csv.h"
#include "results/prediction/prediction_section.h"
#include "results/searches/search_section.h"
#include "results/studies/study_parts.h"
#include "sim/base/check.h"
#include "support/joined.h"

namespace cubicbench::results {
namespace {

enum class Kind { search, scatter, learning_curve, job_times };

/// What the page knows of a figure.
struct FigureEntry {
  std::string_view name;
  std::string_view heading;
  Kind kind = Kind::scatter;
  Learnt learnt = Learnt::values;     ///< of scatter plots: what the predictor shown has learnt
  std::optional<std::int64_t> train;  ///< likewise: the size of its training part; nothing: largest
};

constexpr FigureEntry entries[] = {
    {"fig2a", "Fig. 2(a): best so far after how many jobs", Kind::search, Learnt::anything, {}},
    {"fig2b", "Fig. 2(b): predicted against measured, learnt from order", Kind::scatter,
     Learnt::order, paper_train},
    {"fig3-random", "Fig. 3, left: jobs split at random", Kind::scatter, Learnt::values,
     paper_train},
    {"fig3-time", "Fig. 3, middle: from older jobs to newer", Kind::scatter, Learnt::values, {}},
    {"fig3-scale", "Fig. 3, right: from fewer GPUs to more", Kind::scatter, Learnt::values, {}},
    {"fig4-jobs", "Fig. 4, left: jobs over time", Kind::job_times, Learnt::anything, {}},
    {"fig4-training",
     "Fig. 4, right: how many jobs are enough",
     Kind::learning_curve,
     Learnt::anything,
     {}},
    {"fig3-random-real", "Fig. 3, left, on real runs: jobs split at random", Kind::scatter,
     Learnt::values, paper_train},
    {"fig3-scale-real",
     "Fig. 3, right, on real runs: from fewer GPUs to more",
     Kind::scatter,
     Learnt::values,
     {}},
    {"fig4-training-real",
     "Fig. 4, right, on real runs: how many jobs are enough",
     Kind::learning_curve,
     Learnt::anything,
     {}}};

const FigureEntry* entry_of(std::string_view name) {
  const auto* const found = std::ranges::find(entries, name, &FigureEntry::name);
  return found == std::end(entries) ? nullptr : found;
}

class PaperPage {
 public:
  PaperPage(const StudySet& set, std::span<const PaperPrediction> predictions, std::string stem,
            const PaperOptions& options)
      : set_(set),
        groups_(grouped_studies(set)),
        predictions_(predictions),
        stem_(std::move(stem)),
        options_(options) {}

  std::string html() {
    std::string figures;
    for (const PaperFigure& figure : options_.figures) figures += section_of(figure);
    std::string body = contents() + figures;
    body += paper_numbers_section(ours());
    if (!set_.studies.empty()) body += "<h2>What was searched</h2>\n" + asked_section(set_);
    body += origin_section(set_, groups_, options_.commands, predictions_part());
    return page_html(options_.title, body);
  }

  const std::vector<PageFile>& files() const { return files_; }

 private:
  std::string contents() const {
    std::string html = "<nav><ul>\n";
    for (const PaperFigure& figure : options_.figures) {
      html += "<li><a href=\"#" + escaped(figure.name) + "\">" +
              escaped(entry_of(figure.name)->heading) + "</a></li>\n";
    }
    return html + "<li><a href=\"#numbers\">Our numbers beside the paper\xE2\x80\x99s</a></li>\n" +
           "<li><a href=\"#origin\">How to make this again</a></li>\n</ul></nav>\n";
  }

  std::string section_of(const PaperFigure& figure) {
    const FigureEntry& entry = *entry_of(figure.name);
    if (entry.kind == Kind::search) return searches(entry);
    return "<section id=\"" + escaped(figure.name) + "\">\n<h2>" + escaped(entry.heading) +
           "</h2>\n" + prediction_part(entry, prediction_of(figure)) + "</section>\n";
  }

  std::string searches(const FigureEntry& entry) {
    const std::vector<std::string> labels = file_labels(groups_);
    const std::string name(entry.name);
    std::string html;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const std::string number = i == 0 ? "" : "-" + std::to_string(i + 1);
      html += add_search_section(
          groups_[i], options_.curves, options_.spaces,
          {.id = name + number,
           .figure_id = name + number,
           .heading = std::string(entry.heading),
           .file_stem = stem_ + "." + name + (groups_.size() > 1 ? "." + labels[i] : "")},
          files_);
    }
    return html;
  }

  std::string prediction_part(const FigureEntry& entry, const PaperPrediction& of) {
    const std::string name(entry.name);
    const FigurePlace place{.figure_id = name, .file_stem = stem_ + "." + name};
    Document document{.title = ""};
    if (entry.kind == Kind::job_times) {
      add_job_times(*of.data, place, document);
      return part_of(document);
    }
    if (entry.kind == Kind::learning_curve) {
      add_learning_curves(*of.judged, place, document);
      document.add(tau_table(*of.judged));
      return part_of(document);
    }
    const predictor::Judgement* const shown = best_judgement(*of.judged, entry.train, entry.learnt);
    if (shown == nullptr) return "<p>Nothing was judged.</p>\n";
    add_scatter(*of.data, *of.judged, *shown, place, document);
    if (!std::exchange(reading_is_given_, true)) add_judgements_reading(document);
    document.add(judgements_table(*of.judged, shown->train));
    return part_of(document);
  }

  /// The document as part of this page, its files among this page's.
  std::string part_of(const Document& document) {
    const results::Page page = page_of(document);
    files_.insert(files_.end(), page.files.begin(), page.files.end());
    const std::string_view head = "</h1>\n";
    const std::size_t begin = page.html.find(head) + head.size();
    return page.html.substr(begin, page.html.rfind("</main>") - begin);
  }

  const PaperPrediction* find(std::string_view name) const {
    const auto found = std::ranges::find(predictions_, name, &PaperPrediction::name);
    return found == predictions_.end() ? nullptr : &*found;
  }

  const PaperPrediction& prediction_of(const PaperFigure& figure) const {
    const PaperPrediction* const found = find(figure.prediction);
    SIM_ASSERT(found != nullptr, figure.name, figure.prediction);
    return *found;
  }

  /// The prediction that the figure of that name shows; null when the figure is not on the page.
  RandomSplit split_of(std::string_view figure_name) const {
    const auto found = std::ranges::find(options_.figures, figure_name, &PaperFigure::name);
    if (found == options_.figures.end()) return {};
    const PaperPrediction& of = prediction_of(*found);
    return {.data = of.data, .judged = of.judged};
  }

  OurResults ours() const {
    return {.searches = groups_,
            .simulated = split_of("fig3-random"),
            .simulated_sizes = split_of("fig4-training"),
            .real = split_of("fig3-random-real"),
            .real_sizes = split_of("fig4-training-real")};
  }

  /// The predictions by themselves, and all their numbers.
  std::string predictions_part() {
    if (predictions_.empty()) return "";
    std::vector<std::vector<std::string>> rows;
    std::string links;
    for (const PaperPrediction& of : predictions_) {
      std::vector<std::string> sizes;
      for (const std::int64_t size : train_sizes(*of.judged)) sizes.push_back(std::to_string(size));
      const auto& judgements = of.judged->judgements;
      rows.push_back({of.name, of.judged->dataset, std::string(name_of(of.judged->split)),
                      std::to_string(of.judged->rows), support::joined(sizes, ", "),
                      std::to_string(judgements.empty() ? 0 : judgements.front().repeats),
                      of.data->simulated ? "simulated" : "real runs"});
      files_.push_back({stem_ + "." + of.name + ".judged.csv", predict_csv(*of.judged)});
      links += (links.empty() ? "" : ", ") +
               ("<a href=\"" + escaped(files_.back().name) + "\">" + escaped(of.name) + "</a>");
    }
    return "<h3>What was predicted</h3>\n" +
           html_table({{"Prediction"},
                       {"Jobs of"},
                       {"Split"},
                       {"Jobs with a time", true},
                       {"Learnt from", true},
                       {"Repeats", true},
                       {"Outcomes"}},
                      rows) +
           "<p>Every number of every predictor as CSV: " + links + ".</p>\n" + commands_part();
  }

  std::string commands_part() const {
    std::string commands;
    for (const PaperPrediction& of : predictions_) {
      if (!of.command.empty()) commands += escaped(of.command) + "\n";
    }
    if (commands.empty()) return "";
    return "<p>One prediction alone:</p>\n<pre>" + commands + "</pre>\n";
  }

  const StudySet& set_;
  std::vector<Studies> groups_;
  std::span<const PaperPrediction> predictions_;
  std::string stem_;
  const PaperOptions& options_;
  std::vector<PageFile> files_;
  bool reading_is_given_ = false;
};

}  // namespace

std::span<const std::string_view> paper_figures() {
  static constexpr auto names = [] {
    std::array<std::string_view, std::size(entries)> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = entries[i].name;
    return all;
  }();
  return names;
}

std::vector<std::string> write_paper(const StudySet& set,
                                     std::span<const PaperPrediction> predictions,
                                     const std::filesystem::path& out_html,
                                     const PaperOptions& options) {
  for (const PaperFigure& figure : options.figures) {
    SIM_ASSERT(entry_of(figure.name) != nullptr, figure.name);
  }
  PaperPage page(set, predictions, out_html.stem().string(), options);
  const std::string html = page.html();
  return write_page(out_html, html, page.files());
}

}  // namespace cubicbench::results
