#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/readers/hugging_face.h"
#include "scenarios/readers/layer_pattern.h"

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
  Read result{.model = read_hugging_face(document, 8192, problems), .problems = {}};
  for (const support::Problem& problem : problems) {
    result.problems += (result.problems.empty() ? "" : "\n") + problem.where + ": " + problem.text;
  }
  return result;
}

/// The file of Nemotron 3 Nano 30B-A3B, some of the keys left out that do not shape it.
Json nano() {
  return {{"model_type", "nemotron_h"},
          {"hybrid_override_pattern", "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"},
          {"num_hidden_layers", 52},
          {"hidden_size", 2688},
          {"num_attention_heads", 32},
          {"num_key_value_heads", 2},
          {"head_dim", 128},
          {"intermediate_size", 1856},
          {"mamba_num_heads", 64},
          {"mamba_head_dim", 64},
          {"ssm_state_size", 128},
          {"n_groups", 8},
          {"conv_kernel", 4},
          {"chunk_size", 128},
          {"expand", 2},
          {"n_routed_experts", 128},
          {"n_shared_experts", 1},
          {"num_experts_per_tok", 6},
          {"moe_intermediate_size", 1856},
          {"moe_shared_expert_intermediate_size", 3712},
          {"n_group", 1},
          {"mlp_hidden_act", "relu2"},
          {"tie_word_embeddings", false},
          {"vocab_size", 131072}};
}

/// That of Mamba-2 2.7B, arXiv 2405.21060, section 9.
Json mamba2() {
  return {{"model_type", "mamba2"}, {"num_hidden_layers", 64},
          {"hidden_size", 2560},    {"num_heads", 80},
          {"head_dim", 64},         {"state_size", 128},
          {"n_groups", 1},          {"chunk_size", 256},
          {"conv_kernel", 4},       {"expand", 2},
          {"vocab_size", 50288},    {"tie_word_embeddings", true}};
}

TEST(HuggingFaceHybrids, NemotronWithExperts) {
  const Read result = read(nano());
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(layer_pattern_text(result.model.pattern), nano()["hybrid_override_pattern"]);
  EXPECT_EQ(result.model.state_space,
            (sim::StateSpace{
                .heads = 64, .head_size = 64, .state_size = 128, .groups = 8, .chunk = 128}));
  EXPECT_EQ(
      result.model.experts,
      (sim::Experts{.count = 128, .per_token = 6, .ffn_hidden = 1856, .shared_ffn_hidden = 3712}));
  EXPECT_FALSE(result.model.gated_ffn);
  EXPECT_NEAR(total_parameters(result.model), 31.6e9, 0.01 * 31.6e9);
}

TEST(HuggingFaceHybrids, NemotronInALatentWidthWithPrediction) {
  Json super = nano();
  super["moe_latent_size"] = 1024;
  super["num_nextn_predict_layers"] = 1;
  super["mtp_hybrid_override_pattern"] = "*E";
  const Read result = read(super);
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(result.model.experts.latent_size, 1024);
  EXPECT_EQ(result.model.prediction_layers, 1);
  EXPECT_EQ(result.model.prediction_kind, (sim::LayerKind{.ffn = sim::FeedForward::experts}));
}

// Layers as words, and an FFN in place of experts, whose keys are then not asked for.
TEST(HuggingFaceHybrids, NemotronWithoutExperts) {
  Json config = nano();
  config.erase("hybrid_override_pattern");
  config.erase("n_routed_experts");
  config.erase("head_dim");
  config["attention_head_dim"] = 128;
  config["layers_block_type"] = {"mamba", "mlp", "attention", "mlp"};
  config["num_hidden_layers"] = 4;
  const Read result = read(config);
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(layer_pattern_text(result.model.pattern), "M-*-");
  EXPECT_EQ(result.model.head_size, 128);
  EXPECT_FALSE(has_experts(result.model));
}

TEST(HuggingFaceHybrids, Mamba2) {
  const Read result = read(mamba2());
  EXPECT_EQ(result.problems, "");
  EXPECT_EQ(layer_pattern_text(result.model.pattern), "M");
  EXPECT_EQ(result.model.layers, 64);
  EXPECT_FALSE(has_attention(result.model));
  EXPECT_NEAR(total_parameters(result.model), 2.7e9, 0.01 * 2.7e9);  // as its name says
}

TEST(HuggingFaceHybrids, SayWhatIsWrong) {
  struct Case {
    Json config;
    const char* key;
    Json value;
    const char* message;
  };
  for (const Case& c :
       {Case{nano(), "hybrid_override_pattern", "ME|M",
             "config.json#/hybrid_override_pattern: expected a letter a layer, M (state space), * "
             "(attention), - (FFN) or E (experts), or (M-), (ME), (*-), (*E) for a layer of both, "
             "got \"ME|M\""},
        Case{nano(), "num_hidden_layers", 50,
             "config.json#/num_hidden_layers: expected the number of layers that are listed (52), "
             "got 50"},
        Case{nano(), "n_groups", 5,
             "config.json#/n_groups: expected a divisor of /mamba_num_heads (64), got 5"},
        Case{nano(), "ssm_state_size", nullptr,
             "config.json#/ssm_state_size: expected an integer in [1, 16777216], got nothing"},
        Case{mamba2(), "expand", 4,
             "config.json#/num_heads: expected heads as wide as expand x hidden_size (10240), got "
             "5120"},
        Case{mamba2(), "n_groups", 3,
             "config.json#/n_groups: expected a divisor of /num_heads (80), got 3"}}) {
    SCOPED_TRACE(std::string(c.key) + " = " + c.value.dump());
    Json config = c.config;
    config[c.key] = c.value;
    EXPECT_EQ(read(config).problems, c.message);
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
