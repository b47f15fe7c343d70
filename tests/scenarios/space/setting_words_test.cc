#include "scenarios/space/setting_words.h"

#include <gtest/gtest.h>

#include <string_view>

namespace cubicbench::scenarios {
namespace {

constexpr auto transformer = WorkloadKind::transformer;
constexpr auto recommendation = WorkloadKind::recommendation;

TEST(SettingWords, EverySettingHasThem) {
  ASSERT_EQ(setting_words().size(), settings().size());
  for (std::size_t i = 0; i < settings().size(); ++i) {
    EXPECT_EQ(setting_words()[i].name, settings()[i].name);
    EXPECT_FALSE(setting_words()[i].meaning.empty()) << settings()[i].name;
    EXPECT_FALSE(setting_words()[i].meaning.ends_with('.')) << settings()[i].name;
    EXPECT_FALSE(setting_words()[i].source.empty()) << settings()[i].name;
  }
}

TEST(SettingWords, NamesFromElsewhereLeadToOurs) {
  EXPECT_EQ(meant_by("tp", transformer), "tensor_parallel");
  EXPECT_EQ(meant_by("--Tensor-Model-Parallel-Size", transformer), "tensor_parallel");
  EXPECT_EQ(meant_by("batch", transformer), "global_batch");
  EXPECT_EQ(meant_by("batch", recommendation), "batch_per_gpu");
  EXPECT_EQ(meant_by("gpus", recommendation), "cluster.gpus");
  EXPECT_EQ(meant_by("tp", recommendation), "");
  for (const char* const unknown : {"", "-", " ", "t", "tp pp", "tensor"}) {
    EXPECT_EQ(meant_by(unknown, transformer), "") << unknown;
  }
}

// A name without a dot that is offered must be a setting of that kind of workload.
TEST(SettingWords, WhatIsOfferedExists) {
  for (const WorkloadKind kind : {transformer, WorkloadKind::mixture_of_experts, recommendation}) {
    for (const char* const name :
         {"tp",    "sp",          "pp",   "vpp",           "cp",        "ep",       "dp",
          "gbs",   "mbs",         "zero", "hsdp",          "auto_wrap", "prefetch", "bf16",
          "optim", "cpu_offload", "ac",   "torch_compile", "planner",   "uvm"}) {
      const std::string_view meant = meant_by(name, kind);
      if (meant.empty()) continue;
      ASSERT_NE(find_setting(meant), nullptr) << name;
      const bool of_experts = find_setting(meant)->owner == SettingOwner::experts;
      EXPECT_TRUE(of_experts || belongs(*find_setting(meant), kind)) << name << " " << meant;
    }
  }
}

TEST(SettingWords, ValuesFromElsewhereLeadToOurs) {
  const Setting& sharding = *find_setting("sharding");
  EXPECT_EQ(meant_value(sharding, "zero3"), "full_shard");
  EXPECT_EQ(meant_value(sharding, "FULL_SHARD"), "full_shard");
  EXPECT_EQ(meant_value(sharding, "quarter"), "");
  EXPECT_EQ(meant_value(*find_setting("dtype"), "bfloat16"), "bf16");
  EXPECT_EQ(meant_value(*find_setting("compile"), "yes"), "true");
  EXPECT_EQ(meant_value(*find_setting("tensor_parallel"), "yes"), "");
}

}  // namespace
}  // namespace cubicbench::scenarios
