#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// A table of runs at a glance.
struct TableSummary {
  std::string name;
  datasets::DatasetKind kind = datasets::DatasetKind::runs;
  std::size_t rows = 0;
  Table columns{};  ///< a row for each column of the file, in its order: what its cells hold
  std::array<std::size_t, 4> status{};  ///< rows by MeasurementStatus; all ok unless runs
  std::size_t timed = 0;                ///< jobs that predictors learn the target from
  std::size_t fitting = 0;              ///< jobs that say whether they fitted
  std::vector<std::string> notes{};     ///< on rows that are left out
};

/// Throws InputError where read_measured_table() does.
TableSummary summary_of(const datasets::TableText& table);

/// The document of `dataset describe --json` [docs/reference/json-documents.md].
std::string summary_json(const TableSummary& summary);

/// The same for people.
Document summary_document(const TableSummary& summary);

}  // namespace cubicbench::results
