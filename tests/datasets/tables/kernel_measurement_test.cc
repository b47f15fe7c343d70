#include "datasets/tables/kernel_measurement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "datasets/catalog/measured_catalog.h"
#include "support/csv.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using testing::HasSubstr;

TEST(KernelMeasurements, AreOfTheKindOfTheirColumns) {
  EXPECT_TRUE(has_kernel_columns({"accelerator", "m", "n", "k", "tflops"}));
  EXPECT_TRUE(has_kernel_columns({"accelerator", "implementation", "seqlen", "tflops"}));
  EXPECT_TRUE(has_kernel_columns({"accelerator", "kernel", "value", "unit"}));
  EXPECT_FALSE(has_kernel_columns({"accelerator", "m", "n", "tflops"}));
  EXPECT_FALSE(has_kernel_columns({"m", "n", "k", "tflops"}));
  const KernelMeasurements table = read_kernel_measurements(
      support::read_csv("accelerator,m,n,k,tflops\nA100,64,128,256,100.5\n", "mine.csv"),
      "mine.csv");
  EXPECT_EQ(table.name, "mine");
  EXPECT_EQ(table.kind, KernelKind::gemm);
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].id, "mine:2");
  EXPECT_EQ(table.rows[0].n, 128);
  EXPECT_EQ(table.rows[0].tflops, 100.5);
}

TEST(KernelMeasurements, RefuseWhatIsBroken) {
  const auto message_of = [](const std::string& text) -> std::string {
    try {
      read_kernel_measurements(support::read_csv(text, "mine.csv"), "mine.csv");
    } catch (const support::InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message_of("accelerator,m,n,tflops\n"), HasSubstr("mine.csv:1:1: expected columns"));
  EXPECT_THAT(message_of("accelerator,m,n,k,tflops\nA100,0,128,256,-1\n"),
              HasSubstr("mine.csv:2:6: expected"));
}

TEST(KernelTables, HaveAsManyRowsAsTheirSummariesSay) {
  for (const NamedKernelTable& named : named_kernel_tables()) {
    const KernelMeasurements table = find_kernel_measurements(named.name);
    EXPECT_EQ(table.name, named.name);
    std::string rows = std::to_string(table.rows.size());
    if (rows.size() > 3) rows.insert(rows.size() - 3, ",");
    EXPECT_TRUE(named.summary.starts_with(rows + " ")) << named.name << " " << rows;
    EXPECT_TRUE(is_kernel_table(named.name));
  }
  EXPECT_FALSE(is_kernel_table("vtrain"));
}

}  // namespace
}  // namespace cubicbench::datasets
