#include "datasets/logs/log_settings.h"

#include <gtest/gtest.h>

#include <string>

#include "datasets/logs/busy_time.h"
#include "datasets/logs/log_fields.h"
#include "datasets/logs/logged_device.h"

namespace cubicbench::datasets {
namespace {

std::string text_of(const LogSettings& settings) {
  std::string text;
  for (const LogSetting& setting : settings) text += setting.name + "=" + setting.value + ";";
  return text;
}

std::string cleaned(const std::string& line) {
  const LogText log = read_log_text(line, "run.log");
  return log.lines.empty() ? "" : log.lines.front().text;
}

TEST(LogText, LeavesOutColoursAndLaunchers) {
  EXPECT_EQ(cleaned("[rank0]:[titan] \x1b[31mstep:  1\x1b[39m"), "[titan] step:  1");
  EXPECT_EQ(cleaned("[default7]: iteration 1"), " iteration 1");
  EXPECT_EQ(cleaned("[1,3]<stdout>:x"), "x");
  EXPECT_EQ(cleaned(" 12:   a: 1"), "  a: 1");
  EXPECT_EQ(cleaned("(Worker pid=7, ip=10.0.0.1) x"), "x");
  EXPECT_EQ(cleaned("p4_v2_perf/0 x"), "x");
  EXPECT_EQ(cleaned("[2025-01-01 10:00:00] x: 1"), "[2025-01-01 10:00:00] x: 1");
  EXPECT_EQ(cleaned("2025-06-12T10:21:13.345Z [rank1]:x"), "x");
  EXPECT_EQ(cleaned("2025-06-12T10:21:13.345+01:00 x"), "x");
  EXPECT_EQ(cleaned("\x1b[\x1b"), "");
}

TEST(LogText, CountsLinesOfTheFile) {
  const LogText log = read_log_text("a\rb\nc\r\nd", "run.log");
  ASSERT_EQ(log.lines.size(), 5U);
  EXPECT_EQ(log.lines[1].text, "b");
  EXPECT_EQ(log.lines[1].number, 1U);
  EXPECT_EQ(log.lines[2].number, 2U);
  EXPECT_EQ(log.lines[4].text, "d");
  EXPECT_EQ(log.lines[4].number, 3U);
}

TEST(LogSettings, AreDotted) {
  const LogText log = read_log_text(
      "  num_layers ........... 32\n[ts][INFO] : tensor_parallel ... 2\nWait ... what\n"
      "  hidden_size .......... 64...........updated\n  fp8 .................. \n"
      "[x] [INFO] [config.py:1000:print]   world_size ........ 8\n",
      "run.log");
  EXPECT_EQ(text_of(dotted_settings(log, DottedBy::others)),
            "num_layers=32;tensor_parallel=2;Wait=what;hidden_size=64;fp8=;");
  EXPECT_EQ(text_of(dotted_settings(log, DottedBy::deepspeed)), "world_size=8;");
}

TEST(LogSettings, AreIndented) {
  const LogText log = read_log_text(
      "model:\n  layers: 2\n  inner:\n    \"size\": 3,\n  heads: 'x'\nlr: 0.1\nSome words: a, b\n"
      "json = {\n    \"zero\": {\n        \"stage\": 1\n    },\n    \"steps\": 10\n}\n",
      "run.log");
  EXPECT_EQ(text_of(indented_settings(log)),
            "model.layers=2;model.inner.size=3;model.heads=x;lr=0.1;zero.stage=1;steps=10;");
}

TEST(LogSettings, AreLiterals) {
  EXPECT_EQ(text_of(literal_settings("{'a': {'b': 1, 'c': None}, 'd': [1, 2], \"e\": 'x, y'}", 1)),
            "a.b=1;a.c=None;d.=1;d.=2;e=x, y;");
  EXPECT_EQ(text_of(literal_settings("(dim=4096, moe=Args(n=8, k=2), f=1.3)", 1)),
            "dim=4096;moe.n=8;moe.k=2;f=1.3;");
  EXPECT_EQ(text_of(literal_settings("{'a': 'open", 1)), "a=open;");
  EXPECT_EQ(text_of(literal_settings("{{{[[((", 1)), "");
}

TEST(LogSettings, AreOptions) {
  const LogText log = read_log_text(
      "+ torchrun --nproc_per_node 8 --nnodes=2 train.py --bf16 --num-layers 32 \\\n"
      "  --swiglu \\\n  ++model.tp=4 devices=8, -----\n",
      "run.log");
  EXPECT_EQ(text_of(option_settings(log)),
            "nproc_per_node=8;nnodes=2;bf16=True;num_layers=32;swiglu=True;model.tp=4;devices=8;");
}

TEST(LogSettings, AreFoundByTheEndOfTheirName) {
  const LogSettings settings{
      {"trainer.devices", "8", 1}, {"devices_used", "4", 2}, {"x", "None", 3}};
  EXPECT_EQ(setting_value(settings, "devices"), "8");
  EXPECT_EQ(setting_value(settings, "x"), "");
  EXPECT_EQ(find_log_setting(settings, "used"), nullptr);
}

TEST(LogFields, AreCutAtTheirSeparators) {
  const auto fields = fields_of(" a b: 1 | c (ms): 2.5/3 | | d |", "|", ": ");
  ASSERT_EQ(fields.size(), 3U);
  EXPECT_EQ(fields[0].name, "a b");
  EXPECT_EQ(fields[1].value, "2.5/3");
  EXPECT_EQ(fields[2].name, "d");
  const auto spaced = spaced_fields("step: 10  loss:  9.5  tps: 1,234");
  ASSERT_EQ(spaced.size(), 3U);
  EXPECT_EQ(spaced[1].value, "9.5");
  EXPECT_EQ(spaced[2].value, "1,234");
}

/// Half a unit of the last digit over the value.
TEST(LogRecorder, KnowsHowNumbersAreRounded) {
  EXPECT_DOUBLE_EQ(rounding_of("2.50"), 0.005 / 2.5);
  EXPECT_DOUBLE_EQ(rounding_of("1,250"), 0.5 / 1250.0);
  EXPECT_DOUBLE_EQ(rounding_of("1.25e+03"), 0.005 / 1.25);
  EXPECT_DOUBLE_EQ(rounding_of("x"), 1.0);
}

TEST(LoggedDevice, IsTheOneOfTheDriversName) {
  EXPECT_EQ(device_of_driver_name("NVIDIA H100 80GB HBM3"), "h100-sxm-80gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA H100", 95.0), "h100-hbm2e-96gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA A100-SXM4-40GB", 39.4), "a100-sxm-40gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA GB200"), "gb200");
  EXPECT_EQ(device_of_driver_name("NVIDIA H100 PCIe"), "h100-pcie-80gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA H100 NVL"), "h100-nvl-94gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA A100 80GB PCIe"), "a100-pcie-80gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA A100-PCIE-40GB"), "");
  EXPECT_EQ(device_of_driver_name("NVIDIA GeForce RTX 4090"), "rtx-4090");
  EXPECT_EQ(device_of_driver_name("NVIDIA GeForce RTX 4090 Laptop GPU"), "");
  EXPECT_EQ(device_of_driver_name("NVIDIA GeForce RTX 3090 Ti"), "");
  EXPECT_EQ(device_of_driver_name("NVIDIA L40S"), "l40s");
  EXPECT_EQ(device_of_driver_name("NVIDIA L40"), "");
  EXPECT_EQ(device_of_driver_name("NVIDIA L4"), "l4");
  EXPECT_EQ(device_of_driver_name("NVIDIA H20"), "h20-96gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA H200"), "h200-sxm-141gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA GH200 480GB", 95.0), "gh200-96gb");
  EXPECT_EQ(device_of_driver_name("NVIDIA GH200 144G HBM3e", 141.0), "");
  EXPECT_EQ(device_of_driver_name("AMD Instinct MI300X"), "mi300x");
  EXPECT_EQ(device_of_driver_name("AMD Instinct MI325X"), "mi325x");
  EXPECT_EQ(device_of_driver_name("Toaster"), "");
}

/// [0, 2] and [1, 3] are 1.5 of the window [1.5, 5.5], and [5, 6] is 0.5 of it.
TEST(BusyTime, IsThatOfTheUnion) {
  const std::vector<Span> spans{{5.0, 6.0}, {0.0, 2.0}, {1.0, 3.0}};
  EXPECT_DOUBLE_EQ(busy_time(spans, {1.5, 5.5}), 1.5 + 0.5);
  EXPECT_DOUBLE_EQ(busy_time({}, {0.0, 1.0}), 0.0);
}

}  // namespace
}  // namespace cubicbench::datasets
