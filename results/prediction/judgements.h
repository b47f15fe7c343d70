#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "predictor/judging/protocol.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// Every predictor on one size of the training part (nothing: on all), with the means of what it
/// is judged by. A star marks those that ask the simulator that made the outcomes.
Table judgements_table(const predictor::JudgedDataset& judged,
                       std::optional<std::int64_t> train = std::nullopt);

/// What the columns of such a table mean, a paragraph.
std::string reading_of(const Table& judgements);

/// The same of all columns of judgements_table(): once a page.
void add_judgements_reading(Document& document);

/// Mean tau of every predictor on every size of the training part: a row a predictor, a column a
/// size.
Table tau_table(const predictor::JudgedDataset& judged);

/// A judgement and what it is called. What it points to must outlive it.
struct NamedJudgement {
  std::string name;
  const datasets::Dataset* data = nullptr;
  const predictor::JudgedDataset* judged = nullptr;
  std::string command{};  ///< that makes the same judgement alone; empty: left out
};

/// How well the jobs of `data` are predicted: every predictor on every size of the training part
/// and what the columns mean. A page also has the learning curves, where several sizes were judged,
/// the scatter plot of the best predictor, every number as prediction.csv and `command`, which
/// makes it again ("": left out).
Document prediction_document(const datasets::Dataset& data, const predictor::JudgedDataset& judged,
                             const std::string& command);

/// Several judgements: a row a predictor with its largest training part, and what the columns mean.
Document predictions_document(std::span<const NamedJudgement> named);

/// Every number of the judgement as CSV. The column `repeat` says what a row is: "mean" or "sd"
/// over the repeats, with every figure of merit, or the number of a repeat, from 0, of which
/// Kendall's tau is kept. What does not apply is empty; numbers are in the shortest form that reads
/// back.
std::string predict_csv(const predictor::JudgedDataset& judged);

/// What `predict --json` prints [docs/reference/json-documents.md]: an entry a predictor and size
/// of the training part, in the order asked for. Correlations and errors are {"mean", "sd"} over
/// the repeats, all other figures of merit means. Null is what does not apply: the error of a
/// predictor of order alone, feasibility where nothing ran out of memory, the noise ceiling of real
/// runs.
nlohmann::ordered_json predict_json(const predictor::JudgedDataset& judged);

}  // namespace cubicbench::results
