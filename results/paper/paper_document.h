#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "results/document/document.h"
#include "results/prediction/judgements.h"
#include "results/studies/searcher_curves.h"
#include "scenarios/readers/campaign_reader.h"

namespace cubicbench::results {

struct PaperOptions {
  CurveOptions curves;
  std::string title = "Every figure of the paper";  ///< the heading
  std::vector<std::string> figures;                 ///< of paper_figures(), in the page's order
  std::vector<std::string> commands;                ///< that make the page again
};

/// The figures that exist, in the paper's order, then those of real runs.
std::vector<scenarios::CampaignFigure> paper_figures();

/// The page OUT.html: a section per figure with its caption and, for searches, how each searcher
/// did; our numbers beside the published ones, with why they differ; the commands and hashes. Its
/// files are OUT.FIGURE.svg and OUT.FIGURE.csv (for fig2a with several scenarios or instances
/// OUT.fig2a.SCENARIO[.INSTANCE].svg; where the optimum is known also OUT.fig2a[...].regret.svg and
/// .csv) and OUT.PREDICTION.judged.csv. Equal arguments give equal bytes. Requires figures of
/// paper_figures(), and the predictions that they are drawn from.
Document paper_document(const search::StudySet& set, std::span<const NamedJudgement> predictions,
                        const std::filesystem::path& out_html, const PaperOptions& options);

}  // namespace cubicbench::results
