#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/jobs/split.h"

namespace cubicbench::datasets {

/// The two parts of a table: its header and its rows as they stand in it.
struct TableParts {
  std::string train;
  std::string test;
  std::size_t train_rows = 0;
  std::size_t test_rows = 0;
  std::vector<std::string> notes{};  ///< of the dataset
};

/// Splits the timed jobs of a table as `predict` does in its repeat number `repeat`. Throws
/// InputError where read_measurements(), measured_dataset() or split_of() do.
TableParts split_table(const TableText& table, SplitKind kind, std::int64_t train,
                       std::uint64_t repeat);

}  // namespace cubicbench::datasets
