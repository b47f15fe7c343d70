#include "cli/dataset_verb.h"
#include "datasets/catalog/measured_catalog.h"
#include "results/document/terminal.h"
#include "results/tables/table_summary.h"

namespace cubicbench::cli {
namespace {

void check_name(const DatasetAsked& asked) {
  require_one_name(asked, "the dataset to describe; see cubicbench list datasets");
}

std::string answer(const DatasetAsked& asked) {
  const results::TableSummary summary = results::summary_of(
      datasets::find_table(asked.names.front(), "dataset describe", asked.global.threads));
  return asked.global.json ? results::summary_json(summary)
                           : results::terminal_text(results::summary_document(summary));
}

}  // namespace

DatasetVerb dataset_describe() {
  return {.name = "describe", .check_names = check_name, .answer = answer};
}

}  // namespace cubicbench::cli
