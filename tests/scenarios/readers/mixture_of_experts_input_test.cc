#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/readers/scenario_canonical.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/json/strict_json.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* base = "tiny-moe";

const sim::Transformer& model_of(const Scenario& scenario) {
  return std::get<sim::Transformer>(scenario.workload);
}

Scenario read_tiny(const std::vector<std::string>& sets = {}) {
  return read_scenario(test_scenario(base), sets);
}

TEST(MixtureOfExperts, IsReadKeyByKey) {
  const Scenario scenario = read_tiny();
  EXPECT_EQ(kind_of(scenario.workload), WorkloadKind::mixture_of_experts);
  EXPECT_EQ(model_of(scenario),
            (sim::Transformer{
                .layers = 8,
                .hidden = 1024,
                .attention_heads = 16,
                .kv_heads = 16,
                .head_size = 96,
                .ffn_hidden = 4096,
                .gated_ffn = true,
                .vocabulary = 32000,
                .sequence = 2048,
                .latent = {.query_rank = 384, .key_rank = 256, .rope_size = 32, .value_size = 64},
                .experts = {.count = 32,
                            .per_token = 4,
                            .ffn_hidden = 512,
                            .shared_ffn_hidden = 512,
                            .first_dense_layers = 1,
                            .period = 1,
                            .capacity_thousandths = 1250,
                            .load_deviation_thousandths = 200,
                            .nodes_per_token = 1},
                .prediction_layers = 1}));
}

TEST(MixtureOfExperts, EveryFieldCanBeSetOnTheCommandLine) {
  const sim::Transformer model = model_of(read_tiny(
      {"workload.experts=64", "workload.experts_per_token=8", "workload.expert_ffn_hidden=256",
       "workload.shared_expert_ffn_hidden=0", "workload.first_dense_layers=0",
       "workload.expert_period=2", "workload.capacity_factor=0", "workload.load_deviation=0.5",
       "workload.nodes_per_token=4", "workload.prediction_layers=2",
       "workload.latent_attention.query_rank=0", "workload.latent_attention.key_rank=128"}));
  EXPECT_EQ(model.experts, (sim::Experts{.count = 64,
                                         .per_token = 8,
                                         .ffn_hidden = 256,
                                         .shared_ffn_hidden = 0,
                                         .first_dense_layers = 0,
                                         .period = 2,
                                         .capacity_thousandths = 0,
                                         .load_deviation_thousandths = 500,
                                         .nodes_per_token = 4}));
  EXPECT_EQ(
      model.latent,
      (sim::LatentAttention{.query_rank = 0, .key_rank = 128, .rope_size = 32, .value_size = 64}));
  EXPECT_EQ(model.prediction_layers, 2);
}

TEST(MixtureOfExperts, SaysWhereWhatWasExpectedAndWhatWasGot) {
  struct Case {
    const char* pointer;
    const char* value;
    const char* message;
  };
  for (const Case& c : {
           Case{"/workload/experts", "null",
                "s.json#/workload/experts: expected an integer in [1, 65536], got nothing"},
           Case{"/workload/experts_per_token", "33",
                "s.json#/workload/experts_per_token: expected at most /workload/experts (32), got "
                "33"},
           Case{"/workload/expert_ffn_hidden", "0",
                "s.json#/workload/expert_ffn_hidden: expected an integer in [1, 16777216], got 0"},
           Case{"/workload/first_dense_layers", "8",
                "s.json#/workload/first_dense_layers: expected less than /workload/layers (8), got "
                "8"},
           Case{"/workload/expert_period", "8",
                "s.json#/workload/expert_period: expected at most the 7 layers after the dense "
                "ones, so that one has experts, got 8"},
           Case{"/workload/capacity_factor", "1.2345",
                "s.json#/workload/capacity_factor: expected a number with at most three decimals, "
                "got 1.2345"},
           Case{"/workload/capacity_factor", "-1",
                "s.json#/workload/capacity_factor: expected a number in [0, 1000], got -1"},
           Case{"/workload/load_deviation", "true",
                "s.json#/workload/load_deviation: expected a number in [0, 1000], got true"},
           Case{"/workload/nodes_per_token", "5",
                "s.json#/workload/nodes_per_token: expected at most the experts of a token (4), "
                "got 5"},
           Case{"/workload/kv_heads", "4",
                "s.json#/workload/kv_heads: expected /workload/attention_heads (16), as latent "
                "attention does not group heads, got 4"},
           Case{"/workload/head_size", "null",
                "s.json#/workload/head_size: expected an integer in [1, 16777216], got nothing"},
           Case{"/workload/latent_attention", "7",
                "s.json#/workload/latent_attention: expected an object, got 7"},
           Case{"/workload/latent_attention/key_rank", "0",
                "s.json#/workload/latent_attention/key_rank: expected an integer in [1, 16777216], "
                "got 0"},
           Case{"/workload/latent_attention/rope_size", "96",
                "s.json#/workload/latent_attention/rope_size: expected less than "
                "/workload/head_size (96), got 96"},
           Case{"/workload/latent_attention/rank", "8",
                "s.json#/workload/latent_attention/rank: unknown key"},
           Case{"/workload/ffn_hidden", "null",
                "s.json#/workload/ffn_hidden: expected an integer in [1, 16777216], got nothing"},
           Case{
               "/workload/kind", "\"transformer\"",
               "s.json#/workload/experts: expected /workload/kind to be \"mixture_of_experts\", as "
               "the model has experts\n"
               "s.json#/space/parameters/1/name: \"expert_tensor_parallel\" is a setting of "
               "mixtures of experts; this scenario trains a transformer\n"
               "s.json#/space/parameters/2/name: \"expert_dispatch\" is a setting of mixtures of "
               "experts; this scenario trains a transformer\n"
               "s.json#/space/parameters/3/name: \"expert_cache_ratio\" is a setting of mixtures "
               "of experts; this scenario trains a transformer\n"
               "s.json#/space/parameters/4/name: \"expert_prefetch\" is a setting of mixtures of "
               "experts; this scenario trains a transformer\n"
               "s.json#/space/constraints/0/require: \"experts\" is a fact of mixtures of "
               "experts; this scenario trains a transformer\n"
               "s.json#/space/constraints/1/require: \"expert_tensor_parallel\" is a setting of "
               "mixtures of experts; this scenario trains a transformer\n"
               "s.json#/space/constraints/1/require: \"expert_ffn_hidden\" is a fact of mixtures "
               "of experts; this scenario trains a transformer\n"
               "s.json#/space/constraints/2/require: \"expert_tensor_parallel\" is a setting of "
               "mixtures of experts; this scenario trains a transformer\n"
               "s.json#/baseline/expert_tensor_parallel: setting of mixtures of experts; this "
               "scenario trains a transformer\n"
               "s.json#/baseline/expert_cache_ratio: setting of mixtures of experts; this "
               "scenario trains a transformer\n"
               "s.json#/baseline/expert_prefetch: setting of mixtures of experts; this scenario "
               "trains a transformer"},
           Case{"/baseline/expert_cache_ratio", "1.5",
                "s.json#/baseline/expert_cache_ratio: expected a number in [0, 1] with at most "
                "three decimals, got 1.5"},
       }) {
    SCOPED_TRACE(std::string(c.pointer) + " = " + c.value);
    EXPECT_EQ(message_after(base, c.pointer, c.value), c.message);
  }
}

TEST(MixtureOfExperts, ReportsAllProblemsAtOnce) {
  Json json = support::parse_json(scenario_text(base), "x");
  json["workload"]["experts_per_token"] = 0;
  json["workload"]["capacity_factor"] = "1.25";
  json["workload"]["latent_attention"]["value_size"] = 0;
  write("s.json", json.dump());
  EXPECT_EQ(message_of(in_test_folder("s.json")),
            "s.json#/workload/experts_per_token: expected an integer in [1, 65536], got 0\n"
            "s.json#/workload/capacity_factor: expected a number in [0, 1000], got \"1.25\"\n"
            "s.json#/workload/latent_attention/value_size: expected an integer in [1, 16777216], "
            "got 0");
}

TEST(MixtureOfExperts, AModelWhoseLayersAllHaveExpertsNeedsNoOtherWidth) {
  Json json = support::parse_json(scenario_text(base), "x");
  json["workload"].erase("ffn_hidden");
  json["workload"]["first_dense_layers"] = 0;
  write("s.json", json.dump());
  EXPECT_EQ(model_of(read_scenario(in_test_folder("s.json"))).ffn_hidden, 512);
}

TEST(MixtureOfExperts, SettingsOfExpertsAreRefusedElsewhere) {
  EXPECT_EQ(message_of("gpt3-175b", {"expert_dispatch=deepep"}),
            "--set expert_dispatch=deepep: setting of mixtures of experts; this scenario trains a "
            "transformer");
  EXPECT_EQ(message_of("ads-73b", {"expert_overlap=true"}),
            "--set expert_overlap=true: setting of mixtures of experts; this scenario trains a "
            "recommendation model");
}

// Hashes name results: what dense models know nothing of is not in their canonical form.
TEST(MixtureOfExperts, OnlyItsCanonicalFormHasWhatExpertsNeed) {
  const Scenario dense = read_scenario("tiny-llama");
  const std::string text = canonical_text(dense, dense.baseline);
  for (const char* const word : {"experts", "expert_dispatch", "expert_storage", "latent_attention",
                                 "prediction_layers", "grouped_gemm_factor", "kept_per_routed"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  }
  const Scenario scenario = read_tiny();
  const std::string of_experts = canonical_text(scenario, scenario.baseline);
  for (const char* const words :
       {R"("kind":"mixture_of_experts")", R"("experts":32)", R"("load_deviation_thousandths":200)",
        R"("latent_attention":{"key_rank":256,"query_rank":384,"rope_size":32,"value_size":64})",
        R"("prediction_layers":1)", R"("expert_dispatch":"all_to_all")",
        R"("expert_cache_ratio":1,)", R"("einsum_dispatch":false)", R"("grouped_gemm_factor":)"}) {
    EXPECT_NE(of_experts.find(words), std::string::npos) << words;
  }
}

TEST(MixtureOfExperts, EveryFieldIsPartOfItsHash) {
  const std::string hash = read_tiny().sha256;
  for (const char* const set :
       {"workload.experts=64", "workload.experts_per_token=2", "workload.expert_ffn_hidden=256",
        "workload.shared_expert_ffn_hidden=0", "workload.first_dense_layers=0",
        "workload.expert_period=7", "workload.capacity_factor=0", "workload.load_deviation=0.5",
        "workload.nodes_per_token=4", "workload.prediction_layers=0",
        "workload.latent_attention.query_rank=0", "workload.latent_attention.key_rank=128",
        "workload.latent_attention.rope_size=0", "workload.latent_attention.value_size=32"}) {
    EXPECT_NE(read_tiny({set}).sha256, hash) << set;
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
