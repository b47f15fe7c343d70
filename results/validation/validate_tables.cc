#include "results/validation/validate_tables.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "results/validation/exclusion.h"
#include "results/validation/validate_row.h"
#include "support/parallel.h"

namespace cubicbench::results {
namespace {

/// A row that is wanted.
struct Task {
  const datasets::MeasuredTable* table;
  const TableName* name;
  std::size_t row;
  std::size_t line;  ///< in its file
};

/// A table's file is a path, or the name of a table in the program, whose files end in ".csv".
TableName name_of(const datasets::MeasuredTable& table) {
  return std::visit(
      [](const auto& kind) {
        const std::string name = kind.file.substr(kind.file.find_last_of('/') + 1);
        const bool has_extension = name.find('.') != std::string::npos;
        return TableName{.source = kind.name, .file = name + (has_extension ? "" : ".csv")};
      },
      table);
}

std::vector<Exclusion> exclusions(const datasets::MeasuredTable& table, const WantedRows& wanted) {
  return std::visit([&](const auto& kind) { return exclusions_of(kind, wanted); }, table);
}

std::size_t line_of(const datasets::MeasuredTable& table, std::size_t row) {
  return std::visit([&](const auto& kind) { return kind.rows[row].line; }, table);
}

ValidatedRow row_of(const Task& task, sim::Workspace& workspace) {
  return std::visit(
      [&](const auto& kind) { return validate_row(kind.rows[task.row], *task.name, workspace); },
      *task.table);
}

}  // namespace

Validation validate_tables(std::span<const datasets::MeasuredTable> tables,
                           const WantedRows& wanted, int threads) {
  Validation validation;
  std::vector<TableName> names;
  for (const datasets::MeasuredTable& table : tables) names.push_back(name_of(table));
  std::vector<Task> tasks;
  std::ptrdiff_t first_of_file = 0;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const bool same_file = t > 0 && names[t].source == names[t - 1].source;
    if (!same_file) first_of_file = std::ssize(tasks);
    const std::vector<Exclusion> reasons = exclusions(tables[t], wanted);
    for (std::size_t row = 0; row < reasons.size(); ++row) {
      if (reasons[row] == Exclusion::none) {
        tasks.push_back({&tables[t], &names[t], row, line_of(tables[t], row)});
      } else {
        ++validation.excluded[reasons[row]];
      }
    }
    if (same_file) {
      std::ranges::stable_sort(tasks.begin() + first_of_file, tasks.end(), {}, &Task::line);
    }
  }
  constexpr std::size_t block = 32;  // rows that share a workspace
  std::vector<ValidatedRow> rows(tasks.size());
  support::parallel_for((tasks.size() + block - 1) / block, threads, [&](std::size_t b) {
    sim::Workspace workspace;
    const std::size_t end = std::min(tasks.size(), (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) rows[i] = row_of(tasks[i], workspace);
  });
  for (ValidatedRow& row : rows) {
    (row.reason.empty() ? validation.rows : validation.skipped).push_back(std::move(row));
  }
  return validation;
}

}  // namespace cubicbench::results
