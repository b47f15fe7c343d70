#include "results/tables/law_errors.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "results/document/json.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using Share = std::optional<double>;

struct LawRow {
  std::string source;
  std::size_t runs = 0;
  Share median, mean, p90, left_median, left_mean, left_p90;
};

const Field<LawRow> law_fields[] = {
    {{"source", "source"}, &LawRow::source},
    {{"runs", "runs"}, &LawRow::runs},
    {{"median", "median", Show::percent}, &LawRow::median},
    {{"mean", "mean", Show::percent}, &LawRow::mean},
    {{"p90", "90 %", Show::percent}, &LawRow::p90},
    {{"left_out_median", "left out, median", Show::percent}, &LawRow::left_median},
    {{"left_out_mean", "left out, mean", Show::percent}, &LawRow::left_mean},
    {{"left_out_p90", "left out, 90 %", Show::percent}, &LawRow::left_p90}};

LawRow row_of(const predictor::LawErrors& errors) {
  constexpr double most = 0.9;
  return {.source = errors.source,
          .runs = errors.fitted.size(),
          .median = support::median_if_any(errors.fitted),
          .mean = errors.fitted.empty() ? Share() : support::mean(errors.fitted),
          .p90 = support::quantile_if_any(errors.fitted, most),
          .left_median = support::median_if_any(errors.left_out),
          .left_mean = errors.left_out.empty() ? Share() : support::mean(errors.left_out),
          .left_p90 = support::quantile_if_any(errors.left_out, most)};
}

std::vector<LawRow> rows_of(const std::vector<predictor::LawErrors>& sources) {
  predictor::LawErrors all{.source = "all", .fitted = {}, .left_out = {}};
  std::vector<LawRow> rows;
  for (const predictor::LawErrors& source : sources) {
    rows.push_back(row_of(source));
    all.fitted.insert(all.fitted.end(), source.fitted.begin(), source.fitted.end());
    all.left_out.insert(all.left_out.end(), source.left_out.begin(), source.left_out.end());
  }
  rows.push_back(row_of(all));
  return rows;
}

}  // namespace

Table law_errors_table(const std::vector<predictor::LawErrors>& sources) {
  return table_of<LawRow>(rows_of(sources), law_fields);
}

nlohmann::ordered_json law_errors_json(const std::vector<predictor::LawErrors>& sources) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const LawRow& row : rows_of(sources)) rows.push_back(json_of<LawRow>(row, law_fields));
  return rows;
}

}  // namespace cubicbench::results
