#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/json/strict_json.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

struct Case {
  const char* pointer;
  const char* value;
  const char* message;
};

TEST(BadScenario, SaysWhereWhatWasExpectedAndWhatWasGot) {
  const Case cases[] = {
      {"/schema", "\"cubicbench.scenario/2\"",
       "s.json#/schema: expected \"cubicbench.scenario/1\", got \"cubicbench.scenario/2\""},
      {"/name", "\"GPT 3\"",
       "s.json#/name: expected a name of at most 100 characters of a-z, 0-9, '.' and '-', got "
       "\"GPT 3\""},
      {"/name", "null", "s.json#/name: expected a string, got nothing"},
      {"/summary", "7", "s.json#/summary: expected a string, got 7"},
      {"/sumary", "\"x\"", "s.json#/sumary: unknown key; did you mean \"summary\"?"},
      {"/table", "{\"path\": \"a.csv\"}", "s.json#/table: expected a model, got a table of runs"},
      {"/workload/kind", "\"mixture_of_experts\"",
       "s.json#/workload/experts: expected an integer in [1, 65536], got nothing\n"
       "s.json#/workload/experts_per_token: expected an integer in [1, 65536], got nothing\n"
       "s.json#/workload/expert_ffn_hidden: expected an integer in [1, 16777216], got nothing"},
      {"/workload/kind", "\"transfomer\"",
       "s.json#/workload/kind: expected one of transformer, mixture_of_experts, recommendation, "
       "got \"transfomer\"; did you mean \"transformer\"?"},
      {"/workload/layers", "0",
       "s.json#/workload/layers: expected an integer in [1, 10000], got 0"},
      {"/workload/layers", "96.0",
       "s.json#/workload/layers: expected an integer in [1, 10000], got 96.0"},
      {"/workload/hidden", "true",
       "s.json#/workload/hidden: expected an integer in [1, 16777216], got true"},
      {"/workload/hidden", "12289",
       "s.json#/workload/attention_heads: expected a divisor of /workload/hidden (12289), got 96; "
       "or give the size of a head"},
      {"/workload/kv_heads", "7",
       "s.json#/workload/kv_heads: expected a divisor of /workload/attention_heads (96), got 7"},
      {"/workload/attention_heads", "-1",
       "s.json#/workload/attention_heads: expected an integer in [1, 65536], got -1"},
      {"/workload/ffn_hidden", "null",
       "s.json#/workload/ffn_hidden: expected an integer in [1, 16777216], got nothing"},
      {"/workload/gated_ffn", "1", "s.json#/workload/gated_ffn: expected true or false, got 1"},
      {"/workload/sequence", "5000000000",
       "s.json#/workload/sequence: expected an integer in [1, 16777216], got 5000000000"},
      {"/workload/sequnce", "2048",
       "s.json#/workload/sequnce: unknown key; did you mean \"sequence\"?"},
      {"/workload", "[]", "s.json#/workload: expected an object, got []"},
      {"/cluster/gpus", "\"16k\"",
       "s.json#/cluster/gpus: expected an integer in [1, 131072], got \"16k\"; did you mean 16384, "
       "or 16000?"},
      {"/cluster/gpus", "1020",
       "s.json#/cluster/gpus: expected a multiple of /cluster/gpus_per_node (8), got 1020"},
      {"/cluster/gpus_per_node", "0",
       "s.json#/cluster/gpus_per_node: expected an integer in [1, 72], got 0"},
      {"/cluster/device", "\"h100\"",
       "s.json#/cluster/device: unknown device \"h100\"; did you mean \"h100-nvl-94gb\"?"},
      {"/cluster/device", "5", "s.json#/cluster/device: expected a string, got 5"},
      {"/cluster/device", "\"\"", "s.json#/cluster/device: expected a name or a path, got \"\""},
      {"/cluster/device", "\"h100.json\"",
       "s.json#/cluster/device: unknown device \"h100.json\"; a path needs a '/': did you mean "
       "\"./h100.json\"?"},
      {"/cluster/network", "\"nvlink3-slingshot\"",
       "s.json#/cluster/gpus_per_node: expected at most 4, the GPUs that the links of "
       "/cluster/network join, got 8"},
      {"/cluster",
       "{\"device\": \"v100-sxm\", \"gpus\": 1024, \"gpus_per_node\": 16, "
       "\"network\": \"nvlink2-edr\"}",
       "s.json#/cluster/gpus_per_node: expected at most 8, the GPUs that the links of "
       "/cluster/network join, got 16"},
      {"/cluster/network", "\"nvlink4\"",
       "s.json#/cluster/network: unknown network \"nvlink4\"; did you mean \"nvlink4-efa\"?"},
      {"/cluster/placement", "\"scatterd\"",
       "s.json#/cluster/placement: expected one of packed, scattered, partly_used, got "
       "\"scatterd\"; did you mean \"scattered\"?"},
      {"/stack", "\"megatron-2012\"",
       "s.json#/stack: unknown stack \"megatron-2012\"; did you mean \"megatron-2021\"?"},
      {"/settings/global_batch", "1000",
       "s.json#/settings/global_batch: expected a multiple of data_parallel x micro_batch (16), "
       "got 1000"},
      {"/settings/global_batch", "\"all\"",
       "s.json#/settings/global_batch: expected an integer in [1, 1073741824], got \"all\""},
      {"/settings/globl_batch", "8",
       "s.json#/settings/globl_batch: unknown setting; did you mean \"global_batch\"?"},
      {"/settings/dtype", "\"fp8\"",
       "s.json#/settings/dtype: expected a type that the device multiplies matrices in, got fp8"},
      {"/settings/optimizer", "\"rowwise_adagrad\"",
       "s.json#/settings/optimizer: expected a value that this version simulates, got "
       "rowwise_adagrad"},
      {"/space/parameters/0/name", "\"tensor_paralel\"",
       "s.json#/space/parameters/0/name: unknown setting \"tensor_paralel\"; did you mean "
       "\"tensor_parallel\"?"},
      {"/space/parameters/0/values", "[]",
       "s.json#/space/parameters/0/values: expected at least one "
       "value\ns.json#/space/parameters/5/when/tensor_parallel: 2 is no value of "
       "\"tensor_parallel\"\ns.json#/space/parameters/5/when/tensor_parallel: 4 is no value of "
       "\"tensor_parallel\"\ns.json#/space/parameters/5/when/tensor_parallel: 8 is no value of "
       "\"tensor_parallel\""},
      {"/space/parameters/0/values", "[1, 1]",
       "s.json#/space/parameters/0/values: 1 is listed "
       "twice\ns.json#/space/parameters/5/when/tensor_parallel: 2 is no value of "
       "\"tensor_parallel\"\ns.json#/space/parameters/5/when/tensor_parallel: 4 is no value of "
       "\"tensor_parallel\"\ns.json#/space/parameters/5/when/tensor_parallel: 8 is no value of "
       "\"tensor_parallel\""},
      {"/space/parameters/0/values", "[1, \"2\"]",
       "s.json#/space/parameters/0/values/1: expected an integer in [1, 16384], got \"2\""},
      {"/space/parameters/0/type", "\"set\"",
       "s.json#/space/parameters/0/type: expected one of categorical, ordinal, integer, boolean, "
       "got \"set\""},
      {"/space/parameters/2/max", "0",
       "s.json#/space/parameters/2/max: expected an integer in [1, 65536], got 0"},
      {"/space/parameters/2/scale", "\"log\"",
       "s.json#/space/parameters/2/scale: expected one of linear, log2, got \"log\"; did you mean "
       "\"log2\"?"},
      {"/space/parameters/3/when", "{\"pipeline\": [2]}",
       "s.json#/space/parameters/3/when/pipeline: unknown setting; did you mean "
       "\"pipeline_parallel\"?"},
      {"/space/parameters/3/when", "{\"recompute\": [\"full\"]}",
       "s.json#/space/parameters/3/when/recompute: expected a parameter that is listed before "
       "\"schedule\""},
      {"/space/parameters/3/when", "{\"pipeline_parallel\": [3]}",
       "s.json#/space/parameters/3/when/pipeline_parallel: 3 is no value of \"pipeline_parallel\""},
      {"/space/parameters/5/type", "\"integer\"",
       "s.json#/space/parameters/5/type: expected an integer setting, but \"sequence_parallel\" is "
       "true or false\ns.json#/space/parameters/5/min: expected an integer in [0, 1], got "
       "nothing\ns.json#/space/parameters/5/max: expected an integer in [0, 1], got nothing"},
      {"/space/constraints/0/require", "\"gpus % (tensor_parallel\"",
       "s.json#/space/constraints/0/require: column 24: expected \")\""},
      {"/space/constraints/0/require", "\"gpus < 8\"",
       "s.json#/space: expected at least one configuration that meets the constraints"},
      {"/space/parameters", "{}", "s.json#/space/parameters: expected an array, got {}"},
      {"/objective/metric", "\"speed\"",
       "s.json#/objective/metric: expected one of step_time_s, samples_per_s, tokens_per_s, "
       "tokens_per_s_per_gpu, mfu, tokens_per_gpu_hour, tokens_per_joule, samples_per_joule, "
       "tokens_per_usd, samples_per_usd, got \"speed\""},
      {"/objective/percentile", "100",
       "s.json#/objective/percentile: expected a number in [0.1, 99.9], got 100"},
      {"/job/steps", "0", "s.json#/job/steps: expected an integer in [1, 1000000000], got 0"},
      {"/truth/noise", "\"loud\"",
       "s.json#/truth/noise: expected one of none, field, got \"loud\""},
      {"/budget/trials", "1.5",
       "s.json#/budget/trials: expected an integer in [1, 1000000000], got 1.5"},
      {"/baseline/tensor_parallel", "7",
       "s.json#/baseline/tensor_parallel: expected a divisor of /workload/attention_heads (96), "
       "got 7\ns.json#/cluster/gpus: expected a multiple of tensor_parallel x pipeline_parallel x "
       "context_parallel (56), got 1024"},
      {"/baseline/tensor_paralel", "8",
       "s.json#/baseline/tensor_paralel: unknown setting; did you mean \"tensor_parallel\"?"},
      {"/baseline/micro_batch", "3",
       "s.json#/baseline/micro_batch: expected one of 1, 2, 4, 8, got 3"},
      {"/baseline/micro_batch", "64",
       "s.json#/settings/global_batch: expected a multiple of data_parallel x micro_batch (1024), "
       "got 1536"},
      {"/baseline/virtual_stages", "13",
       "s.json#/baseline/virtual_stages: expected at most /workload/layers + 2 (98) pipeline "
       "chunks, got 104"},
      {"/baseline/pipeline_parallel", "64",
       "s.json#/baseline/virtual_stages: expected at most /workload/layers + 2 (98) pipeline "
       "chunks, got 128"},
      {"/baseline/sharding", "\"full_shard\"",
       "s.json#/baseline/sharding: expected one of no_shard, zero1, got full_shard"},
      {"/baseline/recompute", "\"some\"",
       "s.json#/baseline/recompute: expected one of none, selective, per_op, full, every_K with K "
       "in [1, 1024], layernorm, moe_act, mlp, got \"some\""},
      {"/baseline/optimizer", "\"lion\"",
       "s.json#/baseline/optimizer: expected one of sgd, adam, adamw, rowwise_adagrad, adam_8bit, "
       "muon, got \"lion\""},
      {"/baseline/data_parallel", "8",
       "s.json#/baseline/data_parallel: expected /cluster/gpus over tensor, pipeline and context "
       "parallel (16), got 8"},
      {"/baseline/schedule", "\"zb_h1\"",
       "s.json#/baseline/schedule: expected one of gpipe, 1f1b, interleaved, got zb_h1"},
      {"/baseline/wrap", "2",
       "s.json#/baseline/wrap: expected 1, which is no parameter of the space, got 2"},
      {"/baseline", "null", "s.json#/baseline: expected an object, got nothing"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.pointer) + " = " + c.value);
    EXPECT_EQ(message_after("gpt3-175b", c.pointer, c.value), c.message);
  }
}

TEST(BadOverride, NamesTheOption) {
  struct Set {
    const char* option;
    const char* message;
  };
  const Set cases[] = {
      {"tensor_parallel=x",
       "--set tensor_parallel=x: expected an integer in [1, 16384], got \"x\""},
      {"tensor_paralel=8",
       "--set tensor_paralel=8: unknown setting; did you mean --set tensor_parallel=8?"},
      {"cluster.gpus=16k",
       "--set cluster.gpus=16k: expected an integer in [1, 131072], got \"16k\"; did you mean "
       "16384, or 16000?"},
      {"cluster.gpus=12",
       "--set cluster.gpus=12: expected a multiple of /cluster/gpus_per_node (8), got 12"},
      {"cluster.device=h100",
       "--set cluster.device=h100: unknown device \"h100\"; did you mean \"h100-nvl-94gb\"?"},
      {"workload.sequnce=4", "--set workload.sequnce=4: unknown key; did you mean \"sequence\"?"},
      {"foo", "--set foo: expected NAME=VALUE"},
      {"bar.x=1", "--set bar.x=1: unknown part of a scenario"},
  };
  for (const Set& c : cases) {
    SCOPED_TRACE(c.option);
    EXPECT_EQ(message_of("gpt3-175b", {c.option}), c.message);
  }
  EXPECT_EQ(message_of("gpt3-175b", {"micro_batch=1", "micro_batch=2"}),
            "--set micro_batch=2: \"micro_batch\" is set twice");
}

TEST(BadScenario, UnknownNamesAndMissingFiles) {
  EXPECT_EQ(message_of("llama3-405"),
            "llama3-405: unknown scenario \"llama3-405\"; did you mean \"llama3-405b\"?");
  EXPECT_NE(message_of(in_test_folder("none.json")), "");
}

TEST(BadScenario, ReportsAllProblemsOfAFileAtOnce) {
  Json json = support::parse_json(*text(Kind::scenario, "tiny-gpt"), "x");
  json["workload"]["layers"] = 0;
  json["cluster"]["gpus"] = "8";
  json["baseline"]["micro_bach"] = 4;
  write("s.json", json.dump());
  EXPECT_EQ(message_of(in_test_folder("s.json")),
            "s.json#/workload/layers: expected an integer in [1, 10000], got 0\n"
            "s.json#/cluster/gpus: expected an integer in [1, 131072], got \"8\"\n"
            "s.json#/baseline/micro_bach: unknown setting; did you mean \"micro_batch\"?");
}

TEST(BadDescription, EachNumberNeedsASource) {
  Json device = support::parse_json(*text(Kind::device, "h100-sxm-80gb"), "x");
  device["sources"].erase("memory_gib");
  device["sources"]["sm_count"] = "";
  device["sources"]["colour"] = "seen";
  write("device.json", device.dump());
  EXPECT_EQ(message_after("tiny-gpt", "/cluster/device", "\"./device.json\""),
            "device.json#/sources/memory_gib: expected a string, got nothing\n"
            "device.json#/sources/sm_count: expected the source of \"sm_count\", got \"\"\n"
            "device.json#/sources/colour: unknown key");
}

TEST(BadDescription, ATableHasOneSourceOrOneAnEntry) {
  Json device = support::parse_json(*text(Kind::device, "h100-sxm-80gb"), "x");
  device["sources"]["attention_efficiency"] = {
      {"flash1", "a figure"}, {"flash2", ""}, {"flash3", "a figure"}, {"flash4", "a figure"}};
  device["sources"]["sm_count"] = {{"sm_count", "seen"}};
  write("device.json", device.dump());
  EXPECT_EQ(message_after("tiny-gpt", "/cluster/device", "\"./device.json\""),
            "device.json#/sources/sm_count: expected a string, got {\"sm_count\":\"seen\"}\n"
            "device.json#/sources/attention_efficiency/flash2: expected the source of \"flash2\", "
            "got \"\"\n"
            "device.json#/sources/attention_efficiency/cudnn: expected a string, got nothing\n"
            "device.json#/sources/attention_efficiency/flash4: unknown key; did you mean "
            "\"flash1\"?");
}

TEST(HuggingFace, ReadsLlamaAndRefusesUnknownArchitectures) {
  Json config = {
      {"model_type", "llama"},     {"num_hidden_layers", 16},     {"hidden_size", 2048},
      {"num_attention_heads", 32}, {"num_key_value_heads", 8},    {"intermediate_size", 8192},
      {"vocab_size", 128256},      {"tie_word_embeddings", true}, {"rope_theta", 500000.0}};
  write("config.json", config.dump());
  const char* workload = R"({"hugging_face": "config.json", "sequence": 4096})";
  EXPECT_EQ(message_after("tiny-llama", "/workload", workload), "");
  EXPECT_EQ(read_scenario(in_test_folder("s.json")).workload, read_scenario("tiny-llama").workload);
  config["model_type"] = "mamba";
  write("config.json", config.dump());
  EXPECT_EQ(message_after("tiny-llama", "/workload", workload),
            "config.json#/model_type: expected one of llama, mistral, qwen2, qwen3, gpt2, mixtral, "
            "qwen2_moe, qwen3_moe, olmoe, gpt_oss, deepseek_v2, deepseek_v3, kimi_k2, nemotron_h, "
            "mamba2, got \"mamba\"; did you mean \"mamba2\"?");
}

}  // namespace
}  // namespace cubicbench::scenarios
