#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "results/regret/known_spaces.h"
#include "results/studies/searcher_curves.h"
#include "results/studies/study_set.h"

namespace cubicbench::results {

/// A judgement that figures are drawn from. What it points to must outlive the call.
struct PaperPrediction {
  std::string name;  ///< as the campaign has it
  const datasets::Dataset* data = nullptr;
  const predictor::JudgedDataset* judged = nullptr;
  std::string command;  ///< that makes the same judgement alone; empty: left out
};

/// A figure that is asked for, and the prediction that it shows ("" of fig2a, which shows the
/// searches).
struct PaperFigure {
  std::string name;  ///< one of paper_figures()
  std::string prediction;
};

struct PaperOptions {
  CurveOptions curves;
  KnownSpaces spaces{};                             ///< what regret is measured by
  std::string title = "Every figure of the paper";  ///< the heading
  std::vector<PaperFigure> figures;                 ///< in the order of the page
  std::vector<std::string> commands;                ///< that make the page again
};

/// The figures there are, in the paper's order: fig2a, fig2b, fig3-random, fig3-time, fig3-scale,
/// fig4-jobs, fig4-training, then those of real runs: fig3-random-real, fig3-scale-real,
/// fig4-training-real.
std::span<const std::string_view> paper_figures();

/// Writes the page OUT.html: a section a figure with its caption and, for searches, how each
/// searcher did; our numbers beside those that the paper published, with why they differ; the
/// commands and hashes. Beside it lie OUT.FIGURE.svg and OUT.FIGURE.csv (of fig2a with several
/// scenarios or instances OUT.fig2a.SCENARIO[.INSTANCE].svg; where the optimum is known also
/// OUT.fig2a[...].regret.svg and .csv).
///
/// Equal arguments give equal bytes. The folder of the page is made when it is not there. Each file
/// is replaced as a whole, the page last. Returns the names of the files without their folder, the
/// page first. Throws OutputError when a file cannot be written or gnuplot is missing. Requires
/// figures of paper_figures() and predictions that are in `predictions`.
std::vector<std::string> write_paper(const StudySet& set,
                                     std::span<const PaperPrediction> predictions,
                                     const std::filesystem::path& out_html,
                                     const PaperOptions& options);

}  // namespace cubicbench::results
