#include "results/prediction/predict_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "results/layout/columns.h"
#include "results/document/number_text.h"
#include "results/document/paragraph.h"
#include "results/prediction/physics_note.h"

namespace cubicbench::results {
namespace {

using predictor::Judgement;

constexpr const char* nothing = "-";

std::string count(std::int64_t value) { return grouped(static_cast<std::uint64_t>(value)); }

std::string share(double value, int digits = 3) {
  return std::isfinite(value) ? fixed(value, digits) : std::string(nothing);
}

/// At most four characters below 1,000 %.
std::string short_percent(double value) {
  if (!std::isfinite(value)) return nothing;
  const double hundredths = 100.0 * value;
  return fixed(hundredths, hundredths < 9.95 ? 1 : 0) + "%";
}

std::string head_of(const predictor::JudgedDataset& judged) {
  std::string text = judged.dataset + ": " + count(judged.rows) + " jobs with a time, split by " +
                     std::string(name_of(judged.split));
  if (!judged.judgements.empty()) {
    const std::int64_t repeats = judged.judgements.front().repeats;
    text += ", " + count(repeats) + (repeats == 1 ? " repeat" : " repeats");
  }
  return paragraph("", 0, text);
}

std::vector<std::string> cells_of(const Judgement& of) {
  return {of.predictor + (of.privileged ? " *" : ""),
          count(of.train),
          share(of.kendall.mean),
          share(of.kendall.sd),
          share(of.spearman.mean),
          share(of.pearson_log.mean),
          of.mape ? short_percent(of.mape->mean) : nothing,
          share(of.top_k_recall[2].mean, 2),
          short_percent(of.regret_at[0].mean),
          of.feasibility ? share(of.feasibility->auroc.mean) : nothing};
}

std::string notes_of(const predictor::JudgedDataset& judged) {
  const auto any = [&](auto holds) { return std::ranges::any_of(judged.judgements, holds); };
  std::string text = paragraph(
      "", 0,
      "tau (b), rho and r (of the logarithm) of predicted and measured values over the test part, "
      "sd of tau over the repeats; top10: share of the ten best jobs that are among the ten "
      "predicted best; regret: by how much the job predicted best is worse than the best.");
  if (any([](const Judgement& of) { return of.feasibility.has_value(); })) {
    text += paragraph("", 0,
                      "fits: area under the ROC curve of the feasibility head, which tells jobs "
                      "that run out of memory from those that do not.");
  }
  if (any([](const Judgement& of) { return of.privileged; })) {
    text += paragraph("", 0,
                      "* asks the simulator that made these outcomes, with nominal constants: not "
                      "to be compared with the others.");
  }
  if (any([](const Judgement& of) { return !of.calibrated; })) {
    text += paragraph("", 0,
                      "A predictor without a mean error (MAPE) learnt order alone: its numbers "
                      "have no unit.");
  }
  if (judged.jobs_without_physics > 0) text += paragraph("", 0, physics_note(judged));
  if (judged.noise_ceiling_kendall) {
    text += paragraph("", 0,
                      "Noise ceiling: tau " + share(*judged.noise_ceiling_kendall) +
                          " for one that knew every value without noise.");
  }
  return text;
}

}  // namespace

std::string predict_text(const predictor::JudgedDataset& judged) {
  std::vector<std::vector<std::string>> rows{
      {"predictor", "train", "tau", "sd", "rho", "r", "MAPE", "top10", "regret", "fits"}};
  for (const Judgement& judgement : judged.judgements) rows.push_back(cells_of(judgement));
  return head_of(judged) + "\n" + columns_text(rows) + "\n" + notes_of(judged);
}

}  // namespace cubicbench::results
