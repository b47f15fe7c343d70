#include "results/prediction/predict_csv.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "support/csv.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using predictor::Judgement;
using support::MeanAndSd;

constexpr std::array<std::string_view, 26> columns{"dataset",
                                                   "split",
                                                   "predictor",
                                                   "privileged",
                                                   "train",
                                                   "test",
                                                   "repeat",
                                                   "kendall",
                                                   "spearman",
                                                   "pearson_log",
                                                   "mape",
                                                   "top_1_recall",
                                                   "top_5_recall",
                                                   "top_10_recall",
                                                   "regret_at_1",
                                                   "regret_at_5",
                                                   "regret_at_10",
                                                   "within_gpu_count_kendall",
                                                   "kendall_of_total",
                                                   "spearman_of_total",
                                                   "pearson_of_total",
                                                   "feasibility_auroc",
                                                   "feasibility_auprc",
                                                   "feasibility_brier",
                                                   "noise_ceiling_kendall",
                                                   "rows"};

using Record = std::array<std::string, columns.size()>;

std::string text_of(double value) {
  return std::isfinite(value) ? support::shortest(value) : std::string();
}

/// Every figure of merit in the order of the columns from "kendall" on.
std::array<std::optional<MeanAndSd>, 17> merits_of(const Judgement& of) {
  using Feasibility = Judgement::Feasibility;
  const auto head = [&](MeanAndSd Feasibility::*member) -> std::optional<MeanAndSd> {
    if (!of.feasibility) return std::nullopt;
    return (*of.feasibility).*member;
  };
  return {of.kendall,
          of.spearman,
          of.pearson_log,
          of.mape,
          of.top_k_recall[0],
          of.top_k_recall[1],
          of.top_k_recall[2],
          of.regret_at[0],
          of.regret_at[1],
          of.regret_at[2],
          of.within_gpu_count_kendall,
          of.kendall_of_total,
          of.spearman_of_total,
          of.pearson_of_total,
          head(&Feasibility::auroc),
          head(&Feasibility::auprc),
          head(&Feasibility::brier)};
}

class Table {
 public:
  explicit Table(const predictor::JudgedDataset& judged) : judged_(judged) {
    Record names;
    for (std::size_t i = 0; i < columns.size(); ++i) names[i] = columns[i];
    text_ = support::csv_record(names);
  }

  void add(const Judgement& judgement) {
    add_merits(judgement, "mean", &MeanAndSd::mean);
    add_merits(judgement, "sd", &MeanAndSd::sd);
    for (std::size_t repeat = 0; repeat < judgement.kendall_of_repeat.size(); ++repeat) {
      Record record = start_of(judgement, std::to_string(repeat));
      record[first_merit] = text_of(judgement.kendall_of_repeat[repeat]);
      text_ += support::csv_record(record);
    }
  }

  std::string text() && { return std::move(text_); }

 private:
  static constexpr std::size_t first_merit = 7;

  Record start_of(const Judgement& of, const std::string& repeat) const {
    Record record;
    record[0] = judged_.dataset;
    record[1] = name_of(judged_.split);
    record[2] = of.predictor;
    record[3] = of.privileged ? "true" : "false";
    record[4] = std::to_string(of.train);
    record[5] = std::to_string(of.test);
    record[6] = repeat;
    record[columns.size() - 1] = std::to_string(judged_.rows);
    return record;
  }

  void add_merits(const Judgement& of, const std::string& repeat, double MeanAndSd::*member) {
    Record record = start_of(of, repeat);
    const auto merits = merits_of(of);
    for (std::size_t i = 0; i < merits.size(); ++i) {
      if (merits[i]) record[first_merit + i] = text_of((*merits[i]).*member);
    }
    if (repeat == "mean" && judged_.noise_ceiling_kendall) {
      record[columns.size() - 2] = text_of(*judged_.noise_ceiling_kendall);
    }
    text_ += support::csv_record(record);
  }

  const predictor::JudgedDataset& judged_;
  std::string text_;
};

}  // namespace

std::string predict_csv(const predictor::JudgedDataset& judged) {
  Table table(judged);
  for (const Judgement& judgement : judged.judgements) table.add(judgement);
  return std::move(table).text();
}

}  // namespace cubicbench::results
