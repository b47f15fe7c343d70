#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "results/layout/page_files.h"
#include "results/prediction/chosen_judgement.h"

namespace cubicbench::results {

/// Where a figure on predictions stands.
struct FigurePlace {
  std::string figure_id;  ///< prefix of the ids in its drawing
  std::string file_stem;  ///< of its files: STEM.svg and STEM.csv
};

/// Figures of a judgement as HTML, each with its caption. They add the drawing and its numbers to
/// `files`, and throw OutputError when gnuplot is missing.
std::string add_scatter(const datasets::Dataset& data, const predictor::JudgedDataset& judged,
                        const predictor::Judgement& shown, const FigurePlace& place,
                        std::vector<PageFile>& files);
std::string add_learning_curves(const predictor::JudgedDataset& judged, const FigurePlace& place,
                                std::vector<PageFile>& files);
std::string add_job_times(const datasets::Dataset& data, const FigurePlace& place,
                          std::vector<PageFile>& files);

/// How to read the columns of judgements_table(), as an HTML paragraph with the id "reading": once
/// a page.
std::string judgements_reading();

/// Every predictor on one size of the training part (nothing: on all), as an HTML table, with a
/// note where one of them asks the simulator that made the outcomes.
std::string judgements_table(const predictor::JudgedDataset& judged,
                             std::optional<std::int64_t> train = std::nullopt);

/// Mean tau of every predictor on every size of the training part, as an HTML table: a row a
/// predictor, a column a size.
std::string tau_table(const predictor::JudgedDataset& judged);

}  // namespace cubicbench::results
