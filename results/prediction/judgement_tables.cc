#include <algorithm>
#include <iterator>
#include <vector>

#include "results/document/number_text.h"
#include "results/prediction/chosen_judgement.h"
#include "results/prediction/merits.h"
#include "results/prediction/prediction_section.h"

namespace cubicbench::results {
namespace {

using predictor::JudgedDataset;
using predictor::Judgement;
using Judgements = std::vector<const Judgement*>;

std::string starred_name(const Judgement& of) { return of.predictor + (of.privileged ? " *" : ""); }

const Field<Judgement> head_fields[] = {
    {{"predictor", "predictor", Show::text, "",
      "* marks those that ask the simulator that made the outcomes, with nominal constants, and "
      "are not to be compared with the others"},
     [](const Judgement& of) { return Cell(starred_name(of)); }},
    {{"train", "train", Show::count, "", "jobs learnt from"},
     [](const Judgement& of) { return Cell(of.train); }},
    {{"test", "test", Show::count, "", "jobs predicted"},
     [](const Judgement& of) { return Cell(of.test); }},
    {{"sd", "sd", Show::fixed3, "", "standard deviation of tau over the repeats"},
     [](const Judgement& of) { return Cell(of.kendall.sd); }}};

/// A row for each of them with the means of all figures of merit.
Table means_table(const Judgements& judgements) {
  Table table = table_of<Judgement>(judgements, head_fields);
  for (const Merit& merit : merits()) {
    table.columns.push_back(merit.column);
    for (std::size_t i = 0; i < judgements.size(); ++i) {
      table.rows[i].push_back(merit.cell(*judgements[i], &predictor::MeanAndSd::mean));
    }
  }
  return table;
}

/// The judgement of every predictor with most training jobs, in the order of the first.
Judgements largest(const JudgedDataset& judged) {
  Judgements kept;
  for (const Judgement& of : judged.judgements) {
    const auto found = std::ranges::find(kept, of.predictor, &Judgement::predictor);
    if (found == kept.end()) {
      kept.push_back(&of);
    } else if (of.train > (*found)->train) {
      *found = &of;
    }
  }
  return kept;
}

Table largest_table(const Judgements& judgements) {
  return chosen(means_table(judgements),
                {"predictor", "train", "test", "kendall", "spearman", "pearson_log"});
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

void add_judgements_reading(Document& document) {
  document.add(
      Paragraph{"Over the test part, means over the repeats. " + help_text(judgements_table({}))});
}

Table tau_table(const JudgedDataset& judged) {
  const std::vector<std::int64_t> sizes = train_sizes(judged);
  Table table{.columns = {{"predictor", "Mean tau after learning from"}}};
  for (const std::int64_t size : sizes) {
    table.columns.push_back({std::to_string(size), grouped(size), Show::fixed3});
  }
  for (const Judgement& of : judged.judgements) {
    const Cell name = starred_name(of);
    auto row = std::ranges::find(table.rows, name, [](const auto& cells) { return cells.front(); });
    if (row == table.rows.end()) {
      row = table.rows.emplace(row, table.columns.size());
      row->front() = name;
    }
    const auto at = std::ranges::lower_bound(sizes, of.train) - sizes.begin();
    (*row)[static_cast<std::size_t>(at) + 1] = of.kendall.mean;
  }
  return table;
}

Document predictions_document(std::span<const NamedJudgement> named) {
  Table table = largest_table({});
  const std::string reading = help_text(table);
  table.columns.insert(table.columns.begin(), {"prediction", "prediction"});
  for (const NamedJudgement& one : named) {
    std::string name = one.name;
    for (std::vector<Cell>& row : largest_table(largest(*one.judged)).rows) {
      row.insert(row.begin(), std::exchange(name, ""));
      table.rows.push_back(std::move(row));
    }
  }
  Document document{.title = ""};
  if (table.rows.empty()) return document;
  document.add(std::move(table));
  document.add(Paragraph{reading});
  return document;
}

}  // namespace cubicbench::results
