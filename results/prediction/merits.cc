#include "results/prediction/merits.h"

#include <cstddef>

namespace cubicbench::results {
namespace {

using predictor::Judgement;
using predictor::MeanAndSd;
using enum Merit::InJson;

template <auto member>
std::optional<MeanAndSd> of(const Judgement& judgement) {
  return judgement.*member;
}

/// Of the place `k` in top_ks.
template <auto member, std::size_t k>
std::optional<MeanAndSd> at(const Judgement& judgement) {
  return (judgement.*member)[k];
}

template <MeanAndSd Judgement::Feasibility::*member>
std::optional<MeanAndSd> of_head(const Judgement& judgement) {
  if (!judgement.feasibility) return std::nullopt;
  return (*judgement.feasibility).*member;
}

const Merit all[] = {
    {{"kendall", "tau", Show::fixed3, "", "Kendall's tau-b of predicted and measured values"},
     mean_and_sd,
     of<&Judgement::kendall>},
    {{"spearman", "rho", Show::fixed3, "", "Spearman's rho of the same"},
     mean_and_sd,
     of<&Judgement::spearman>},
    {{"pearson_log", "r", Show::fixed3, "", "Pearson's r of their logarithms"},
     mean_and_sd,
     of<&Judgement::pearson_log>},
    {{"mape", "MAPE", Show::percent, "",
      "mean error relative to the measured value, none for predictors that learnt order alone, "
      "whose predictions have no unit"},
     mean_and_sd,
     of<&Judgement::mape>},
    {{.key = "top_k_recall.1", .heading = "", .csv_key = "top_1_recall"},
     mean,
     at<&Judgement::top_k_recall, 0>},
    {{.key = "top_k_recall.5", .heading = "", .csv_key = "top_5_recall"},
     mean,
     at<&Judgement::top_k_recall, 1>},
    {{"top_k_recall.10", "top 10", Show::fixed3, "",
      "share of the ten best jobs that are among the ten predicted best", "top_10_recall"},
     mean,
     at<&Judgement::top_k_recall, 2>},
    {{"regret_at.1", "regret", Show::percent, "",
      "how much worse than the best job the job predicted best is"},
     mean,
     at<&Judgement::regret_at, 0>},
    {{"regret_at.5", ""}, mean, at<&Judgement::regret_at, 1>},
    {{"regret_at.10", ""}, mean, at<&Judgement::regret_at, 2>},
    {{"within_gpu_count.kendall", "tau at one GPU count", Show::fixed3, "",
      "tau among jobs with the same number of GPUs"},
     mean_and_sd,
     of<&Judgement::within_gpu_count_kendall>},
    {{"kendall_of_total", ""}, no, of<&Judgement::kendall_of_total>},
    {{"spearman_of_total", ""}, no, of<&Judgement::spearman_of_total>},
    {{"pearson_of_total", ""}, no, of<&Judgement::pearson_of_total>},
    {{"feasibility.auroc", "fits", Show::fixed3, "",
      "how well jobs that run out of memory are told from those that do not (area under the ROC "
      "curve)"},
     mean,
     of_head<&Judgement::Feasibility::auroc>},
    {{"feasibility.auprc", ""}, mean, of_head<&Judgement::Feasibility::auprc>},
    {{"feasibility.brier", ""}, mean, of_head<&Judgement::Feasibility::brier>}};

}  // namespace

Cell Merit::cell(const Judgement& judgement, double MeanAndSd::*figure) const {
  const std::optional<MeanAndSd> spread = of(judgement);
  return spread ? Cell((*spread).*figure) : Cell();
}

std::span<const Merit> merits() { return all; }

}  // namespace cubicbench::results
