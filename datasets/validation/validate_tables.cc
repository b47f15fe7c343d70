#include "datasets/validation/validate_tables.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "datasets/mapping/mapped_collective.h"
#include "datasets/validation/validate_row.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

Exclusion exclusion_of(const Measurement& row, const WantedRows& wanted) {
  if (row.status == MeasurementStatus::requirement) return Exclusion::requirement;
  if (row.status == MeasurementStatus::other) return Exclusion::other;
  if (wanted.qualities.contains(row.quality)) return Exclusion::none;
  if (row.quality == MeasurementQuality::flag) return Exclusion::flag;
  return row.quality == MeasurementQuality::untuned ? Exclusion::untuned : Exclusion::none;
}

Exclusion exclusion_of(const CollectiveMeasurement& row, const WantedRows& wanted) {
  if (!is_wanted(row)) return Exclusion::unnamed;
  const bool flagged = is_flagged(row);
  return flagged && !wanted.qualities.contains(MeasurementQuality::flag) ? Exclusion::flag
                                                                         : Exclusion::none;
}

Exclusion exclusion_of(const RecommendationMeasurement& row, const WantedRows& wanted) {
  if (!row.repeat_of_round.empty()) return Exclusion::duplicate;
  const bool flagged = row.quality == "flag";
  return flagged && !wanted.qualities.contains(MeasurementQuality::flag) ? Exclusion::flag
                                                                         : Exclusion::none;
}

/// What two timings share that differ in their buffers alone. What else is said of a row, such as
/// its notes, may be said of one of them only.
auto operation_of(const CollectiveMeasurement& row) {
  return std::tie(row.source, row.system, row.collective, row.n_gpus, row.size_bytes, row.dtype,
                  row.nccl_version, row.sweep_id, row.concurrent_groups);
}

void exclude_twins(const std::vector<CollectiveMeasurement>& rows, std::vector<Exclusion>& of) {
  std::set<decltype(operation_of(rows.front()))> out_of_place;
  for (const CollectiveMeasurement& row : rows) {
    if (row.placement == "out_of_place") out_of_place.insert(operation_of(row));
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool twin =
        rows[i].placement == "in_place" && out_of_place.contains(operation_of(rows[i]));
    if (twin) of[i] = Exclusion::duplicate;
  }
}

/// A row that is wanted.
struct Task {
  std::size_t line;  ///< in its file
  std::function<ValidatedRow(sim::Workspace&)> validated;
};

/// A table's file is a path, or the name of a table in the program, whose files end in ".csv".
template <class Table>
TableName name_of(const Table& table) {
  const std::string name = table.file.substr(table.file.find_last_of('/') + 1);
  const bool has_extension = name.find('.') != std::string::npos;
  return {.source = table.name, .file = name + (has_extension ? "" : ".csv")};
}

/// No constants of a stack are asked for collectives, and recommendation models have stacks of
/// their own.
template <class Row>
ValidatedRow validated(const Row& row, const TableName& name, sim::Workspace& workspace,
                       const Played& played) {
  if constexpr (std::is_same_v<Row, Measurement>) {
    return validate_row(row, name, workspace, played);
  } else {
    return validate_row(row, name, workspace);
  }
}

template <class Table>
void add_tasks(const Table& table, const std::vector<Exclusion>& exclusions, const Played& played,
               std::vector<Task>& tasks, ExcludedRows& excluded) {
  const TableName name = name_of(table);
  for (std::size_t i = 0; i < exclusions.size(); ++i) {
    if (exclusions[i] != Exclusion::none) {
      ++excluded[exclusions[i]];
      continue;
    }
    tasks.push_back(
        {table.rows[i].line, [&row = table.rows[i], &played, name](sim::Workspace& workspace) {
           return validated(row, name, workspace, played);
         }});
  }
}

}  // namespace

std::vector<Exclusion> exclusions_of(const MeasuredTable& table, const WantedRows& wanted) {
  std::vector<Exclusion> exclusions;
  std::visit(
      [&](const auto& kind) {
        for (const auto& row : kind.rows) exclusions.push_back(exclusion_of(row, wanted));
      },
      table);
  const auto* const collectives = std::get_if<CollectiveMeasurements>(&table);
  if (collectives != nullptr) exclude_twins(collectives->rows, exclusions);
  return exclusions;
}

Validation validate_tables(std::span<const MeasuredTable> tables, const WantedRows& wanted,
                           int threads, const Played& played) {
  Validation validation;
  std::vector<Task> tasks;
  std::string file;
  std::ptrdiff_t first_of_file = 0;
  for (const MeasuredTable& table : tables) {
    const std::string name = std::visit([](const auto& kind) { return kind.name; }, table);
    if (std::exchange(file, name) != name) first_of_file = std::ssize(tasks);
    const std::vector<Exclusion> exclusions = exclusions_of(table, wanted);
    std::visit(
        [&](const auto& kind) { add_tasks(kind, exclusions, played, tasks, validation.excluded); },
        table);
    std::ranges::stable_sort(tasks.begin() + first_of_file, tasks.end(), {}, &Task::line);
  }
  constexpr std::size_t block = 32;  // rows that share a workspace
  std::vector<ValidatedRow> rows(tasks.size());
  support::parallel_for((tasks.size() + block - 1) / block, threads, [&](std::size_t b) {
    sim::Workspace workspace;
    const std::size_t end = std::min(tasks.size(), (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) rows[i] = tasks[i].validated(workspace);
  });
  for (ValidatedRow& row : rows) {
    (row.reason.empty() ? validation.rows : validation.skipped).push_back(std::move(row));
  }
  return validation;
}

}  // namespace cubicbench::datasets
