#include "scenarios/readers/hugging_face.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

struct Read {
  sim::Transformer model;
  std::string problems;  ///< one line each
};

Read read(const Json& config) {
  std::vector<support::Problem> problems;
  const Document document{.file = "config.json", .directory = "", .text = config.dump()};
  Read result{.model = read_hugging_face(document, 4096, problems), .problems = {}};
  for (const support::Problem& problem : problems) {
    result.problems += (result.problems.empty() ? "" : "\n") + problem.where + ": " + problem.text;
  }
  return result;
}

/// With keys that do not shape the computation among the others.
Json mixtral() {
  return {{"model_type", "mixtral"},   {"num_hidden_layers", 32},     {"hidden_size", 4096},
          {"num_attention_heads", 32}, {"num_key_value_heads", 8},    {"intermediate_size", 14336},
          {"num_local_experts", 8},    {"num_experts_per_tok", 2},    {"vocab_size", 32000},
          {"sliding_window", nullptr}, {"router_aux_loss_coef", 0.02}};
}

Json qwen3() {
  return {{"model_type", "qwen3_moe"},  {"num_hidden_layers", 94},
          {"hidden_size", 4096},        {"num_attention_heads", 64},
          {"num_key_value_heads", 4},   {"head_dim", 128},
          {"intermediate_size", 12288}, {"moe_intermediate_size", 1536},
          {"num_experts", 128},         {"num_experts_per_tok", 8},
          {"decoder_sparse_step", 1},   {"mlp_only_layers", Json::array()},
          {"vocab_size", 151936}};
}

Json deepseek() {
  return {{"model_type", "deepseek_v3"},
          {"num_hidden_layers", 61},
          {"hidden_size", 7168},
          {"num_attention_heads", 128},
          {"num_key_value_heads", 128},
          {"intermediate_size", 18432},
          {"moe_intermediate_size", 2048},
          {"n_routed_experts", 256},
          {"n_shared_experts", 1},
          {"num_experts_per_tok", 8},
          {"first_k_dense_replace", 3},
          {"moe_layer_freq", 1},
          {"n_group", 8},
          {"topk_group", 4},
          {"q_lora_rank", 1536},
          {"kv_lora_rank", 512},
          {"qk_nope_head_dim", 128},
          {"qk_rope_head_dim", 64},
          {"v_head_dim", 128},
          {"num_nextn_predict_layers", 1},
          {"vocab_size", 129280}};
}

TEST(HuggingFaceExperts, Mixtral) {
  const Read result = read(mixtral());
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(result.model.experts, (sim::Experts{.count = 8, .per_token = 2, .ffn_hidden = 14336}));
  EXPECT_EQ(result.model.head_size, 128);
  // The published numbers: 46.7 billion parameters, 12.9 billion of them active.
  EXPECT_NEAR(sim::total_parameters(result.model), 46.7e9, 0.05e9);
}

TEST(HuggingFaceExperts, GptOssHasMixtralsKeysAndHeadsOfItsOwnSize) {
  Json config = {{"model_type", "gpt_oss"},   {"num_hidden_layers", 36},
                 {"hidden_size", 2880},       {"num_attention_heads", 64},
                 {"num_key_value_heads", 8},  {"head_dim", 64},
                 {"intermediate_size", 2880}, {"num_local_experts", 128},
                 {"num_experts_per_tok", 4},  {"vocab_size", 201088}};
  const Read result = read(config);
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(result.model.head_size, 64);
  EXPECT_NEAR(sim::total_parameters(result.model), 116.8e9, 0.3e9);
}

TEST(HuggingFaceExperts, Qwen) {
  const Read result = read(qwen3());
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(result.model.experts, (sim::Experts{.count = 128, .per_token = 8, .ffn_hidden = 1536}));
  EXPECT_NEAR(sim::total_parameters(result.model), 235e9, 0.5e9);

  Json sparse = qwen3();
  sparse["decoder_sparse_step"] = 2;
  sparse["mlp_only_layers"] = {0, 1};
  EXPECT_EQ(read(sparse).model.experts.first_dense_layers, 2);
  EXPECT_EQ(read(sparse).model.experts.period, 2);

  Json shared = qwen3();
  shared["model_type"] = "qwen2_moe";
  EXPECT_EQ(read(shared).problems,
            "config.json#/shared_expert_intermediate_size: expected an integer in [0, 16777216], "
            "got nothing");
  shared["shared_expert_intermediate_size"] = 5632;
  EXPECT_EQ(read(shared).model.experts.shared_ffn_hidden, 5632);

  Json dense = qwen3();
  dense["model_type"] = "qwen3";
  EXPECT_FALSE(sim::has_experts(read(dense).model));
  EXPECT_EQ(read(dense).model.head_size, 128);
}

TEST(HuggingFaceExperts, Olmoe) {
  Json config = mixtral();
  config["model_type"] = "olmoe";
  config["num_experts"] = 64;
  EXPECT_EQ(read(config).model.experts.count, 64);
}

TEST(HuggingFaceExperts, DeepSeekAndKimi) {
  const Read result = read(deepseek());
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(result.model.experts, (sim::Experts{.count = 256,
                                                .per_token = 8,
                                                .ffn_hidden = 2048,
                                                .shared_ffn_hidden = 2048,
                                                .first_dense_layers = 3,
                                                .nodes_per_token = 4}));
  EXPECT_EQ(result.model.latent,
            (sim::LatentAttention{
                .query_rank = 1536, .key_rank = 512, .rope_size = 64, .value_size = 128}));
  EXPECT_EQ(result.model.head_size, 192);
  EXPECT_EQ(result.model.prediction_layers, 1);
  sim::Transformer without = result.model;
  without.prediction_layers = 0;
  EXPECT_NEAR(sim::total_parameters(without), 671e9, 0.1e9);  // as published

  Json kimi = deepseek();
  kimi["model_type"] = "kimi_k2";
  kimi["n_group"] = 1;
  kimi["topk_group"] = 1;
  kimi["q_lora_rank"] = nullptr;
  EXPECT_EQ(read(kimi).model.experts.nodes_per_token, 0);
  EXPECT_EQ(read(kimi).model.latent.query_rank, 0);
}

TEST(HuggingFaceExperts, SayWhatIsWrong) {
  struct Case {
    Json config;
    const char* key;
    Json value;
    const char* message;
  };
  for (const Case& c : {
           Case{mixtral(), "num_local_experts", nullptr,
                "config.json#/num_local_experts: expected an integer in [1, 65536], got nothing"},
           Case{mixtral(), "num_experts_per_tok", 9,
                "config.json#/num_experts_per_tok: expected at most /num_local_experts (8), got 9"},
           Case{qwen3(),
                "mlp_only_layers",
                {3},
                "config.json#/mlp_only_layers: expected the first layers only, in their order, got "
                "[3]"},
           Case{qwen3(), "decoder_sparse_step", 95,
                "config.json#/decoder_sparse_step: expected at most the 94 layers after the dense "
                "ones, so that one has experts, got 95"},
           Case{deepseek(), "first_k_dense_replace", 61,
                "config.json#/first_k_dense_replace: expected less than /num_hidden_layers (61), "
                "got 61"},
           Case{deepseek(), "moe_layer_freq", 2,
                "config.json#/moe_layer_freq: expected an integer in [1, 1], got 2"},
           Case{deepseek(), "kv_lora_rank", nullptr,
                "config.json#/kv_lora_rank: expected an integer in [1, 16777216], got nothing"},
       }) {
    SCOPED_TRACE(std::string(c.key) + " = " + c.value.dump());
    Json config = c.config;
    config[c.key] = c.value;
    EXPECT_EQ(read(config).problems, c.message);
  }
}

TEST(HuggingFaceExperts, AScenarioAddsWhatTheFileDoesNotTell) {
  write("config.json", mixtral().dump());
  const auto message = [](const std::string& workload) {
    return message_after("tiny-moe", "/workload", workload.c_str());
  };
  EXPECT_EQ(message(R"({"hugging_face": "config.json", "sequence": 4096, "capacity_factor": 1.5,
                        "load_deviation": 0.1, "nodes_per_token": 1})"),
            "");
  const Scenario scenario = read_scenario(in_test_folder("s.json"));
  const auto& model = std::get<sim::Transformer>(scenario.workload);
  EXPECT_EQ(model.experts.capacity_thousandths, 1500);
  EXPECT_EQ(model.experts.load_deviation_thousandths, 100);
  EXPECT_EQ(model.experts.nodes_per_token, 1);
  EXPECT_EQ(message(R"({"hugging_face": "config.json", "sequence": 4096, "nodes_per_token": 3})"),
            "s.json#/workload/nodes_per_token: expected at most the experts of a token (2), got 3");
  EXPECT_NE(
      message(R"({"kind": "transformer", "hugging_face": "config.json", "sequence": 4096})")
          .find("s.json#/workload/kind: expected \"mixture_of_experts\", which the model file "
                "describes, got \"transformer\""),
      std::string::npos);
}

}  // namespace
}  // namespace cubicbench::scenarios
