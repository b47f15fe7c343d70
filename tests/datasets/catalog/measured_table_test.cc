#include "datasets/catalog/measured_table.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

std::string message_of(const std::string& text) {
  try {
    read_measured_table(text, "dir/table.csv");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "no problem";
}

TEST(MeasuredTable, ReadsCollectives) {
  const MeasuredTable table = read_measured_table(
      "source,system,gpu,n_nodes,n_gpus,interconnect,collective,size_bytes,time_us,algbw_gbps,"
      "busbw_gbps,placement,n_concurrent_groups,n_gpus_active,mood\n"
      "web,\"two, racks\",GB200,36.0,144,NVLink5,all_reduce,1048576,20.5,0.0,51.1,in_place,2,16,x\n"
      ",,,,,,sendrecv,,,2,,,,,\n",
      "dir/table.csv");
  const auto& collectives = std::get<CollectiveMeasurements>(table);
  EXPECT_EQ(collectives.file, "dir/table.csv");
  EXPECT_EQ(collectives.name, "table");
  ASSERT_EQ(collectives.rows.size(), 2U);
  const CollectiveMeasurement& first = collectives.rows[0];
  EXPECT_EQ(first.line, 2U);
  EXPECT_EQ(first.id, "table:2");
  EXPECT_EQ(first.source, "web");
  EXPECT_EQ(first.system, "two, racks");
  EXPECT_EQ(first.gpu, "GB200");
  EXPECT_EQ(first.n_nodes, 36);
  EXPECT_EQ(first.n_gpus, 144);
  EXPECT_EQ(first.interconnect, "NVLink5");
  EXPECT_EQ(first.collective, "all_reduce");
  EXPECT_EQ(first.size_bytes, 1048576.0);
  EXPECT_EQ(first.time_us, 20.5);
  EXPECT_EQ(first.algbw_gbps, std::nullopt);  // rounded to zero: it says nothing
  EXPECT_EQ(first.busbw_gbps, 51.1);
  EXPECT_EQ(first.placement, "in_place");
  EXPECT_EQ(first.concurrent_groups, 2);
  EXPECT_EQ(first.active_gpus, 16);
  const CollectiveMeasurement& second = collectives.rows[1];
  EXPECT_EQ(second.id, "table:3");
  EXPECT_EQ(second.size_bytes, std::nullopt);
  EXPECT_EQ(second.algbw_gbps, 2.0);
}

TEST(MeasuredTable, KeepsSizesAndTimesOfZeroAndNoBandwidthOfZero) {
  const MeasuredTable table = read_measured_table(
      "collective,n_gpus,size_bytes,time_us,algbw_gbps\n"
      "a,8,0,5,0\na,8,4,0.00,1\na,8,4,,0.0\n",
      "t.csv");
  const auto& rows = std::get<CollectiveMeasurements>(table).rows;
  EXPECT_EQ(rows.at(0).size_bytes, 0.0);
  EXPECT_EQ(rows.at(0).algbw_gbps, std::nullopt);
  EXPECT_EQ(rows.at(1).time_us, 0.0);
  EXPECT_EQ(rows.at(2).time_us, std::nullopt);
  for (const CollectiveMeasurement& row : rows) EXPECT_EQ(seconds_of(row), std::nullopt);
}

TEST(CollectiveMeasurement, TimeIsStatedOrFollowsFromABandwidth) {
  CollectiveMeasurement row;
  row.collective = "all_reduce";
  EXPECT_EQ(seconds_of(row), std::nullopt);
  row.size_bytes = 4e9;
  row.busbw_gbps = 3.5;
  EXPECT_EQ(seconds_of(row), std::nullopt);  // of how many GPUs?
  row.n_gpus = 8;
  EXPECT_DOUBLE_EQ(seconds_of(row).value(), 2.0);  // 4 GB x (2 x 7 / 8) / 3.5 GB/s
  row.collective = "reduce_scatter";
  EXPECT_DOUBLE_EQ(seconds_of(row).value(), 1.0);  // 4 GB x (7 / 8) / 3.5 GB/s
  row.collective = "sendrecv";
  EXPECT_DOUBLE_EQ(seconds_of(row).value(), 4.0 / 3.5);
  row.collective = "moe_dispatch";
  EXPECT_EQ(seconds_of(row), std::nullopt);
  row.algbw_gbps = 8.0;
  EXPECT_DOUBLE_EQ(seconds_of(row).value(), 0.5);
  row.time_us = 250.0;
  EXPECT_DOUBLE_EQ(seconds_of(row).value(), 250e-6);
}

TEST(MeasuredTable, ReadsRecommendationResultsOfBothForms) {
  const MeasuredTable mlperf = read_measured_table(
      "mlperf_round,submitter,benchmark,n_nodes,accel_per_node,n_accel,accelerator,nic,framework,"
      "global_batch,optimizer,samples_per_s_incl_eval_median,repeat_of_round\n"
      "4.1,Someone,dlrm_dcnv2,8,8,64,H100,8x NDR,HugeCTR,135168,adagrad,48031094,4.0\n",
      "mlperf.csv");
  const RecommendationMeasurement& row = std::get<RecommendationMeasurements>(mlperf).rows.at(0);
  EXPECT_EQ(row.id, "mlperf:2");
  EXPECT_EQ(row.round, "4.1");
  EXPECT_EQ(row.submitter, "Someone");
  EXPECT_EQ(row.model, "dlrm_dcnv2");
  EXPECT_EQ(row.n_nodes, 8);
  EXPECT_EQ(row.accel_per_node, 8);
  EXPECT_EQ(row.n_accel, 64);
  EXPECT_EQ(row.nic, "8x NDR");
  EXPECT_EQ(row.global_batch, 135168);
  EXPECT_EQ(row.samples_per_s, 48031094.0);
  EXPECT_EQ(row.repeat_of_round, "4.0");
  const MeasuredTable other = read_measured_table(
      "id,system,accelerator,n_accel,model,precision,batch_per_gpu,interaction,samples_per_s\n"
      "a,DGX A100,A100-80GB,8,DLRM T3,TF32,8192,dot,11400000\n"
      "b,DGX A100,A100-80GB,8,DLRM T3,mixed,,,\n",
      "other.csv");
  const auto& rows = std::get<RecommendationMeasurements>(other).rows;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].id, "a");
  EXPECT_EQ(rows[0].model, "DLRM T3");
  EXPECT_EQ(rows[0].precision, "TF32");
  EXPECT_EQ(rows[0].batch_per_gpu, 8192);
  EXPECT_EQ(rows[0].interaction, "dot");
  EXPECT_EQ(rows[0].samples_per_s, 11400000.0);
  EXPECT_EQ(rows[1].samples_per_s, std::nullopt);
}

TEST(MeasuredTable, EverythingElseIsTrainingRuns) {
  const MeasuredTable table = read_measured_table(
      "\xEF\xBB\xBF\r\n\"n_gpus\",step_time_s,peak_mem_gib\r\n8,,12\r\n", "r.csv");
  EXPECT_EQ(std::get<Measurements>(table).rows.at(0).n_gpus, 8);
}

TEST(MeasuredTable, SaysEverythingThatIsWrongAtOnce) {
  struct Case {
    const char* name;
    std::string text;
    std::string message;
  };
  for (const Case& c :
       {Case{"collectives without a column", "collective,size_byte,time\na,1,1\n",
             "dir/table.csv:1:1: expected a column size_bytes, got none; did you mean "
             "\"size_byte\"?\n"
             "dir/table.csv:1:1: expected a column n_gpus, got none\n"
             "dir/table.csv:1:1: expected a column time_us, algbw_gbps or busbw_gbps, got none"},
        Case{"results without a column", "mlperf_round,n_acel,samples_per_s\n4.0,8,1\n",
             "dir/table.csv:1:1: expected a column n_accel, got none; did you mean \"n_acel\"?"},
        Case{"cells of the wrong kind",
             "collective,size_bytes,n_gpus,time_us\n"
             "all_reduce,big,0,-1\n"
             "all_reduce,1,8,nan\n",
             "dir/table.csv:2:12: expected a number above 0 in column size_bytes, got \"big\"\n"
             "dir/table.csv:2:16: expected an integer of at least 1 in column n_gpus, got \"0\"\n"
             "dir/table.csv:2:18: expected a number above 0 in column time_us, got \"-1\"\n"
             "dir/table.csv:3:16: expected a number above 0 in column time_us, got \"nan\""},
        Case{"a result of the wrong kind", "n_accel,samples_per_s\n8.5,fast\n",
             "dir/table.csv:2:1: expected an integer of at least 1 in column n_accel, got "
             "\"8.5\"\n"
             "dir/table.csv:2:5: expected a number above 0 in column samples_per_s, got \"fast\""},
        Case{"another encoding",
             "collective,size_bytes,n_gpus,time_us\nall_r\xE9"
             "duce,1,8,1\n",
             "dir/table.csv:2:6: expected UTF-8 text, got the byte 0xe9"},
        Case{"neither", "a,b\n1,2\n",
             "dir/table.csv:1:1: expected a column n_gpus, got none\n"
             "dir/table.csv:1:1: expected a column tokens_per_s_per_gpu or step_time_s, got none"},
        Case{"nothing", "",
             "dir/table.csv:1:1: expected a header with the names of the columns, got nothing"}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(message_of(c.text), c.message);
  }
}

TEST(MeasuredTable, ALongLineIsShortenedInItsMessage) {
  const std::string message = message_of("collective,size_bytes,n_gpus,time_us\nall_reduce," +
                                         std::string(10'000'000, '7') + "x,8,1\n");
  EXPECT_EQ(message, "dir/table.csv:2:12: expected a line of at most 1048576 bytes, got more");
}

TEST(MeasuredTable, UnknownNamesAreBadInput) {
  EXPECT_THROW(find_measured_tables("no-such-table", "FILE"), support::InputError);
}

const std::string union_header =
    "id,n_gpus,step_time_s,collective,size_bytes,time_us,n_accel,samples_per_s\n";

TEST(MeasuredTable, AFileOfAllKindsIsATableAKind) {
  const std::vector<MeasuredTable> tables = read_measured_tables(union_header +
                                                                     ",8,1.5,,,,,\n"
                                                                     "c,16,,all_reduce,4,20,,\n"
                                                                     ",,,,,,64,1000\n"
                                                                     ",4,2.5,,,,,\n",
                                                                 "dir/mixed.csv");
  ASSERT_EQ(tables.size(), 3U);
  const auto& collectives = std::get<CollectiveMeasurements>(tables[0]);
  const auto& results = std::get<RecommendationMeasurements>(tables[1]);
  const auto& runs = std::get<Measurements>(tables[2]);
  for (const std::string& name : {collectives.name, results.name, runs.name}) {
    EXPECT_EQ(name, "mixed");
  }
  ASSERT_EQ(collectives.rows.size(), 1U);
  EXPECT_EQ(collectives.rows[0].id, "c");
  EXPECT_EQ(collectives.rows[0].line, 3U);
  EXPECT_EQ(collectives.rows[0].time_us, 20.0);
  ASSERT_EQ(results.rows.size(), 1U);
  EXPECT_EQ(results.rows[0].id, "mixed:4");
  EXPECT_EQ(results.rows[0].samples_per_s, 1000.0);
  ASSERT_EQ(runs.rows.size(), 2U);
  EXPECT_EQ(runs.rows[0].id, "mixed:2");
  EXPECT_EQ(runs.rows[1].line, 5U);
  EXPECT_EQ(runs.rows[1].step_time_s, 2.5);
}

TEST(MeasuredTable, KindsWithoutRowsAreLeftOut) {
  const auto tables = read_measured_tables(union_header + ",8,1.5,,,,,\n", "t.csv");
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(kind_of(tables[0]), DatasetKind::runs);
  const auto empty = read_measured_tables(union_header, "t.csv");
  ASSERT_EQ(empty.size(), 1U);
  EXPECT_EQ(row_count(empty[0]), 0U);
  // Without columns of a run, a row that says no kind is of one that there is.
  const auto others = read_measured_tables(
      "n_gpus,collective,size_bytes,time_us,n_accel,samples_per_s\n8,a,1,1,,\n8,,,,,5\n", "t.csv");
  ASSERT_EQ(others.size(), 2U);
  EXPECT_EQ(std::get<RecommendationMeasurements>(others[1]).rows.at(0).line, 3U);
}

TEST(MeasuredTable, SaysWhatIsWrongWithEveryKind) {
  const std::string text = union_header + ",8,soon,,,,,\n,8,,all_reduce,1,never,,\n,,,,,,8,fast\n";
  EXPECT_EQ(message_of(text),
            "dir/table.csv:3:18: expected a number above 0 in column time_us, got \"never\"\n"
            "dir/table.csv:4:9: expected a number above 0 in column samples_per_s, got \"fast\"\n"
            "dir/table.csv:2:4: expected a number above 0 in column step_time_s, got \"soon\"");
  EXPECT_EQ(message_of(union_header + ",8,1,,,,,\n,8,,a,1,1,,\n"),
            "dir/table.csv: expected rows of one kind, got collectives, runs");
}

}  // namespace
}  // namespace cubicbench::datasets
