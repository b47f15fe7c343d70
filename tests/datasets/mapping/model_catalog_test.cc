#include "datasets/mapping/model_catalog.h"

#include <gtest/gtest.h>

#include <string>

#include "datasets/mapping/stack_defaults.h"
#include "datasets/mapping/transformer_shape.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

TEST(ModelCatalog, SplitsNamesIntoWords) {
  for (const auto& [name, words] :
       {std::pair{"LLAMA3.1_405B", " llama 3.1 405b "}, std::pair{"Llama-2-7B", " llama 2 7b "},
        std::pair{"LLaMA-30B", " llama 30b "}, std::pair{"Qwen3_235B_a22B", " qwen 3 235b a 22b "},
        std::pair{"bert/bert_release", " bert bert release "}, std::pair{"v1. end.", " v 1 end "},
        std::pair{"--", " "}}) {
    EXPECT_EQ(model_words(name), words);
  }
}

TEST(ModelCatalog, KnowsModelsUnderTheirManyNames) {
  struct Case {
    const char* model;
    bool gated, tied;
    std::int64_t vocabulary;  ///< 0: none of its own
    const char* size;         ///< "": none
  };
  for (const Case& c : {
           Case{"llama3_70b (reduced layers)", true, false, 128256, " 70b "},
           Case{"Llama-3.1-8B", true, false, 128256, " 8b "},
           Case{"Llama-3-style 13B", true, false, 128256, ""},
           Case{"meta-llama/Llama-2-13b", true, false, 32000, " 13b "},
           Case{"LLaMA-30B", true, false, 32000, " 30b "},
           Case{"Llama 3.2 1B", true, true, 128256, " 1b "},
           Case{"llama-like 1.34B", true, true, 0, ""},
           Case{"llama-like 80B gqa8 vocab49k", true, false, 0, ""},
           Case{"tied llama-like llama3-8b", true, true, 0, ""},
           Case{"untied gpt-like x", false, false, 0, ""},
           Case{"InternLM-20B", true, false, 103168, " 20b "},
           Case{"InternLM2-20B", true, false, 92544, " 20b "},
           Case{"MPT-760m", false, true, 50368, " 760m "},
           Case{"GPT 200B (BLOOM prequel)", false, true, 250880, ""},
           Case{"gpt/gpt3_mcore_te_tp1_pp4_swiglu", true, true, 0, ""},
           Case{"GPT-175B", false, true, 0, " 175b "},
       }) {
    SCOPED_TRACE(c.model);
    const ModelFamily* const family = find_family(model_catalog(), c.model);
    ASSERT_NE(family, nullptr);
    EXPECT_EQ(family->gated_ffn, c.gated);
    EXPECT_EQ(family->tied_embeddings, c.tied);
    EXPECT_EQ(family->vocabulary.value_or(0), c.vocabulary);
    const ModelSize* const size = find_size(*family, c.model);
    EXPECT_EQ(size == nullptr ? "" : size->name, c.size);
  }
  EXPECT_EQ(find_family(model_catalog(), "128B"), nullptr);
  EXPECT_EQ(find_family(model_catalog(), ""), nullptr);
}

TEST(ModelCatalog, KnowsWhatItsModelsNeed) {
  for (const auto& [model, needs] :
       {std::pair{"Nemotron_3_Ultra", "state_space_layers"},
        std::pair{"DeepSeekV4 Flash", "sparse_attention"},
        std::pair{"Qwen3-Next-80B-A3B", "linear_attention"},
        std::pair{"switch_base", "encoder_decoder"}, std::pair{"t5_220m", "encoder_decoder"},
        std::pair{"bert/bert_release", "bidirectional_attention"},
        std::pair{"mamba2-2.7b", "state_space_layers"}}) {
    const ModelFamily* const family = find_family(model_catalog(), model);
    ASSERT_NE(family, nullptr) << model;
    EXPECT_EQ(family->needs, needs) << model;
  }
  EXPECT_EQ(find_family(model_catalog(), "Qwen3-32B")->needs, "");
  EXPECT_EQ(find_family(model_catalog(), "DeepSeekV3 (w/ MTP)")->needs, "");
}

TEST(ModelCatalog, HasTheParametersThatModelsWithExpertsAreNamedAfter) {
  struct Case {
    const char* model;
    double billions;
  };
  for (const Case& c : {
           Case{"Mixtral-8x7B", 46.7},
           Case{"mixtral/mixtral_8x22b_tp2pp8ep8vpp1_release", 140.6},
           Case{"deepseekv2", 236.0},
           Case{"DeepSeek-V2-Lite", 15.7},
           Case{"DeepSeek-Coder-V2-Lite", 15.7},
           Case{"DeepSeekMoE-16B", 16.4},
           Case{"DeepSeek-R1", 671.0},
           Case{"Kimi_K2", 1026.0},
           Case{"Moonlight-16B-A3B", 16.0},
           Case{"Qwen3_30B_a3B", 30.5},
           Case{"Qwen3-235B-A22B", 235.0},
           Case{"Qwen3-Coder-480B-A35B", 480.0},
           Case{"Qwen1.5-MoE-A2.7B", 14.3},
           Case{"Qwen2-57B-A14B", 57.4},
           Case{"GPT OSS 120B", 116.8},
           Case{"gpt-oss-20b", 20.9},
           Case{"OLMoE-1B-7B", 6.92},
           Case{"DBRX", 132.0},
           Case{"Grok-1", 314.0},
           Case{"snowflake-arctic", 480.0},
           Case{"Llama-4-Scout-17B-16E", 107.8},
           Case{"Llama-4-Maverick-17B-128E", 400.0},
           Case{"GLM-4.5-Air", 106.0},
           Case{"GLM-4.5", 355.0},
           Case{"MiniMax-M2", 229.0},
           Case{"Phi-3.5-MoE", 41.9},
           Case{"Nemotron_3_Nano", 31.6},
           Case{"Nemotron_3_Super", 120.6},
       }) {
    SCOPED_TRACE(c.model);
    Measurement row;
    row.model = c.model;
    row.seq_len = 4096;
    const ChosenStack stack(stack_catalog(), row, true);
    AssumedNames names;
    TransformerShape shape =
        transformer_shape(row, find_family(model_catalog(), row.model), stack, names);
    ASSERT_TRUE(shape.model) << shape.reason;
    EXPECT_TRUE(has_experts(*shape.model));
    shape.model->prediction_layers = 0;  // published counts leave them out
    EXPECT_NEAR(total_parameters(*shape.model) / 1e9 / c.billions, 1.0, 0.02);
  }
}

TEST(ModelCatalog, WidensFeedForwardParts) {
  EXPECT_EQ(ffn_width(FfnRule::published, 4096), std::nullopt);
  EXPECT_EQ(ffn_width(FfnRule::four_hidden, 1024), 4096);
  EXPECT_EQ(ffn_width(FfnRule::eight_thirds, 4096), 11008);  // 10,922.7: 43 x 256
  EXPECT_EQ(ffn_width(FfnRule::eight_thirds, 5120), 13824);  // 13,653.3: 54 x 256
  EXPECT_EQ(ffn_width(FfnRule::eight_thirds, 96), 256);      // 256 exactly
  EXPECT_EQ(ffn_width(FfnRule::seven_halves, 4096), 14336);
}

TEST(ModelCatalog, ReportsEveryProblem) {
  constexpr const char* text = R"({"schema": "cubicbench.models/1", "families": [
    {"names": ["-"], "gated_ffn": 1, "tied_embeddings": false, "ffn": "5 h", "why": "y", "z": 1},
    {"names": ["m"], "needs": "x"},
    {"names": ["n"], "gated_ffn": true, "tied_embeddings": false, "ffn": "4 h", "why": "",
     "sizes": [{"name": "7B", "layers": 0, "why": "w"}], "widths": [{"when": [], "hidden": "h", "why": "w"}]}]})";
  try {
    read_model_catalog(text, "a.json");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "a.json#/families/0/names/0: expected a text with letters or digits\n"
        "a.json#/families/0/gated_ffn: expected true or false, got 1\n"
        "a.json#/families/0/ffn: expected one of published, 4 h, 8/3 h, 3.5 h, got \"5 h\"; did "
        "you mean \"4 h\"?\n"
        "a.json#/families/0/z: unknown key\n"
        "a.json#/families/1/why: expected a string, got nothing\n"
        "a.json#/families/2/sizes/0/layers: expected an integer in [1, 1000000000], got 0\n"
        "a.json#/families/2/widths/0/hidden: expected an integer in [1, 1000000000], got \"h\"\n"
        "a.json#/families/2/why: expected a text, got \"\"");
  }
}

TEST(TransformerShape, ChoosesHeadsNextTo128Wide) {
  EXPECT_EQ(usual_heads(4096), 32);
  EXPECT_EQ(usual_heads(512), 8);  // 4 of 128 are no multiple of 8
  EXPECT_EQ(usual_heads(13312), 104);
  EXPECT_EQ(usual_heads(14400), 120);  // of 120; 96 are 150 wide, 144 are 100
  EXPECT_EQ(usual_heads(13824), 96);   // of 144; 128 are 108 wide
  EXPECT_EQ(usual_heads(1001), 7);     // 7 of 143, 11 of 91; 8 divides nothing
  EXPECT_EQ(usual_heads(4), std::nullopt);
}

sim::Transformer shape_of(const Measurement& row, std::vector<std::string>& assumed) {
  const ChosenStack stack(stack_catalog(), row);
  AssumedNames names;
  const TransformerShape shape =
      transformer_shape(row, find_family(model_catalog(), row.model), stack, names);
  EXPECT_TRUE(shape.model) << shape.reason;
  assumed = names.take();
  return shape.model.value_or(sim::Transformer{});
}

TEST(TransformerShape, IsThatOfANamedModel) {
  Measurement row;
  row.model = "InternLM-20B";
  row.stack = "internevo";
  std::vector<std::string> assumed;
  EXPECT_EQ(shape_of(row, assumed), (sim::Transformer{.layers = 60,
                                                      .hidden = 5120,
                                                      .attention_heads = 40,
                                                      .kv_heads = 40,
                                                      .head_size = 128,
                                                      .ffn_hidden = 13824,
                                                      .gated_ffn = true,
                                                      .vocabulary = 103168,
                                                      .tied_embeddings = false,
                                                      .sequence = 2048}));
  EXPECT_EQ(assumed,
            (std::vector<std::string>{"n_layers", "d_model", "n_heads", "n_kv_heads", "d_ff",
                                      "vocab", "seq_len", "gated_ffn", "tied_embeddings"}));
}

TEST(TransformerShape, HasHeadsThatNeedNotShareTheWidth) {
  for (const auto& [name, head_size] :
       {std::pair{"Qwen3-32B", 128}, std::pair{"Gemma-7B", 256}, std::pair{"gemma-2-27b", 128},
        std::pair{"Gemma 3 12B", 256}, std::pair{"Mistral-NeMo-12B", 128},
        std::pair{"Mistral-7B", 128}, std::pair{"LLAMA3_8B", 128}}) {
    SCOPED_TRACE(name);
    Measurement row;
    row.model = name;
    row.stack = "megatron-core";
    row.seq_len = 4096;
    std::vector<std::string> assumed;
    EXPECT_EQ(shape_of(row, assumed).head_size, head_size);
  }
}

TEST(TransformerShape, HasTheWindowsOfItsModel) {
  struct Case {
    const char* model;
    sim::SlidingWindow window;
  };
  for (const auto& [name, window] :
       {Case{"GPT OSS 120B", {.tokens = 128, .full_period = 2}},
        Case{"Gemma 3 12B", {.tokens = 1024, .full_period = 6}},
        Case{"gemma-2-27b", {.tokens = 4096, .full_period = 2}}, Case{"Gemma-7B", {}}}) {
    SCOPED_TRACE(name);
    Measurement row;
    row.model = name;
    row.stack = "megatron-core";
    row.seq_len = 8192;
    std::vector<std::string> assumed;
    EXPECT_EQ(shape_of(row, assumed).window, window);
  }
}

TEST(TransformerShape, OfAReducedModelKeepsTheStatedLayers) {
  Measurement row;
  row.model = "llama3_70b (reduced layers)";
  row.stack = "megatron-core";
  row.n_layers = 12;
  row.seq_len = 4096;
  std::vector<std::string> assumed;
  const sim::Transformer model = shape_of(row, assumed);
  EXPECT_EQ(model.layers, 12);
  EXPECT_EQ(model.kv_heads, 8);
  EXPECT_EQ(model.ffn_hidden, 28672);
}

TEST(TransformerShape, OfAnotherWidthIsNotThePublishedOne) {
  Measurement row;
  row.model = "Llama-2-7B";
  row.stack = "pytorch-fsdp1";
  row.n_layers = 8;
  row.d_model = 2048;
  row.seq_len = 1024;
  std::vector<std::string> assumed;
  const sim::Transformer model = shape_of(row, assumed);
  EXPECT_EQ(model.attention_heads, 16);
  EXPECT_EQ(model.ffn_hidden, 5632);  // 5,461.3: 22 x 256
}

// (194e9 - 250,880 x 14,400) / (12 x 14,400^2) = 76.5 layers; six stages hold 13 each, or 78.
TEST(TransformerShape, FollowsFromParametersWhereTheWidthIsKnown) {
  Measurement row;
  row.model = "GPT 194B (BLOOM prequel)";
  row.stack = "megatron-deepspeed";
  row.n_params_b = 194.0;
  row.pp = 6;
  row.seq_len = 2048;
  row.notes = "section: Choosing the fastest 3D Topology";
  std::vector<std::string> assumed;
  const sim::Transformer model = shape_of(row, assumed);
  EXPECT_EQ(model.hidden, 14400);
  EXPECT_EQ(model.attention_heads, 96);
  EXPECT_EQ(model.layers, 78);
  EXPECT_EQ(model.ffn_hidden, 57600);
  EXPECT_EQ(model.vocabulary, 250880);
}

TEST(TransformerShape, HeadsOfAKnownWidthAreThoseOfAStatedOneThatTheyDivide) {
  Measurement row;
  row.model = "GPT 182B (BLOOM prequel)";
  row.stack = "megatron-deepspeed";
  row.n_layers = 84;
  row.d_model = 13312;
  row.seq_len = 2048;
  std::vector<std::string> assumed;
  EXPECT_EQ(shape_of(row, assumed).attention_heads, 64);
  row.d_model = 11600;  // 64 x 181.25
  EXPECT_NE(shape_of(row, assumed).attention_heads, 64);
  row.n_heads = 80;
  EXPECT_EQ(shape_of(row, assumed).attention_heads, 80);
}

TEST(TransformerShape, OfAnUnknownModelMeetsItsParameters) {
  Measurement row;
  row.model = "mystery";
  row.n_layers = 10;
  row.d_model = 1024;
  row.n_heads = 8;
  row.d_ff = 4096;
  row.vocab = 32000;
  row.seq_len = 1024;
  std::vector<std::string> assumed;
  EXPECT_FALSE(shape_of(row, assumed).gated_ffn);  // 4 h
  EXPECT_FALSE(shape_of(row, assumed).tied_embeddings);
  row.n_params_b = 0.2;  // 10 x (4 + 12) x 1024^2 + 32,000 x 1,024 = 0.2005e9
  EXPECT_TRUE(shape_of(row, assumed).gated_ffn);
  EXPECT_TRUE(shape_of(row, assumed).tied_embeddings);
  row.n_params_b = 0.19;  // 10 x (4 + 8) x 1024^2 + 2 x 32,000 x 1,024 = 0.1914e9
  EXPECT_FALSE(shape_of(row, assumed).gated_ffn);
  EXPECT_FALSE(shape_of(row, assumed).tied_embeddings);
  row.n_params_b.reset();
  row.d_ff = 2816;
  EXPECT_TRUE(shape_of(row, assumed).gated_ffn);
}

}  // namespace
}  // namespace cubicbench::datasets
