#include "results/prediction/judgements.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "predictor/judging/chosen_judgement.h"
#include "results/document/csv.h"
#include "results/document/json.h"
#include "results/document/number_text.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using predictor::JudgedDataset;
using predictor::Judgement;
using predictor::Judgements;
using support::MeanAndSd;

/// A figure of merit over the test part, in every form that it takes.
struct Merit {
  enum class InJson { no, mean, mean_and_sd };

  InJson in_json = InJson::mean;
  /// Nothing where it does not apply: the error of a predictor of order alone, feasibility where
  /// no job ran out of memory.
  std::optional<MeanAndSd> (*of)(const Judgement&) = nullptr;
  Column column;
  Best best = Best::greatest;

  Cell cell(const Judgement& judgement, double MeanAndSd::*figure) const {
    const std::optional<MeanAndSd> spread = of(judgement);
    return spread ? Cell((*spread).*figure) : Cell();
  }
};
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

/// In the order of JSON and CSV.
const Merit merits[] = {
    {mean_and_sd,
     of<&Judgement::kendall>,
     {"kendall", "tau", Show::fixed3, "", "Kendall's tau-b of predicted and measured values"}},
    {mean_and_sd,
     of<&Judgement::spearman>,
     {"spearman", "rho", Show::fixed3, "", "Spearman's rho of the same"}},
    {mean_and_sd,
     of<&Judgement::pearson_log>,
     {"pearson_log", "r", Show::fixed3, "", "Pearson's r of their logarithms"}},
    {mean_and_sd,
     of<&Judgement::mape>,
     {"mape", "MAPE", Show::percent, "",
      "mean error relative to the measured value, none for predictors that learnt order alone, "
      "whose predictions have no unit"},
     Best::least},
    {mean,
     at<&Judgement::top_k_recall, 0>,
     {.key = "top_k_recall.1", .heading = "", .csv_key = "top_1_recall"}},
    {mean,
     at<&Judgement::top_k_recall, 1>,
     {.key = "top_k_recall.5", .heading = "", .csv_key = "top_5_recall"}},
    {mean,
     at<&Judgement::top_k_recall, 2>,
     {"top_k_recall.10", "top10", Show::fixed3, "",
      "share of the ten best jobs that are among the ten predicted best", "top_10_recall"}},
    {mean,
     at<&Judgement::regret_at, 0>,
     {"regret_at.1", "regret", Show::percent, "",
      "how much worse than the best job the job predicted best is"},
     Best::least},
    {mean, at<&Judgement::regret_at, 1>, {"regret_at.5", ""}},
    {mean, at<&Judgement::regret_at, 2>, {"regret_at.10", ""}},
    {mean_and_sd,
     of<&Judgement::within_gpu_count_kendall>,
     {"within_gpu_count.kendall", "tau at one GPU count", Show::fixed3, "",
      "tau among jobs with the same number of GPUs"}},
    {no, of<&Judgement::kendall_of_total>, {"kendall_of_total", ""}},
    {no, of<&Judgement::spearman_of_total>, {"spearman_of_total", ""}},
    {no, of<&Judgement::pearson_of_total>, {"pearson_of_total", ""}},
    {mean,
     of_head<&Judgement::Feasibility::auroc>,
     {"feasibility.auroc", "fits", Show::fixed3, "",
      "how well jobs that run out of memory are told from those that do not (area under the ROC "
      "curve)"}},
    {mean, of_head<&Judgement::Feasibility::auprc>, {"feasibility.auprc", ""}},
    {mean, of_head<&Judgement::Feasibility::brier>, {"feasibility.brier", ""}}};

std::string starred_name(const Judgement& of) { return of.predictor + (of.privileged ? " *" : ""); }

const Field<Judgement> head_fields[] = {
    {{"predictor", "predictor", Show::text, "",
      "* marks those that ask the simulator that made the outcomes, with nominal constants, and "
      "are not to be compared with the others"},
     starred_name},
    {{"train", "train", Show::count, "", "jobs learnt from"}, &Judgement::train},
    {{"test", "test", Show::count, "", "jobs predicted"}, &Judgement::test},
    {{"sd", "sd", Show::fixed3, "", "standard deviation of tau over the repeats"},
     [](const Judgement& of) { return of.kendall.sd; }}};

/// A row for each of them with the means of all figures of merit.
Table means_table(const Judgements& judgements) {
  Table table = table_of<Judgement>(judgements, head_fields);
  if (!judgements.empty() && std::ranges::none_of(judgements, &Judgement::privileged)) {
    table.columns.front().help.clear();  // there is no star
  }
  for (std::size_t i = 0; i < judgements.size(); ++i) {
    if (judgements[i]->privileged) table.apart.push_back(i);
  }
  for (const Merit& merit : merits) {
    table.columns.push_back(with_best(merit.column, merit.best));
    for (std::size_t i = 0; i < judgements.size(); ++i) {
      table.rows[i].push_back(merit.cell(*judgements[i], &MeanAndSd::mean));
    }
  }
  return table;
}

Json judgement_json(const Judgement& of) {
  std::vector<Column> columns =
      data_columns({"predictor", "privileged", "train", "test", "repeats"});
  std::vector<Cell> cells{of.predictor, of.privileged, of.train, of.test, of.repeats};
  const auto add = [&](std::string key, Cell cell) {
    columns.push_back({std::move(key), ""});
    cells.push_back(std::move(cell));
  };
  for (const Merit& merit : merits) {
    if (merit.in_json == Merit::InJson::no) continue;
    const bool has_sd = merit.in_json == Merit::InJson::mean_and_sd;
    const std::string& key = merit.column.key;
    const std::string mean_key = has_sd ? key + ".mean" : key;
    if (!merit.of(of)) {
      // Null stands for the whole object that would hold it.
      add(mean_key.substr(0, mean_key.rfind('.')), Cell());
      continue;
    }
    add(mean_key, merit.cell(of, &MeanAndSd::mean));
    if (has_sd) add(key + ".sd", merit.cell(of, &MeanAndSd::sd));
  }
  return json_of(columns, cells);
}

}  // namespace

Table judgements_table(const JudgedDataset& judged, std::optional<std::int64_t> train) {
  Judgements judgements;
  for (const Judgement& of : judged.judgements) {
    if (!train || of.train == *train) judgements.push_back(&of);
  }
  return chosen(means_table(judgements), {"predictor", "train", "test", "kendall", "sd", "spearman",
                                          "pearson_log", "mape", "within_gpu_count.kendall",
                                          "top_k_recall.10", "regret_at.1", "feasibility.auroc"});
}

std::string reading_of(const Table& judgements) {
  return "Over the test part, means over the repeats. " + help_text(judgements);
}

void add_judgements_reading(Document& document) {
  document.add(Paragraph{reading_of(judgements_table({}))});
}

Table tau_table(const JudgedDataset& judged) {
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  Table table{.columns = {{"predictor", "Mean tau after learning from"}}};
  for (const std::int64_t size : sizes) {
    table.columns.push_back(
        with_best({std::to_string(size), grouped(size), Show::fixed3}, Best::greatest));
  }
  for (const Judgements& judgements : by_predictor(judged)) {
    if (judgements.front()->privileged) table.apart.push_back(table.rows.size());
    std::vector<Cell>& row = table.rows.emplace_back(table.columns.size());
    row.front() = starred_name(*judgements.front());
    for (const Judgement* const of : judgements) {
      const auto at = std::ranges::lower_bound(sizes, of->train) - sizes.begin();
      row[static_cast<std::size_t>(at) + 1] = of->kendall.mean;
    }
  }
  return table;
}

Document predictions_document(std::span<const NamedJudgement> named) {
  Judgements largest;
  Table names{.columns = {{"prediction", "prediction"}}};
  for (const NamedJudgement& one : named) {
    std::string name = one.name;
    for (const Judgements& judgements : by_predictor(*one.judged)) {
      largest.push_back(judgements.back());
      names.rows.push_back({std::exchange(name, "")});
    }
  }
  Document document;
  if (largest.empty()) return document;
  const Table table = beside(std::move(names),
                             chosen(means_table(largest), {"predictor", "train", "test", "kendall",
                                                           "spearman", "pearson_log"}));
  document.add(table);
  document.add(Paragraph{reading_of(table)});
  return document;
}

std::string predict_csv(const JudgedDataset& judged) {
  Table table{.columns = data_columns(
                  {"dataset", "split", "predictor", "privileged", "train", "test", "repeat"})};
  for (const Merit& merit : merits) table.columns.push_back(merit.column);
  for (const char* const key : {"noise_ceiling_kendall", "rows"})
    table.columns.push_back({key, ""});
  const auto add = [&](const Judgement& of, const Cell& repeat, const Cell& ceiling, auto cell_of) {
    std::vector<Cell>& row = table.rows.emplace_back();
    row = {judged.dataset, name_of(judged.split),
           of.predictor,   of.privileged ? "true" : "false",
           of.train,       of.test,
           repeat};
    for (const Merit& merit : merits) row.push_back(cell_of(merit));
    row.push_back(ceiling);
    row.push_back(judged.rows);
  };
  for (const Judgement& of : judged.judgements) {
    add(of, "mean", judged.noise_ceiling_kendall,
        [&](const Merit& merit) { return merit.cell(of, &MeanAndSd::mean); });
    add(of, "sd", Cell(), [&](const Merit& merit) { return merit.cell(of, &MeanAndSd::sd); });
    for (std::size_t repeat = 0; repeat < of.kendall_of_repeat.size(); ++repeat) {
      add(of, repeat, Cell(), [&](const Merit& merit) {
        return merit.column.key == "kendall" ? Cell(of.kendall_of_repeat[repeat]) : Cell();
      });
    }
  }
  return csv_of(table);
}

Json predict_json(const predictor::JudgedDataset& judged) {
  Json document = support::new_document("predict");
  document["dataset"] = judged.dataset;
  document["split"] = name_of(judged.split);
  document["rows"] = judged.rows;
  document["results"] = Json::array();
  for (const Judgement& of : judged.judgements) document["results"].push_back(judgement_json(of));
  document["noise_ceiling"] = {{"kendall", json_of(Cell(judged.noise_ceiling_kendall))}};
  return document;
}

}  // namespace cubicbench::results
