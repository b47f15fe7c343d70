#include "datasets/catalog/measured_catalog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "datasets/catalog/measured_table.h"
#include "datasets/embedded.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

constexpr const char* sweep = "hf_ultrascale_nanotron_sweep";

std::int64_t rows_with(const Measurements& table, MeasurementStatus status,
                       MeasurementQuality quality) {
  return std::ranges::count_if(table.rows, [&](const Measurement& row) {
    return row.status == status && row.quality == quality;
  });
}

/// "2,893".
std::string count_text(std::size_t rows) {
  std::string text = std::to_string(rows);
  if (text.size() > 3) text.insert(text.size() - 3, ",");
  return text;
}

TEST(MeasuredCatalog, TellsNamesFromPaths) {
  EXPECT_TRUE(is_table_path("runs.csv"));
  EXPECT_TRUE(is_table_path("./runs"));
  EXPECT_FALSE(is_table_path("llm-history"));
  EXPECT_FALSE(is_table_path("runs.csv.gz"));
}

TEST(MeasuredCatalog, EveryNameIsATableOfItsKind) {
  EXPECT_TRUE(std::ranges::is_sorted(named_datasets(), {}, &NamedDataset::name));
  for (const NamedDataset& dataset : named_datasets()) {
    SCOPED_TRACE(dataset.name);
    const std::vector<MeasuredTable> tables =
        find_measured_tables(std::string(dataset.name), "DATASET");
    ASSERT_EQ(tables.size(), 1U);
    const MeasuredTable& table = tables.front();
    EXPECT_EQ(kind_of(table), dataset.kind);
    EXPECT_EQ(std::visit([](const auto& rows) { return rows.name; }, table), dataset.name);
    EXPECT_EQ(dataset.measured, dataset.name != "llm-history");
    // Every summary says how many rows there are.
    const std::string rows = count_text(row_count(table));
    EXPECT_NE(dataset.summary.find(rows + " "), std::string_view::npos) << rows;
  }
}

TEST(MeasuredCatalog, EveryTableInTheProgramHasANameAndItsSources) {
  const std::string sources =
      support::read_file(CUBICBENCH_SOURCE_DIR "/datasets/measured/SOURCES.md");
  for (const support::EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("measured/") || !file.path.ends_with(".csv")) continue;
    SCOPED_TRACE(file.path);
    const std::string name = std::filesystem::path(file.path).stem().string();
    const bool is_dataset =
        std::ranges::find(named_datasets(), name, &NamedDataset::name) != named_datasets().end();
    EXPECT_NE(is_dataset, is_kernel_table(name));
    EXPECT_NE(sources.find("## " + name + ".csv"), std::string::npos);
    const support::CsvTable table = support::read_csv(file.text, name);
    const std::optional<std::size_t> source = table.column("source");
    ASSERT_TRUE(source);
    for (const support::CsvRecord& record : table.records)
      EXPECT_NE(record.cells[*source].text, "");
  }
}

TEST(MeasuredCatalog, OnlyRunsAreJobs) {
  EXPECT_EQ(find_measurements("vtrain", "DATASET").rows.size(), 1127U);
  try {
    find_measurements("nccl_tests_sweeps", "DATASET");
    FAIL();
  } catch (const support::InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "nccl_tests_sweeps:1:1: expected the columns of training runs, got those of collectives");
  }
}

TEST(MeasuredCatalog, TheSweepIsWhole) {
  using enum MeasurementQuality;
  using Status = MeasurementStatus;
  const Measurements table = find_measurements(sweep, "DATASET");
  EXPECT_EQ(table.rows.size(), 2893U);
  EXPECT_EQ(rows_with(table, Status::ok, ok), 853);
  EXPECT_EQ(rows_with(table, Status::ok, early_pp), 336);
  EXPECT_EQ(rows_with(table, Status::ok, flag), 18);
  EXPECT_EQ(rows_with(table, Status::oom, ok), 318);
  EXPECT_EQ(rows_with(table, Status::oom, early_pp), 1041);
  EXPECT_EQ(rows_with(table, Status::other, ok), 37);
  EXPECT_EQ(rows_with(table, Status::other, early_pp), 290);
  const Measurement& first = table.rows.front();
  EXPECT_EQ(first.id, "hfusp-0001");
  EXPECT_EQ(first.n_gpus, 8);
  EXPECT_EQ(first.dp, 8);
  EXPECT_EQ(first.micro_batch, 2);
  EXPECT_EQ(first.grad_accum, 16);
  EXPECT_EQ(first.tokens_per_s_per_gpu, 40149.94);
  EXPECT_EQ(first.job_fabric.all_reduce, 425.34);
  EXPECT_EQ(table.rows.back().id, "hfusp-4092");
}

TEST(MeasuredCatalog, EveryRowNamesItsSourceAndNothingElseIsSaid) {
  const TableText text = find_table(sweep, "DATASET");
  const support::CsvTable table = support::read_csv(text.text, text.file);
  EXPECT_EQ(table.column("notes"), std::nullopt);
  for (std::size_t column = 0; column < table.header.cells.size(); ++column) {
    SCOPED_TRACE(table.header.cells[column].text);
    EXPECT_TRUE(std::ranges::any_of(table.records, [&](const support::CsvRecord& record) {
      return !record.cells[column].text.empty();
    }));
  }
  for (const Measurement& row : find_measurements(sweep, "DATASET").rows) {
    EXPECT_TRUE(
        row.source.starts_with("HF Ultra-Scale Playbook nanotron sweep, via "
                               "gkarfakis19/Rapid-LLM@317a2cb:"));
    EXPECT_NE(row.source.find(" job "), std::string::npos);
  }
}

TEST(MeasuredCatalog, TheSameHistoryWhateverTheThreads) {
  EXPECT_EQ(find_table("llm-history", "DATASET", 1).text,
            find_table("llm-history", "DATASET", 8).text);
}

TEST(MeasuredCatalog, RefusesWhatIsNotThere) {
  const auto message = [](const std::string& name) {
    try {
      find_measurements(name, "DATASET");
    } catch (const support::InputError& error) {
      return std::string(error.what());
    }
    return std::string("no problem");
  };
  EXPECT_EQ(message("llm_histroy"),
            "DATASET: expected a dataset (see cubicbench list datasets) or the path of a CSV file, "
            "got \"llm_histroy\"; did you mean \"llm-history\"?");
  EXPECT_EQ(message("./nowhere.csv"), "./nowhere.csv: expected a file, got none");
}

}  // namespace
}  // namespace cubicbench::datasets
