// Power belongs to devices and prices to clusters; an objective of either needs its figure.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

Scenario with(const std::vector<std::string>& sets) { return read_scenario("llama3-8b", sets); }

std::string text_of_device() { return std::string(text(Kind::device, "tpu-v4").value_or("{}")); }

/// tpu-v4 with other words; its problems.
std::string problems_of(const std::string& from, const std::string& to, sim::Device& device) {
  std::string changed = text_of_device();
  const std::size_t at = changed.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  changed.replace(at, from.size(), to);
  std::vector<support::Problem> problems;
  device = read_device({.file = "d.json", .directory = "", .text = changed}, problems);
  std::string lines;
  for (const support::Problem& problem : problems) lines += problem.where + ": " + problem.text;
  return lines;
}

TEST(PowerInput, IsThatOfTheBoardAndWhileItWaits) {
  const sim::Device measured = read_scenario("llama3-8b").cluster.device;
  EXPECT_EQ(measured.board_watts, 700.0);
  EXPECT_DOUBLE_EQ(measured.waiting_watts, 700.0 * 85.0 / 300.0);  // where nothing is stated
  sim::Device device;
  EXPECT_EQ(problems_of("192", "192", device), "");
  EXPECT_EQ(device.board_watts, 192.0);
  EXPECT_EQ(device.waiting_watts, 90.0);
}

TEST(PowerInput, IsPositiveAndNoMoreThanTheBoards) {
  sim::Device device;
  EXPECT_EQ(problems_of("\"board_watts\": 192", "\"board_watts\": 0", device),
            "d.json#/board_watts: expected a number in [0.1, 10000], got 0");
  EXPECT_EQ(problems_of("\"waiting_watts\": 90", "\"waiting_watts\": 193", device),
            "d.json#/waiting_watts: expected at most /board_watts (192), got 193");
}

TEST(PowerInput, OfTheLibraryIsPlausible) {
  int stated = 0;
  for (const Entry& entry : names(Kind::device)) {
    SCOPED_TRACE(entry.name);
    std::vector<support::Problem> problems;
    const sim::Device device =
        read_device(find_document(Kind::device, entry.name, "", entry.name), problems);
    EXPECT_TRUE(problems.empty());
    if (device.board_watts == 0.0) continue;
    ++stated;
    EXPECT_GE(device.board_watts, 70.0);
    EXPECT_LE(device.board_watts, 1400.0);
    EXPECT_GE(device.waiting_watts, 0.2 * device.board_watts);
    EXPECT_LE(device.waiting_watts, 0.5 * device.board_watts);
  }
  EXPECT_GE(stated, 29);
}

TEST(PowerInput, IsAskedForByMetricsOfEnergyAlone) {
  const std::vector<std::string> no_power{"cluster.device=gh200-96gb"};
  EXPECT_EQ(message_of("llama3-8b", no_power), "");
  EXPECT_EQ(
      message_of("llama3-8b", {"cluster.device=gh200-96gb", "objective.metric=tokens_per_joule"}),
      "--set objective.metric=tokens_per_joule: expected a metric that needs no power, as "
      "the device gh200-96gb states no board_watts, got \"tokens_per_joule\"");
}

TEST(PriceInput, IsAskedForByMetricsOfCostAlone) {
  EXPECT_EQ(message_of("llama3-8b", {"objective.metric=tokens_per_usd"}),
            "--set objective.metric=tokens_per_usd: expected a metric that needs no price, as "
            "/cluster has no usd_per_gpu_hour, got \"tokens_per_usd\"");
  EXPECT_EQ(message_after("llama3-8b", "/cluster/usd_per_gpu_hour", "0"),
            "s.json#/cluster/usd_per_gpu_hour: expected a number in [0.001, 10000], got 0");
  EXPECT_EQ(message_after("llama3-8b", "/cluster/usd_per_gpu_hours", "2"),
            "s.json#/cluster/usd_per_gpu_hours: unknown key; did you mean \"usd_per_gpu_hour\"?");
  EXPECT_EQ(with({"cluster.usd_per_gpu_hour=2.5"}).usd_per_gpu_hour, 2.5);
}

TEST(PowerAndPriceInput, ArePartOfTheProblemWhereItIsJudgedByThem) {
  const std::string usual = read_scenario("llama3-8b").sha256;
  EXPECT_EQ(with({"cluster.usd_per_gpu_hour=2.5"}).sha256, usual);
  const auto usd = [](const char* price) {
    return with({"objective.metric=tokens_per_usd",
                 "cluster.usd_per_gpu_hour=" + std::string(price)})
        .sha256;
  };
  EXPECT_EQ(usd("2.5"), usd("2.50"));
  EXPECT_NE(usd("2.5"), usd("2.6"));
  EXPECT_NE(with({"objective.metric=tokens_per_joule"}).sha256, usual);
}

TEST(PowerAndPriceInput, OfAdsIsOfSamples) {
  EXPECT_EQ(message_of("dlrm-dcnv2", {"objective.metric=samples_per_joule"}), "");
  EXPECT_EQ(message_after("dlrm-dcnv2", "/objective/metric", "\"tokens_per_joule\""),
            "s.json#/objective/metric: expected one of step_time_s, samples_per_s, mfu, "
            "samples_per_joule, samples_per_usd, as a recommendation model has no tokens, got "
            "\"tokens_per_joule\"");
}

}  // namespace
}  // namespace cubicbench::scenarios
