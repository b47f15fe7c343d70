#include "scenarios/space/setting.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/space/space_rules.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

const Setting& setting(std::string_view name) { return *find_setting(name); }

TEST(Settings, NamesStandInTheOrderOfTheContract) {
  const std::vector<std::string_view> expected_names{"gpus",
                                                     "tensor_parallel",
                                                     "sequence_parallel",
                                                     "async_tensor_parallel",
                                                     "pipeline_parallel",
                                                     "schedule",
                                                     "virtual_stages",
                                                     "context_parallel",
                                                     "ulysses_degree",
                                                     "context_exchange",
                                                     "context_load_balance",
                                                     "expert_parallel",
                                                     "expert_tensor_parallel",
                                                     "expert_dispatch",
                                                     "expert_overlap",
                                                     "expert_storage",
                                                     "expert_cache_ratio",
                                                     "expert_prefetch",
                                                     "data_parallel",
                                                     "global_batch",
                                                     "micro_batch",
                                                     "sharding",
                                                     "shard_group",
                                                     "wrap",
                                                     "forward_prefetch",
                                                     "backward_prefetch",
                                                     "limit_all_gathers",
                                                     "reshard_after_forward",
                                                     "accumulate_without_sync",
                                                     "dtype",
                                                     "param_dtype",
                                                     "reduce_dtype",
                                                     "optimizer",
                                                     "offload",
                                                     "recompute",
                                                     "compile",
                                                     "quantize_base",
                                                     "batch_per_gpu",
                                                     "embedding_plan",
                                                     "embedding_groups",
                                                     "embedding_sync_interval",
                                                     "embedding_kernel",
                                                     "embedding_cache_ratio",
                                                     "embedding_dtype",
                                                     "embedding_optimizer",
                                                     "embedding_replicate_below_gib",
                                                     "forward_comm_dtype",
                                                     "backward_comm_dtype",
                                                     "index_dedup",
                                                     "input_pipeline",
                                                     "length_balancing",
                                                     "dense_sharding",
                                                     "sequence_sharding",
                                                     "interaction_sharding",
                                                     "over_sharding"};
  const auto names = setting_names();
  EXPECT_EQ(std::vector<std::string_view>(names.begin(), names.end()), expected_names);
}

TEST(Settings, AreFoundByExactName) {
  for (const Setting& row : settings()) EXPECT_EQ(find_setting(row.name), &row);
  EXPECT_EQ(find_setting("tensor_paralel"), nullptr);
  EXPECT_EQ(find_setting("Tensor_parallel"), nullptr);
  EXPECT_EQ(find_setting(""), nullptr);
}

TEST(Settings, AppliedCodesAreReadBackAndChangeNothingElse) {
  for (const Setting& row : settings()) {
    SCOPED_TRACE(row.name);
    for (const std::int64_t code : {row.min, row.min + 1, row.max}) {
      sim::Plan plan;
      row.apply(plan, code);
      EXPECT_EQ(row.read(plan), code);
      for (const Setting& other : settings()) {
        if (&other == &row) continue;
        EXPECT_EQ(other.read(plan), other.read(sim::Plan{})) << other.name;
      }
    }
  }
}

TEST(Settings, DefaultPlanHasLegalCodesExceptForWhatIsDerived) {
  for (const Setting& row : settings()) {
    const std::int64_t code = row.read(sim::Plan{});
    if (row.name == "gpus" || row.name == "data_parallel") {
      EXPECT_EQ(code, 0);
    } else {
      EXPECT_TRUE(code >= row.min && code <= row.max) << row.name;
    }
  }
}

TEST(Settings, TextAndJsonGoThereAndBack) {
  for (const Setting& row : settings()) {
    for (std::int64_t code = row.min; code <= row.max; code = code < 64 ? code + 1 : code * 2) {
      SCOPED_TRACE(std::string(row.name) + " " + std::to_string(code));
      EXPECT_EQ(parse_setting(row, format_setting(row, code)), code);
      EXPECT_EQ(code_of(row, json_of(row, code)), code);
    }
  }
}

TEST(Settings, ChoicesFollowTheEnumsOfThePlan) {
  struct Case {
    const char* name;
    const char* text;
    std::int64_t code;
  };
  for (const Case& c :
       {Case{"schedule", "1f1b", static_cast<int>(sim::Schedule::one_f_one_b)},
        Case{"schedule", "dualpipev", static_cast<int>(sim::Schedule::dualpipev)},
        Case{"sharding", "zero1_hybrid", static_cast<int>(sim::Sharding::zero1_hybrid)},
        Case{"sharding", "hybrid_shard_zero2", static_cast<int>(sim::Sharding::hybrid_shard_zero2)},
        Case{"dtype", "bf16", static_cast<int>(sim::Dtype::bf16)},
        Case{"reduce_dtype", "nvfp4", static_cast<int>(sim::Dtype::nvfp4)},
        Case{"optimizer", "adamw", static_cast<int>(sim::Optimizer::adamw)},
        Case{"offload", "both", static_cast<int>(sim::Offload::both)},
        Case{"backward_prefetch", "post", static_cast<int>(sim::BackwardPrefetch::post)},
        Case{"recompute", "full", static_cast<int>(sim::Recompute::full)},
        Case{"recompute", "every_1", 4}, Case{"recompute", "every_1024", 1027},
        Case{"recompute", "layernorm", 1028}, Case{"recompute", "mlp", 1030},
        Case{"optimizer", "muon", static_cast<int>(sim::Optimizer::muon)}}) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(parse_setting(setting(c.name), c.text), c.code);
  }
}

TEST(Settings, RecomputeEveryKSetsKindAndK) {
  sim::Plan plan;
  setting("recompute").apply(plan, *parse_setting(setting("recompute"), "every_3"));
  EXPECT_EQ(plan.recompute, sim::Recompute::every_k);
  EXPECT_EQ(plan.recompute_every, 3);
  setting("recompute").apply(plan, *parse_setting(setting("recompute"), "full"));
  EXPECT_EQ(plan.recompute, sim::Recompute::full);
  EXPECT_EQ(plan.recompute_every, 1);
}

// Behind every_1024, so that no code of theirs is that of another policy.
TEST(Settings, RecomputeByModuleIsReadAndWritten) {
  const Setting& recompute = setting("recompute");
  sim::Plan plan;
  for (const auto& [name, policy] :
       {std::pair{"layernorm", sim::Recompute::layernorm},
        std::pair{"moe_act", sim::Recompute::moe_act}, std::pair{"mlp", sim::Recompute::mlp}}) {
    SCOPED_TRACE(name);
    const auto code = parse_setting(recompute, name);
    ASSERT_TRUE(code);
    EXPECT_EQ(format_setting(recompute, *code), name);
    recompute.apply(plan, *code);
    EXPECT_EQ(plan.recompute, policy);
    EXPECT_EQ(plan.recompute_every, 1);
    EXPECT_EQ(recompute.read(plan), *code);
  }
}

TEST(Settings, ParsingIsStrict) {
  struct Case {
    const char* name;
    const char* text;
  };
  for (const Case& c : {Case{"tensor_parallel", ""},
                        Case{"tensor_parallel", " 8"},
                        Case{"tensor_parallel", "8 "},
                        Case{"tensor_parallel", "+8"},
                        Case{"tensor_parallel", "-8"},
                        Case{"tensor_parallel", "0"},
                        Case{"tensor_parallel", "08"},
                        Case{"tensor_parallel", "8.0"},
                        Case{"tensor_parallel", "1e3"},
                        Case{"tensor_parallel", "0x8"},
                        Case{"tensor_parallel", "16385"},
                        Case{"tensor_parallel", "9223372036854775808"},
                        Case{"tensor_parallel", "18446744073709551617"},
                        Case{"tensor_parallel", "true"},
                        Case{"compile", "1"},
                        Case{"compile", "True"},
                        Case{"compile", "yes"},
                        Case{"compile", ""},
                        Case{"schedule", "1F1B"},
                        Case{"schedule", "1"},
                        Case{"schedule", ""},
                        Case{"schedule", "every_2"},
                        Case{"recompute", "every_0"},
                        Case{"recompute", "every_"},
                        Case{"recompute", "every_k"},
                        Case{"recompute", "every_01"},
                        Case{"recompute", "every_1025"},
                        Case{"reshard_after_forward", "0"},
                        Case{"reshard_after_forward", "1"},
                        Case{"reshard_after_forward", "131073"},
                        Case{"embedding_cache_ratio", ""},
                        Case{"embedding_cache_ratio", "."},
                        Case{"embedding_cache_ratio", ".2"},
                        Case{"embedding_cache_ratio", "0."},
                        Case{"embedding_cache_ratio", "00.2"},
                        Case{"embedding_cache_ratio", "0,2"},
                        Case{"embedding_cache_ratio", "0.2001"},
                        Case{"embedding_cache_ratio", "-0.2"},
                        Case{"embedding_cache_ratio", "2e-1"},
                        Case{"embedding_cache_ratio", "1.001"},
                        Case{"embedding_replicate_below_gib", "1024.001"},
                        Case{"embedding_replicate_below_gib", "9223372036854775807"}}) {
    SCOPED_TRACE(std::string(c.name) + "=" + c.text);
    EXPECT_EQ(parse_setting(setting(c.name), c.text), std::nullopt);
  }
}

TEST(Settings, JsonTypesAreNeverConverted) {
  struct Case {
    const char* name;
    Json value;
  };
  for (const Case& c : {Case{"tensor_parallel", 8.0},
                        Case{"tensor_parallel", "8"},
                        Case{"tensor_parallel", true},
                        Case{"tensor_parallel", nullptr},
                        Case{"tensor_parallel", -1},
                        Case{"tensor_parallel", 1ULL << 63},
                        Case{"tensor_parallel", Json::array({8})},
                        Case{"compile", 1},
                        Case{"compile", "true"},
                        Case{"schedule", 1},
                        Case{"schedule", true},
                        Case{"reshard_after_forward", 1},
                        Case{"reshard_after_forward", "true"},
                        Case{"embedding_cache_ratio", "0.2"},
                        Case{"embedding_cache_ratio", true},
                        Case{"embedding_cache_ratio", 0.0001},
                        Case{"embedding_cache_ratio", 0.2000001},
                        Case{"embedding_cache_ratio", -0.001},
                        Case{"embedding_cache_ratio", 1e300},
                        Case{"embedding_replicate_below_gib", 1025}}) {
    SCOPED_TRACE(std::string(c.name) + "=" + c.value.dump());
    EXPECT_EQ(code_of(setting(c.name), c.value), std::nullopt);
  }
  EXPECT_EQ(code_of(setting("reshard_after_forward"), true), 1);
  EXPECT_EQ(code_of(setting("reshard_after_forward"), 8), 8);
  EXPECT_EQ(json_of(setting("reshard_after_forward"), 0), Json(false));
  EXPECT_EQ(json_of(setting("recompute"), 5), Json("every_2"));
}

TEST(Settings, DecimalsAreThousandths) {
  struct Case {
    const char* text;
    const char* written;
    std::int64_t code;
  };
  const Setting& gib = setting("embedding_replicate_below_gib");
  for (const Case& c :
       {Case{"0", "0", 0}, Case{"0.0", "0", 0}, Case{"0.008", "0.008", 8}, Case{"0.2", "0.2", 200},
        Case{"0.20", "0.2", 200}, Case{"0.200", "0.2", 200}, Case{"1", "1", 1000},
        Case{"16.125", "16.125", 16'125}, Case{"1024", "1024", 1'024'000}}) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(parse_setting(gib, c.text), c.code);
    EXPECT_EQ(code_of(gib, Json::parse(c.text)), c.code);
    EXPECT_EQ(format_setting(gib, c.code), c.written);
    EXPECT_EQ(json_of(gib, c.code).dump(), c.written);
  }
  for (std::int64_t code = 0; code <= 1000; ++code) {
    const Setting& ratio = setting("embedding_cache_ratio");
    ASSERT_EQ(code_of(ratio, Json::parse(json_of(ratio, code).dump())), code);
    ASSERT_EQ(parse_setting(ratio, format_setting(ratio, code)), code);
  }
}

TEST(Settings, BelongToTransformersOrRecommendationModelsOrBoth) {
  using enum WorkloadKind;
  std::set<std::string_view> shared;
  for (const Setting& row : settings()) {
    EXPECT_TRUE(belongs(row, mixture_of_experts) || belongs(row, recommendation)) << row.name;
    EXPECT_TRUE(!belongs(row, transformer) || belongs(row, mixture_of_experts)) << row.name;
    if (belongs(row, transformer) && belongs(row, recommendation)) shared.insert(row.name);
  }
  EXPECT_EQ(shared, (std::set<std::string_view>{
                        "shard_group", "wrap", "forward_prefetch", "backward_prefetch",
                        "limit_all_gathers", "reshard_after_forward", "dtype", "param_dtype",
                        "reduce_dtype", "optimizer", "offload", "recompute", "compile"}));
  EXPECT_EQ(setting_names(transformer).size(), 31U);
  EXPECT_EQ(setting_names(mixture_of_experts).size(), 37U);
  EXPECT_EQ(setting_names(recommendation).size(), 31U);
  EXPECT_EQ(misplaced(setting("sharding"), recommendation),
            "setting of transformers; this scenario trains a recommendation model");
  EXPECT_EQ(misplaced(setting("expert_dispatch"), transformer),
            "setting of mixtures of experts; this scenario trains a transformer");
  EXPECT_EQ(misplaced(setting("batch_per_gpu"), mixture_of_experts),
            "setting of recommendation models; this scenario trains a mixture of experts");
}

TEST(Settings, SayWhatTheyExpect) {
  EXPECT_EQ(expected(setting("tensor_parallel")), "an integer in [1, 16384]");
  EXPECT_EQ(expected(setting("backward_prefetch")), "one of none, post, pre");
  EXPECT_EQ(expected(setting("compile")), "true or false");
  EXPECT_EQ(expected(setting("reshard_after_forward")), "true, false or an integer in [2, 131072]");
  EXPECT_EQ(expected(setting("embedding_sync_interval")), "an integer in [1, 1024]");
  EXPECT_EQ(expected(setting("embedding_cache_ratio")),
            "a number in [0, 1] with at most three decimals");
  EXPECT_EQ(
      expected(setting("recompute")),
      "one of none, selective, per_op, full, every_K with K in [1, 1024], layernorm, moe_act, "
      "mlp");
}

TEST(ParameterValues, AreExpanded) {
  using Values = std::vector<std::int64_t>;
  EXPECT_EQ(stepped_values(2, 8, 3), (Values{2, 5, 8}));
  EXPECT_EQ(stepped_values(2, 7, 3), (Values{2, 5}));
  EXPECT_EQ(stepped_values(4, 4, 1), (Values{4}));
  EXPECT_EQ(stepped_values(5, 4, 1), Values{});
  EXPECT_EQ(stepped_values(1, 4, 0), Values{});
  EXPECT_EQ(stepped_values(1, 65'536, 1).size(), 65'536U);
  EXPECT_EQ(stepped_values(1, 65'537, 1), Values{});
  EXPECT_EQ(stepped_values(INT64_MIN, INT64_MAX, INT64_MAX).size(), 3U);
  EXPECT_EQ(powers_of_two(1, 8), (Values{1, 2, 4, 8}));
  EXPECT_EQ(powers_of_two(3, 20), (Values{4, 8, 16}));
  EXPECT_EQ(powers_of_two(5, 7), Values{});
  EXPECT_EQ(powers_of_two(-4, 2), (Values{1, 2}));
}

}  // namespace
}  // namespace cubicbench::scenarios
