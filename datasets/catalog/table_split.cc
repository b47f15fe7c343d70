#include "datasets/catalog/table_split.h"

#include <span>

#include "datasets/jobs/measured_dataset.h"
#include "support/csv.h"

namespace cubicbench::datasets {
namespace {

std::string part_of(const support::CsvTable& table, std::span<const std::size_t> rows) {
  std::string text = std::string(table.header.text) + "\n";
  for (const std::size_t row : rows) text += std::string(table.records[row].text) + "\n";
  return text;
}

/// The row of every job.
std::vector<std::size_t> rows_of_jobs(const Measurements& measurements) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < measurements.rows.size(); ++row) {
    if (job_status_of(measurements.rows[row])) rows.push_back(row);
  }
  return rows;
}

}  // namespace

TableParts split_table(const TableText& table, SplitKind kind, std::int64_t train,
                       std::uint64_t repeat) {
  const Measurements measurements = read_measurements(table.text, table.file);
  const Dataset data = measured_dataset(measurements, FeatureSet::launch);
  Split split = split_of(data, timed_jobs(data), kind, train, repeat, table.file);
  const std::vector<std::size_t> rows = rows_of_jobs(measurements);
  for (std::size_t& job : split.train) job = rows[job];
  for (std::size_t& job : split.test) job = rows[job];
  const support::CsvTable csv = support::read_csv(table.text, table.file);
  return {.train = part_of(csv, split.train),
          .test = part_of(csv, split.test),
          .train_rows = split.train.size(),
          .test_rows = split.test.size(),
          .notes = data.notes};
}

}  // namespace cubicbench::datasets
