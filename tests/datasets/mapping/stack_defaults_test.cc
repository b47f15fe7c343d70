#include "datasets/mapping/stack_defaults.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/mapping/library.h"
#include "scenarios/catalog.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

Measurement row_on(const std::string& stack, const std::string& framework) {
  Measurement row;
  row.stack = stack;
  row.framework = framework;
  return row;
}

bool is_in_library(const std::string& stack) {
  return scenarios::text(scenarios::Kind::stack, stack).has_value();
}

TEST(StackDefaults, NameStacksOfTheLibraryOnly) {
  for (const StackDefaults& stack : stack_catalog().stacks) {
    EXPECT_NE(stack.simulated_by.empty(), is_in_library(stack.simulated_by)) << stack.simulated_by;
    for (const StackException& exception : stack.exceptions) {
      if (exception.simulated_by.empty()) continue;
      EXPECT_TRUE(is_in_library(exception.simulated_by)) << exception.simulated_by;
    }
  }
  for (const StackFamily& family : stack_catalog().families) {
    EXPECT_TRUE(is_in_library(family.stack)) << family.stack;
    for (const FamilyEra& era : family.eras) {
      const std::string& stack = era.differs.simulated_by;
      EXPECT_TRUE(stack.empty() || is_in_library(stack)) << stack;
    }
  }
  EXPECT_TRUE(is_in_library(stack_catalog().one_for_all));
}

// A study that is imported as a table names the stack of its scenario.
TEST(StackDefaults, KnowEveryStackOfTheLibraryThatTrainsTransformers) {
  for (const scenarios::Entry& entry : scenarios::names(scenarios::Kind::stack)) {
    const auto is_of = [&](std::string_view line) { return entry.name.starts_with(line); };
    const bool recommends = is_of("ads-") || is_of("hugectr-") || is_of("nvidia-examples-") ||
                            is_of("oneflow-recommendation-") || is_of("recsys-") ||
                            is_of("torchrec-");
    if (recommends) continue;
    const ChosenStack chosen(stack_catalog(), row_on(entry.name, ""));
    EXPECT_FALSE(chosen.is_assumed()) << entry.name;
  }
}

TEST(StackDefaults, SayEverythingOnce) {
  std::set<std::string> said;
  const auto check = [&](const std::string& scope, const DefaultSet& set) {
    for (const Default& one : set.columns) {
      EXPECT_TRUE(said.insert(scope + "/column/" + one.name).second) << scope << " " << one.name;
    }
    for (const Default& one : set.settings) {
      EXPECT_TRUE(said.insert(scope + "/setting/" + one.name).second) << scope << " " << one.name;
    }
  };
  check("common", stack_catalog().common);
  for (const StackDefaults& stack : stack_catalog().stacks) {
    for (const std::string& name : stack.names) EXPECT_TRUE(said.insert(name).second) << name;
    check(stack.names.front(), stack.defaults);
  }
  EXPECT_GT(said.size(), 50U);
}

TEST(StackDefaults, AStackThatIsNotThereTakesTheNearest) {
  struct Case {
    const char* stack;
    const char* framework;
    const char* simulated_by;
    bool is_assumed;
  };
  for (const Case& c : {
           Case{"vtrain", "Megatron-DeepSpeed", "megatron-2021", true},
           Case{"nemo", "NeMo 24.07", "nemo-2024", true},
           Case{"", "Megatron-LM", "megatron-2021", true},
           Case{"", "Megatron-Core 0.8", "megatron-core-2025", true},
           Case{"torchtitan-nightly", "", "torchtitan-2025", true},
           Case{"", "PyTorch FSDP", "pytorch-fsdp1-2024", true},
           Case{"megatron-lm", "Megatron-Core 0.8", "megatron-core-2025", false},
           Case{"megatron-lm", "Megatron-LM", "megatron-2021", false},
       }) {
    SCOPED_TRACE(std::string(c.stack) + " " + c.framework);
    const Measurement row = row_on(c.stack, c.framework);
    const ChosenStack chosen(stack_catalog(), row);
    EXPECT_EQ(chosen.simulated_by(), c.simulated_by);
    EXPECT_EQ(chosen.is_assumed(), c.is_assumed);
  }
}

/// A setting of a row as text; "" where nothing says it.
std::string setting_of(const ChosenStack& chosen, std::string_view name) {
  for (const Default* setting : chosen.settings()) {
    if (setting->name == name) return setting->value;
  }
  return {};
}

std::string column_of(const ChosenStack& chosen, std::string_view name) {
  const Default* const found = chosen.column(name);
  return found == nullptr ? std::string() : found->value;
}

TEST(StackDefaults, AYearAndADeviceTellWhichMegatronItIs) {
  struct Case {
    const char* stack;
    const char* device;
    const char* date;
    const char* dtype;
    const char* simulated_by;
    const char* recompute;
    const char* sp;
    const char* reduce_dtype;
  };
  for (const Case& c : {
           Case{"megatron-lm", "a100-sxm-80gb", "2021-04", "", "megatron-2021", "full", "false",
                "fp16"},
           Case{"megatron-lm", "a100-sxm-80gb", "", "", "megatron-2021", "full", "false", "fp16"},
           Case{"megatron-lm", "a100-sxm-80gb", "2023-05", "", "megatron-core-2025", "none", "true",
                "fp32"},
           Case{"megatron-lm", "h100-sxm-80gb", "", "", "megatron-core-2025", "none", "true",
                "fp32"},
           Case{"megatron-lm", "b200-sxm", "", "fp16", "megatron-core-2025", "none", "true",
                "fp16"},
           Case{"megatron-deepspeed", "a100-sxm-80gb", "2022", "", "megatron-2021", "full", "false",
                "fp16"},
           Case{"megatron-deepspeed", "a100-sxm-80gb", "2023", "fp16", "megatron-2021", "full",
                "false", "fp16"},
           Case{"megatron-deepspeed", "a100-sxm-80gb", "2024", "bf16", "megatron-core-2025", "none",
                "true", "fp32"},
           Case{"megatron-deepspeed", "h100-sxm-80gb", "", "fp16", "megatron-core-2025", "none",
                "true", "fp16"},
           // A study's own table names the library's stack, whatever its device.
           Case{"megatron-2021", "h100-sxm-80gb", "", "", "megatron-2021", "full", "false", "fp16"},
       }) {
    SCOPED_TRACE(std::string(c.stack) + " " + c.device + " " + c.date + " " + c.dtype);
    Measurement row = row_on(c.stack, "");
    row.device = c.device;
    row.date = c.date;
    row.dtype = c.dtype;
    const ChosenStack chosen(stack_catalog(), row);
    EXPECT_EQ(chosen.simulated_by(), c.simulated_by);
    EXPECT_EQ(column_of(chosen, "recompute"), c.recompute);
    EXPECT_EQ(column_of(chosen, "sp"), c.sp);
    EXPECT_EQ(setting_of(chosen, "reduce_dtype"), c.reduce_dtype);
  }
}

TEST(StackDefaults, RunsOnOneNodeKeepTheirActivations) {
  Measurement row = row_on("megatron-deepspeed", "Megatron-DeepSpeed");
  row.fabric = "nvlink";
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "recompute"), "none");
  row.fabric = "ib";
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "recompute"), "full");
}

TEST(StackDefaults, DeepSpeedWithoutMegatronIsEagerPyTorch) {
  for (const char* framework :
       {"DeepSpeed ZeRO-3", "HF Trainer", "LLaMA-Factory", "DeepSpeed-Ulysses"}) {
    SCOPED_TRACE(framework);
    Measurement row = row_on("", framework);
    row.device = "h100-sxm-80gb";
    const ChosenStack chosen(stack_catalog(), row);
    EXPECT_EQ(chosen.stack().names.front(), "deepspeed");
    EXPECT_EQ(chosen.family(), "pytorch-eager");
    EXPECT_EQ(column_of(chosen, "recompute"), "none");
    EXPECT_EQ(column_of(chosen, "dtype"), "bf16");
    EXPECT_EQ(column_of(chosen, "sp"), "false");
    EXPECT_EQ(setting_of(chosen, "reduce_dtype"), "bf16");
    row.device = "a100-sxm-40gb";
    EXPECT_EQ(ChosenStack(stack_catalog(), row).simulated_by(), "pytorch-eager");
  }
  for (const char* framework :
       {"Megatron-DeepSpeed", "GPT-NeoX (DeepSpeed)", "Megatron + DeepSpeed"}) {
    EXPECT_EQ(ChosenStack(stack_catalog(), row_on("", framework)).stack().names.front(),
              "megatron-deepspeed")
        << framework;
  }
}

TEST(StackDefaults, OnlyShardedGradientsAreReducedWithEveryMicroBatch) {
  for (const StackDefaults& stack : stack_catalog().stacks) {
    for (const auto& [sharding, expected] :
         {std::pair{"shard_grad_op", false}, std::pair{"full_shard", false},
          std::pair{"hybrid_shard", false}, std::pair{"no_shard", true},
          std::pair{"zero1", true}}) {
      Measurement row = row_on(stack.names.front(), "");
      row.sharding = sharding;
      if (stack.names.front() == "internevo" || stack.names.front() == "nanotron-2024") continue;
      EXPECT_EQ(setting_of(ChosenStack(stack_catalog(), row), "accumulate_without_sync") == "true",
                expected)
          << stack.names.front() << " " << sharding;
    }
  }
}

TEST(StackDefaults, AnUnknownFrameworkIsKnownByWhatTheRowStates) {
  struct Case {
    std::optional<std::int64_t> pp, vp, tp;
    const char* sharding;
    const char* expected;
  };
  for (const Case& c :
       {Case{4, {}, {}, "", "megatron"}, Case{{}, 2, {}, "", "megatron"},
        Case{4, {}, {}, "full_shard", "megatron"}, Case{1, 1, 8, "zero1", "megatron"},
        Case{{}, {}, 8, "no_shard", "megatron"}, Case{{}, {}, {}, "zero1", "megatron"},
        Case{{}, {}, {}, "zero1_hybrid", "megatron"},
        Case{{}, {}, 8, "full_shard", "pytorch-eager"},
        Case{{}, {}, {}, "hybrid_shard", "pytorch-eager"},
        Case{{}, {}, {}, "shard_grad_op", "pytorch-eager"}, Case{{}, {}, 8, "", "megatron"},
        Case{{}, {}, {}, "", "pytorch-eager"}}) {
    Measurement row = row_on("abacus", "by hand");
    row.pp = c.pp;
    row.vp = c.vp;
    row.tp = c.tp;
    row.sharding = c.sharding;
    const ChosenStack chosen(stack_catalog(), row);
    EXPECT_EQ(chosen.family(), c.expected) << c.sharding;
    EXPECT_TRUE(chosen.is_assumed());
  }
}

TEST(StackDefaults, AnUnknownTrainerHasTheStackAndTheDefaultsOfItsFamily) {
  for (const StackFamily& family : stack_catalog().families) {
    SCOPED_TRACE(family.name);
    Measurement row = row_on("abacus", "by hand");
    if (family.name == "jax") row.device = "tpu-v5p";
    if (family.name == "megatron") row.pp = 2;
    if (family.name.starts_with("pytorch")) row.sharding = "full_shard";
    if (family.name == "pytorch-compiled") row.compile = true;
    const ChosenStack chosen(stack_catalog(), row);
    EXPECT_EQ(chosen.family(), family.name);
    EXPECT_EQ(chosen.simulated_by(), family.stack);
    const auto& names = chosen.stack().names;
    EXPECT_NE(std::ranges::find(names, family.defaults), names.end());
    EXPECT_EQ(chosen.judges_memory(), family.name != "jax");
  }
}

TEST(StackDefaults, TheYearTellsWhatAnUnknownMegatronDoes) {
  Measurement row = row_on("", "");
  row.pp = 2;
  row.date = "2021-05";
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "recompute"), "full");
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "dtype"), "fp16");
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "attention_impl"), "unfused");
  row.date = "2025-05";
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "recompute"), "none");
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "dtype"), "bf16");
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "attention_impl"), "");
  EXPECT_EQ(ChosenStack(stack_catalog(), row).family(), "megatron");  // in either year
}

/// What a row without a name of its software states.
struct UnnamedRow {
  const char* device;
  const char* date;
  const char* dtype;
  const char* sharding;
  const char* model = "GPT-13B";
};

Measurement unnamed(const UnnamedRow& of) {
  Measurement row = row_on("", "");
  row.device = of.device;
  row.date = of.date;
  row.dtype = of.dtype;
  row.sharding = of.sharding;
  row.model = of.model;
  return row;
}

TEST(StackDefaults, YearDeviceAndFormatTellTheEraOfUnknownSoftware) {
  const std::vector<std::pair<UnnamedRow, const char*>> cases{
      // Megatron-LM had neither flash attention nor reductions beside the passes until 2023.
      {{"a100-sxm-80gb", "2021-04", "fp16", "no_shard"}, "megatron-2021"},
      {{"a100-sxm-80gb", "2022-08", "bf16", "zero1"}, "megatron-2021"},
      {{"v100-sxm", "2023-06", "fp16", "no_shard"}, "megatron-2021"},
      {{"a100-sxm-80gb", "2023", "fp16", "no_shard"}, "megatron-2021"},
      {{"a100-sxm-80gb", "2023", "bf16", "zero1"}, "megatron"},
      {{"a100-sxm-80gb", "2024-06", "fp16", "zero1"}, "megatron"},
      {{"a100-sxm-80gb", "", "fp16", "zero1"}, "megatron"},
      // Its RMSNorm and rotary embedding were not fused before 2024.
      {{"a800-80gb", "2023-11", "bf16", "zero1", "llama2-7b"}, "megatron-llama-2023"},
      {{"a100-sxm-80gb", "2023-10", "fp16", "no_shard", "llama1-7b"}, "megatron-llama-2023"},
      {{"a800-80gb", "2024-05", "bf16", "zero1", "llama3-8b"}, "megatron"},
      // Transformer Engine scaled with a delay, and had nothing else, until 2025.
      {{"h100-sxm-80gb", "2023-06", "fp8", "zero1"}, "nemo-2024"},
      {{"h100-sxm-80gb", "v24.11.1", "fp8", "zero1"}, "nemo-2024"},
      {{"h100-sxm-80gb", "2025-10", "fp8", "zero1"}, "megatron"},
      {{"gb200", "2025-03", "mxfp8", "zero1"}, "megatron"},
      {{"h100-sxm-80gb", "2024-06", "fp8", "full_shard"}, "pytorch-delayed-2024"},
      {{"h100-sxm-80gb", "2025-10", "fp8", "full_shard"}, "pytorch-eager"},
      // FlashAttention 2 came with PyTorch 2.2 of 2024.
      {{"a100-sxm-80gb", "2023-10", "bf16", "full_shard"}, "pytorch-eager-2023"},
      {{"a100-sxm-80gb", "2024-02", "bf16", "full_shard"}, "pytorch-eager"},
  };
  for (const auto& [of, expected] : cases) {
    SCOPED_TRACE(std::string(of.device) + " " + of.date + " " + of.dtype + " " + of.sharding);
    const Measurement row = unnamed(of);
    const ChosenStack chosen(stack_catalog(), row);
    EXPECT_EQ(chosen.simulated_by(), expected);
    EXPECT_EQ(chosen.generic(), expected);
  }
}

TEST(StackDefaults, LayoutAndFormatTellTheFamilyOfUnknownSoftware) {
  const std::vector<std::pair<UnnamedRow, const char*>> cases{
      {{"gb200", "2025-10", "fp8", "full_shard"}, "megatron"},  // Megatron-FSDP
      {{"gb200", "2025-10", "bf16", "full_shard"}, "pytorch-eager"},
      {{"h100-sxm-80gb", "2025-10", "fp8", "full_shard"}, "pytorch-eager"},
      // Megatron-Core's optimizer is sharded within groups from late 2024 on.
      {{"a100-sxm-80gb", "2023-11", "bf16", "zero1_hybrid"}, "pytorch-eager"},
      {{"h100-sxm-80gb", "2025-01", "bf16", "zero1_hybrid"}, "megatron"},
      {{"h100-sxm-80gb", "2025-01", "bf16", ""}, "pytorch-eager"}};
  for (const auto& [of, expected] : cases) {
    SCOPED_TRACE(std::string(of.device) + " " + of.date + " " + of.dtype + " " + of.sharding);
    EXPECT_EQ(ChosenStack(stack_catalog(), unnamed(of)).family(), expected);
  }
  Measurement row = unnamed({"h100-sxm-80gb", "2025-01", "bf16", ""});
  row.cp = 1;  // which a trainer without context parallelism has no word for
  EXPECT_EQ(ChosenStack(stack_catalog(), row).family(), "megatron");
}

/// Of an unnamed run: does its trainer run tensor-parallel traffic beside products?
std::string asynchronous(const UnnamedRow& of, std::int64_t vp) {
  Measurement row = unnamed(of);
  row.tp = 4;
  row.vp = vp;
  return setting_of(ChosenStack(stack_catalog(), row), "async_tensor_parallel");
}

TEST(StackDefaults, RecipesOfTheVendorAreKnownByWhatOnlyTheyDo) {
  EXPECT_EQ(asynchronous({"h100-sxm-80gb", "2023-06", "fp8", ""}, 1), "true");
  EXPECT_EQ(asynchronous({"h100-sxm-80gb", "2024-06", "bf16", "zero1"}, 4), "true");
  EXPECT_EQ(asynchronous({"gb300", "2025-10", "nvfp4", "zero1"}, 1), "true");
  EXPECT_EQ(asynchronous({"h100-sxm-80gb", "v25.02", "bf16", ""}, 1), "true");
  EXPECT_EQ(asynchronous({"h100-sxm-80gb", "2024-06", "bf16", "zero1"}, 1), "");
  EXPECT_EQ(asynchronous({"b200-sxm", "2026-05", "bf16", ""}, 1), "");
  EXPECT_EQ(asynchronous({"a100-sxm-80gb", "2024-05", "bf16", "zero1"}, 4), "");
  EXPECT_EQ(asynchronous({"a100-sxm-80gb", "2022-05", "fp16", "no_shard"}, 3), "");
}

TEST(StackDefaults, AnEraBeforeFlashAttentionHasNoOverlapEither) {
  const Measurement row = unnamed({"a100-sxm-80gb", "2023", "fp16", ""});
  Measurement tensor = row;
  tensor.tp = 8;
  const ChosenStack chosen(stack_catalog(), tensor);
  EXPECT_EQ(column_of(chosen, "sp"), "false");
  EXPECT_EQ(column_of(chosen, "sharding"), "no_shard");
  EXPECT_EQ(column_of(chosen, "recompute"), "full");
  EXPECT_EQ(setting_of(chosen, "reduce_dtype"), "fp16");
  const sim::Stack& stack = library().stacks.at(std::string(chosen.simulated_by()));
  EXPECT_EQ(stack.attention, sim::AttentionKernel::unfused);
  EXPECT_EQ(stack.data_overlap, 0.0);
  EXPECT_EQ(stack.zero1_overlap, 0.0);
  EXPECT_FALSE(stack.fusion.delayed_scaling);
  EXPECT_TRUE(library().stacks.at("pytorch-eager-2023").fusion.delayed_scaling);
  EXPECT_EQ(library().stacks.at("pytorch-eager-2023").attention, sim::AttentionKernel::flash1);
}

TEST(StackDefaults, ExpertsOfUnknownSoftwareAreLaunched) {
  const auto plays = [](const char* device, const char* date, const char* model) {
    Measurement row = unnamed({device, date, "mxfp8", "zero1", model});
    row.ep = 8;
    return std::string(ChosenStack(stack_catalog(), row, true).simulated_by());
  };
  EXPECT_EQ(plays("gb200", "2026-05", "Qwen3_30B_a3B"), "megatron-experts-2025");
  EXPECT_EQ(plays("gb200", "2026-06", "Qwen3_30B_a3B"), "megatron-experts-2026");
  EXPECT_EQ(plays("b200-sxm", "2026-06", "Qwen3_30B_a3B"), "megatron-experts-2025");
  EXPECT_EQ(plays("gb200", "2026-06", "Nemotron_3_Nano"), "megatron-experts-2025");
  const sim::Stack& dense = library().stacks.at("megatron");
  const sim::Stack& experts = library().stacks.at("megatron-experts-2025");
  const sim::Stack& graph = library().stacks.at("megatron-experts-2026");
  EXPECT_GT(experts.expert_launches, dense.expert_launches);
  EXPECT_GT(experts.launches_an_expert, graph.launches_an_expert);
  EXPECT_TRUE(graph.cuda_graphs);
  // Of a dense model nothing differs.
  const Measurement row = unnamed({"gb200", "2026-06", "mxfp8", "zero1"});
  EXPECT_EQ(ChosenStack(stack_catalog(), row).simulated_by(), "megatron");
}

TEST(StackDefaults, SoftwareWithANameIsOfNoEra) {
  Measurement row = unnamed({"v100-sxm", "2021", "fp16", "no_shard"});
  row.framework = "Colossal-AI";
  const ChosenStack chosen(stack_catalog(), row);
  EXPECT_EQ(chosen.simulated_by(), "pytorch-eager");
  EXPECT_EQ(chosen.generic(), "pytorch-eager");
}

TEST(StackDefaults, OlderDevicesTakeWhatTheyHave) {
  for (const char* sharding : {"zero1", "full_shard"}) {
    Measurement row = row_on("", "");
    row.sharding = sharding;
    row.date = "2024";
    EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "dtype"), "bf16") << sharding;
    row.device = "v100-sxm";
    EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "dtype"), "fp16") << sharding;
    EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "attention_impl"), "unfused");
  }
}

TEST(StackDefaults, SoftwareWithoutAStackOfItsOwnHasThatOfItsFamily) {
  for (const auto& [framework, family] :
       {std::pair{"PaddleNLP", "megatron"}, std::pair{"MaxText", "jax"},
        std::pair{"DeepSpeed", "pytorch-eager"}, std::pair{"Colossal-AI", "pytorch-eager"},
        std::pair{"Megatron-Core 0.8", ""}, std::pair{"torchtitan", ""}}) {
    EXPECT_EQ(ChosenStack(stack_catalog(), row_on("", framework)).family(), family) << framework;
  }
  Measurement row = row_on("", "PaddleNLP");
  row.date = "2023-10";  // which has a stack
  EXPECT_EQ(ChosenStack(stack_catalog(), row).family(), "");
  EXPECT_EQ(ChosenStack(stack_catalog(), row).simulated_by(), "paddle-2023");
}

TEST(StackDefaults, AStatedTextMayBeKnownByItsBeginning) {
  const ChosenStack chosen(stack_catalog(), row_on("maxtext", ""));
  EXPECT_EQ(chosen.meaning("offload", "activations to host: decoder_layer_input"), "activations");
  EXPECT_EQ(chosen.meaning("offload", "none"), "none");
  EXPECT_EQ(chosen.meaning("recompute", "selective"), "full");
  Measurement row = row_on("maxtext", "");
  row.activation_ckpt = "custom (decoder_layer_input=device,query_proj=offload)";
  EXPECT_EQ(ChosenStack(stack_catalog(), row).meaning("recompute", "selective"), "per_op");
}

TEST(StackDefaults, MosaicsStackFollowsFromTheDevice) {
  for (const char* stack : {"", "pytorch-fsdp1"}) {
    for (const char* framework : {"MosaicML", "Composer 0.17", "LLM-Foundry"}) {
      for (const auto& [device, expected] : {std::pair{"a100-sxm-80gb", "mosaicml-fsdp1-2023"},
                                             std::pair{"h100-sxm-80gb", "mosaicml-fsdp1-2024"},
                                             std::pair{"h200-sxm-141gb", "mosaicml-fsdp1-2024"},
                                             std::pair{"b200-sxm", "mosaicml-fsdp1-2024"},
                                             std::pair{"gb200", "mosaicml-fsdp1-2024"}}) {
        Measurement row = row_on(stack, framework);
        row.device = device;
        EXPECT_EQ(ChosenStack(stack_catalog(), row).simulated_by(), expected)
            << stack << " " << framework << " " << device;
        row.precision = "amp_bf16, DEFAULT";
        EXPECT_EQ(setting_of(ChosenStack(stack_catalog(), row), "reduce_dtype"), "fp32");
      }
    }
  }
}

TEST(StackDefaults, GptHasItsTokenizersVocabularyOutsideMegatronToo) {
  for (const char* stack : {"pytorch-fsdp1", "pytorch-fsdp2", "deepspeed", "colossal-ai", "maxtext",
                            "megatron-core", "megatron-bridge"}) {
    Measurement row = row_on(stack, "");
    row.model = "GPT-13B";
    EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "vocab"), "50257") << stack;
  }
  Measurement row = row_on("megatron-lm", "");
  row.model = "GPT-13B";
  EXPECT_EQ(column_of(ChosenStack(stack_catalog(), row), "vocab"), "51200");  // padded
}

constexpr const char* small_catalog = R"({"schema": "cubicbench.stack_defaults/1",
  "common": {"columns": [{"name": "tp", "value": 1, "why": "w"}, {"name": "pp", "value": 1, "why": "w"}],
             "settings": [{"name": "schedule", "value": "1f1b", "why": "w"},
                          {"name": "optimizer", "value": "sgd", "why": "w"}]},
  "stacks": [{"names": ["a"], "texts": ["Alpha"], "simulated_by": "nanotron-2024",
    "columns": [{"name": "pp", "value": 2, "why": "w"}, {"name": "cp", "value": 2, "why": "w"}],
    "settings": [{"name": "reduce_dtype", "value": "fp32", "why": "w"},
                 {"name": "optimizer", "value": "adam", "why": "w"}],
    "exceptions": [
      {"when": [{"column": "notes", "contains": "Odd"}, {"column": "date", "from": "2023", "before": "2024-06"}],
       "columns": [{"name": "cp", "value": 4, "why": "w"}],
       "settings": [{"name": "optimizer", "value": "adamw", "why": "w"}],
       "values": [{"column": "recompute", "stated": "selective", "is": "per_op", "why": "w"}], "why": "w"},
      {"when": [{"column": "notes", "contains": "odd"}], "simulated_by": "megatron-2021",
       "columns": [{"name": "cp", "value": 8, "why": "w"}], "why": "w"}], "why": "w"}],
  "families": [{"name": "f", "stack": "nanotron-2024", "defaults": "a", "why": "w"}],
  "unnamed": [{"family": "f", "when": [], "why": "w"}], "one_for_all": "nanotron-2024",
  "attention": [], "other_tasks": []})";

TEST(StackDefaults, TheMostSpecialOneCounts) {
  const StackCatalog catalog = read_stack_catalog(small_catalog, "s.json");
  Measurement row = row_on("a", "");
  const auto value = [](const ChosenStack& chosen, std::string_view name) {
    const Default* const found = chosen.column(name);
    return found == nullptr ? std::string("none") : found->value;
  };
  const ChosenStack plain(catalog, row);
  EXPECT_EQ(value(plain, "tp"), "1");  // common
  EXPECT_EQ(value(plain, "pp"), "2");  // the stack's
  EXPECT_EQ(value(plain, "cp"), "2");
  EXPECT_EQ(value(plain, "ep"), "none");
  EXPECT_EQ(plain.meaning("recompute", "selective"), "selective");
  row.notes = "an ODD run";
  row.date = "2024-06";  // which is not before 2024-06
  const ChosenStack second(catalog, row);
  EXPECT_EQ(value(second, "cp"), "8");
  EXPECT_EQ(second.simulated_by(), "megatron-2021");
  row.date = "2024-05";
  const ChosenStack both(catalog, row);
  EXPECT_EQ(value(both, "cp"), "4");
  EXPECT_EQ(both.simulated_by(), "megatron-2021");  // the first says nothing of it
  EXPECT_EQ(both.meaning("recompute", "selective"), "per_op");
  std::string settings;
  for (const Default* setting : both.settings()) {
    settings += setting->name + "=" + setting->value + " ";
  }
  EXPECT_EQ(settings, "schedule=1f1b optimizer=adamw reduce_dtype=fp32 ");
}

TEST(StackDefaults, ReportEveryProblem) {
  constexpr const char* text = R"({"schema": "cubicbench.stack_defaults/1",
    "common": {"columns": [{"name": "tp", "value": 1.5, "why": "x"}, {"name": "pp", "value": 1, "why": ""}]},
    "stacks": [{"names": ["a"], "texts": [""], "simulated_by": "b", "why": "c",
      "columns": [{"name": "tpp", "value": 1, "why": "x"}],
      "settings": [{"name": "optimiser", "value": "adam", "why": "x"},
                   {"name": "optimizer", "value": "magic", "why": "x"}],
      "exceptions": [{"when": [{"column": "n_gpus", "contains": "8"}, {"column": "date"},
                               {"column": "date", "above": 1}, {"column": "tp", "is": true}], "why": "x", "z": 1}]}],
    "families": [{"name": "f", "stack": "s", "defaults": "c", "eras": [
      {"when": [], "defaults": "e", "why": "w"}, {"when": [], "simulated_by": 1, "why": ""}], "why": "w"}],
    "unnamed": [{"family": "g", "when": [{"column": "tp", "above": 1}], "why": "w"}],
    "one_for_all": "s",
    "attention": [{"contains": "x", "kernel": "flash9", "why": "y"}],
    "other_tasks": [{"when": [], "why": "y"}]})";
  try {
    read_stack_catalog(text, "a.json");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "a.json#/common/columns/0/value: expected a text, an integer, true or false, got 1.5\n"
        "a.json#/common/columns/1/why: expected a text, got \"\"\n"
        "a.json#/stacks/0/texts/0: expected a text, got \"\"\n"
        "a.json#/stacks/0/columns/0/name: expected a column of the measurement schema, got "
        "\"tpp\"\n"
        "a.json#/stacks/0/settings/0/name: expected a setting, got \"optimiser\"\n"
        "a.json#/stacks/0/settings/1/value: expected one of sgd, adam, adamw, rowwise_adagrad, "
        "adam_8bit, muon, got "
        "\"magic\"\n"
        "a.json#/stacks/0/exceptions/0/when/0/column: expected a text column of the measurement "
        "schema, got \"n_gpus\"\n"
        "a.json#/stacks/0/exceptions/0/when/1/contains: expected one of contains, any, words, "
        "lacks, from and before, got none\n"
        "a.json#/stacks/0/exceptions/0/when/2/column: expected a count column of the measurement "
        "schema, got \"date\"\n"
        "a.json#/stacks/0/exceptions/0/when/3/column: expected a yes-or-no column of the "
        "measurement schema, got \"tp\"\n"
        "a.json#/stacks/0/exceptions/0/z: unknown key\n"
        "a.json#/families/0/eras/1/simulated_by: expected a string, got 1\n"
        "a.json#/families/0/eras/1/why: expected a text, got \"\"\n"
        "a.json#/unnamed: expected the name of a family, got \"g\"\n"
        "a.json#/families: expected the name of a stack, got \"c\"\n"
        "a.json#/families: expected the name of a stack, got \"e\"\n"
        "a.json#/unnamed: expected a last rule that asks nothing\n"
        "a.json#/attention/0/kernel: expected one of unfused, flash1, flash2, flash3, cudnn, got "
        "\"flash9\"; did you mean \"flash1\"?\n"
        "a.json#/other_tasks/0/needs: expected a string, got nothing");
  }
}

}  // namespace
}  // namespace cubicbench::datasets
