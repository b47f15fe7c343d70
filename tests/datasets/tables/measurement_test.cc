#include "datasets/tables/measurement.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "datasets/tables/measurement_schema.h"
#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

std::string message_of(const std::string& text) {
  try {
    read_measurements(text, "dir/runs.csv");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "no problem";
}

TEST(Measurement, ReadsTypedCells) {
  const Measurements table = read_measurements(
      "id,n_gpus,tokens_per_s_per_gpu,sp,model,tp,job_allgather_gbps,mood,status,quality\n"
      "a,16,1234.5,1,\"llama, small\",2.0,6.5,fine,ok,ok\n"
      ",8,,no,,,,bad,oom,early_pp\n",
      "dir/runs.csv");
  EXPECT_EQ(table.file, "dir/runs.csv");
  EXPECT_EQ(table.name, "runs");
  ASSERT_EQ(table.rows.size(), 2U);
  const Measurement& first = table.rows[0];
  EXPECT_EQ(first.line, 2U);
  EXPECT_EQ(first.id, "a");
  EXPECT_EQ(first.n_gpus, 16);
  EXPECT_EQ(first.tokens_per_s_per_gpu, 1234.5);
  EXPECT_EQ(first.sp, true);
  EXPECT_EQ(first.model, "llama, small");
  EXPECT_EQ(first.tp, 2);
  EXPECT_EQ(first.job_fabric.all_gather, 6.5);
  EXPECT_EQ(first.job_fabric.all_reduce, std::nullopt);
  EXPECT_EQ(first.pp, std::nullopt);
  const Measurement& second = table.rows[1];
  EXPECT_EQ(second.id, "runs:3");
  EXPECT_EQ(second.sp, false);
  EXPECT_EQ(second.tp, std::nullopt);
  EXPECT_EQ(second.status, MeasurementStatus::oom);
  EXPECT_EQ(second.quality, MeasurementQuality::early_pp);
}

TEST(Measurement, MemoryIsOfAKindAndARankThatAreKnown) {
  const std::string header = "n_gpus,step_time_s,mem_kind,mem_rank\n";
  for (const char* const cells : {"reserved,first", "allocated,last", "device,", ","}) {
    EXPECT_EQ(message_of(header + "8,1," + cells + "\n"), "no problem") << cells;
  }
  EXPECT_EQ(message_of(header + "8,1,Reserved,0\n"),
            "dir/runs.csv:2:5: expected one of reserved, allocated, device in column mem_kind, got "
            "\"Reserved\"\n"
            "dir/runs.csv:2:14: expected one of first, last in column mem_rank, got \"0\"");
}

TEST(Measurement, AbsentColumnsAreEmptyAndRunsAreGoodUnlessSaidOtherwise) {
  const Measurements table = read_measurements("n_gpus,step_time_s,peak_mem_gib\n8,,12\n", "r.csv");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].status, MeasurementStatus::ok);
  EXPECT_EQ(table.rows[0].quality, MeasurementQuality::ok);
  EXPECT_EQ(table.rows[0].model, "");
  EXPECT_EQ(table.rows[0].dp, std::nullopt);
}

TEST(Measurement, SaysEverythingThatIsWrongAtOnce) {
  struct Case {
    const char* name;
    std::string text;
    std::string message;
  };
  for (const Case& c :
       {Case{"another table", "n_gpu,tokens_per_s\n1,2\n",
             "dir/runs.csv:1:1: expected a column n_gpus, got none; did you mean \"n_gpu\"?\n"
             "dir/runs.csv:1:1: expected a column tokens_per_s_per_gpu or step_time_s, got none"},
        Case{
            "cells of the wrong kind",
            "n_gpus,tokens_per_s_per_gpu,tp,sp,status,quality\n"
            "0,5,2.5,maybe,crashed,fine\n"
            "1e3,-5,+2,TRUE,ok,ok\n",
            "dir/runs.csv:2:1: expected an integer of at least 1 in column n_gpus, got \"0\"\n"
            "dir/runs.csv:2:5: expected an integer of at least 1 in column tp, got \"2.5\"\n"
            "dir/runs.csv:2:9: expected 1 or 0, true or false, yes or no in column sp, got "
            "\"maybe\"\n"
            "dir/runs.csv:2:15: expected one of ok, oom, other, requirement in column status, got "
            "\"crashed\"\n"
            "dir/runs.csv:2:23: expected one of ok, flag, early_pp, untuned in column quality, got "
            "\"fine\"\n"
            "dir/runs.csv:3:1: expected an integer of at least 1 in column n_gpus, got \"1e3\"\n"
            "dir/runs.csv:3:5: expected a number above 0 in column tokens_per_s_per_gpu, got "
            "\"-5\"\n"
            "dir/runs.csv:3:8: expected an integer of at least 1 in column tp, got \"+2\"\n"
            "dir/runs.csv:3:11: expected 1 or 0, true or false, yes or no in column sp, got "
            "\"TRUE\""},
        Case{"no numbers", "n_gpus,tokens_per_s_per_gpu\n8,nan\n8,inf\n8,12 tokens\n",
             "dir/runs.csv:2:3: expected a number above 0 in column tokens_per_s_per_gpu, got "
             "\"nan\"\ndir/runs.csv:3:3: expected a number above 0 in column "
             "tokens_per_s_per_gpu, got \"inf\"\ndir/runs.csv:4:3: expected a number above 0 in "
             "column tokens_per_s_per_gpu, got \"12 tokens\""}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(message_of(c.text), c.message);
  }
}

TEST(Measurement, TargetIsStatedOrFollowsFromTheStepTime) {
  Measurement row;
  EXPECT_EQ(tokens_per_s_per_gpu(row), std::nullopt);
  row.step_time_s = 2.0;
  row.global_batch = 64;
  row.seq_len = 1024;
  EXPECT_EQ(tokens_per_s_per_gpu(row), std::nullopt);
  row.n_gpus = 16;
  EXPECT_EQ(tokens_per_s_per_gpu(row), 2048.0);  // 64 x 1024 / (2 x 16)
  row.tokens_per_s_per_gpu = 2000.0;
  EXPECT_EQ(tokens_per_s_per_gpu(row), 2000.0);
}

TEST(MeasurementSchema, EveryColumnIsReadBackAsWritten) {
  std::set<std::string_view> names;
  for (const MeasurementColumn& column : measurement_columns()) {
    SCOPED_TRACE(column.name);
    EXPECT_TRUE(names.insert(column.name).second);
    EXPECT_FALSE(column.summary.empty());
    EXPECT_EQ(find_measurement_column(column.name), &column);
    Measurement row;
    // One of these is a value of the column that is not the default.
    bool changed = false;
    for (const std::string text : {"0", "7", "oom", "early_pp", "device", "last"}) {
      Measurement written;
      if (!set_cell(column, text, written).empty()) continue;
      EXPECT_EQ(cell_text(column, written), text);
      changed = changed || cell_text(column, written) != cell_text(column, row);
    }
    EXPECT_TRUE(changed);
  }
  EXPECT_EQ(names.size(), 59U);
  EXPECT_EQ(find_measurement_column("remarks"), nullptr);
}

TEST(MeasurementSchema, EveryColumnIsInTheDocumentation) {
  const std::string text = support::read_file(CUBICBENCH_SOURCE_DIR "/docs/datasets.md");
  std::size_t at = 0;
  for (const MeasurementColumn& column : measurement_columns()) {
    const std::size_t found = text.find("\n| `" + std::string(column.name) + "` | ", at);
    EXPECT_NE(found, std::string::npos) << column.name << " is missing or out of order";
    if (found != std::string::npos) at = found;
  }
}

TEST(Measurement, WrittenTablesAreReadBack) {
  Measurements table{.file = "t.csv", .name = "t", .rows = {}};
  Measurement row;
  row.line = 2;
  row.id = "a, \"b\"";
  row.n_gpus = 16;
  row.status = MeasurementStatus::oom;
  row.job_fabric.all_gather = 0.1;
  table.rows.push_back(row);
  // The columns that every table needs are there even where no row says anything.
  const std::string text = measurements_csv(table);
  EXPECT_EQ(text,
            "id,n_gpus,tokens_per_s_per_gpu,job_allgather_gbps,status,quality\n"
            "\"a, \"\"b\"\"\",16,,0.1,oom,ok\n");
  EXPECT_EQ(measurements_csv(read_measurements(text, "t.csv")), text);
  EXPECT_EQ(read_measurements(measurements_csv({}), "t.csv").rows.size(), 0U);
}

}  // namespace
}  // namespace cubicbench::datasets
