#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "scenarios/readers/layer_pattern.h"
#include "scenarios/readers/scenario_canonical.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

using sim::FeedForward;
using sim::LayerKind;
using sim::Mixer;

constexpr const char* base = "tiny-llama";

/// tiny-llama with another workload, whose first keys are those of all.
std::string message_with(const std::string& workload) {
  return message_after(
      base, "/workload",
      (R"({"kind": "transformer", "hidden": 1024, "vocabulary": 32000, "sequence": 2048, )" +
       workload + "}")
          .c_str());
}

const sim::Transformer& model_of(const Scenario& scenario) {
  return std::get<sim::Transformer>(scenario.workload);
}

constexpr const char* space = R"("state_space": {"heads": 32, "head_size": 64, "state_size": 128})";

TEST(LayerPattern, IsReadAndWrittenLetterByLetter) {
  const LayerPattern pattern = read_layer_pattern("M*-E(M-)(ME)(*-)(*E)");
  EXPECT_EQ(pattern.expected, "");
  ASSERT_EQ(pattern.kinds.size(), 8U);
  EXPECT_EQ(pattern.kinds[0], (LayerKind{Mixer::scan, FeedForward::none}));
  EXPECT_EQ(pattern.kinds[3], (LayerKind{Mixer::none, FeedForward::experts}));
  EXPECT_EQ(pattern.kinds[5], (LayerKind{Mixer::scan, FeedForward::experts}));
  EXPECT_EQ(pattern.kinds[6], LayerKind{});
  EXPECT_EQ(layer_pattern_text(pattern.kinds), "M*-E(M-)(ME)(*-)(*E)");
  for (const char* const text : {"", "m", "M ", "(M", "(M-", "(-M)", "(MM)", "(M-*", ")", "M-X"}) {
    EXPECT_TRUE(read_layer_pattern(text).kinds.empty()) << text;
    EXPECT_NE(read_layer_pattern(text).expected, "") << text;
  }
}

TEST(LayerPatternInput, IsReadKeyByKey) {
  ASSERT_EQ(message_with(std::string(R"("layers": 24, "attention_heads": 8, "ffn_hidden": 4096,
      "layer_pattern": "M-M*", "state_space": {"heads": 32, "head_size": 64, "state_size": 16,
      "groups": 8, "convolution": 3, "chunk": 64})")),
            "");
  const Scenario scenario = read_scenario(in_test_folder("s.json"));
  EXPECT_EQ(model_of(scenario).state_space, (sim::StateSpace{.heads = 32,
                                                             .head_size = 64,
                                                             .state_size = 16,
                                                             .groups = 8,
                                                             .convolution = 3,
                                                             .chunk = 64}));
  EXPECT_EQ(layer_pattern_text(model_of(scenario).pattern), "M-M*");
}

TEST(LayerPatternInput, AsksForNothingThatNoLayerHas) {
  ASSERT_EQ(message_with(std::string(R"("layers": 24, "layer_pattern": "M", )") + space), "");
  const Scenario scenario = read_scenario(in_test_folder("s.json"));
  EXPECT_EQ(model_of(scenario).state_space.groups, 1);
  EXPECT_EQ(model_of(scenario).state_space.chunk, 256);
}

TEST(LayerPatternInput, SaysWhereWhatWasExpectedAndWhatWasGot) {
  const std::string letters =
      "expected a letter a layer, M (state space), * (attention), - (FFN) or E (experts), or (M-), "
      "(ME), (*-), (*E) for a layer of both";
  const std::string sizes = R"("attention_heads": 8, "ffn_hidden": 4096, )";
  struct Case {
    std::string workload;
    std::string message;
  };
  for (const Case& c :
       {Case{sizes + R"("layers": 4, "layer_pattern": "MX", )" + space,
             "/layer_pattern: " + letters + ", got \"MX\""},
        Case{sizes + R"("layers": 5, "layer_pattern": "M-", )" + space,
             "/layers: expected a multiple of the layers in layer_pattern (2), got 5"},
        Case{sizes + R"("layers": 4, "layer_pattern": "M-")",
             "/state_space: expected an object, as layers are M, got nothing"},
        Case{sizes + R"("layers": 4, "layer_pattern": "*-", )" + space,
             "/layer_pattern: expected a layer M, as state_space describes it"},
        Case{sizes + R"("layers": 4, )" + space,
             "/layer_pattern: expected a layer M, as state_space describes it"},
        Case{sizes + R"("layers": 4, "layer_pattern": "*E")",
             "/layer_pattern: expected no layer E, as no experts are described"},
        Case{sizes + R"("layers": 4, "layer_pattern": "*-", "sliding_window": {"tokens": 64})",
             "/sliding_window: expected no layer_pattern beside it"},
        Case{R"("layers": 4, "ffn_hidden": 4096, "layer_pattern": "*-")",
             "/attention_heads: expected an integer in [1, 65536], got nothing"},
        Case{sizes + R"("layers": 4, "layer_pattern": "M-*-", "prediction_layers": 1,
             "prediction_pattern": "*-", )" +
                 space,
             "/prediction_pattern: expected one layer, such as \"(*E)\", got \"*-\""},
        Case{sizes + R"("layers": 4, "layer_pattern": "M-", "prediction_pattern": "M", )" + space,
             "/prediction_pattern: expected prediction_layers above 0 beside it"},
        Case{sizes + R"x("layers": 5, "layer_pattern": "M-*(M-)(*-)", )x" + space,
             "/layer_pattern: expected at most 4 kinds of layers, got 5"},
        Case{sizes + R"("layers": 2, "layer_pattern": "M-", "state_space": {"heads": 32,
             "head_size": 64, "state_size": 16, "groups": 5})",
             "/state_space/groups: expected a divisor of /workload/state_space/heads (32), got 5"},
        Case{sizes + R"("layers": 2, "layer_pattern": "M-", "state_space": {"heads": 32,
             "head_size": 64, "state_size": 16, "group": 4})",
             "/state_space/group: unknown key; did you mean \"groups\"?"}}) {
    SCOPED_TRACE(c.workload);
    EXPECT_EQ(message_with(c.workload), "s.json#/workload" + c.message);
  }
}

// Hashes name results: models without patterns keep the ones that they had.
TEST(LayerPatternInput, IsPartOfTheHashWhereAModelHasOne) {
  const Scenario plain = read_scenario(base);
  const std::string text = canonical_text(plain, plain.baseline);
  for (const char* const key :
       {"layer_pattern", "state_space", "prediction_pattern", "latent_size"}) {
    EXPECT_EQ(text.find(key), std::string::npos) << key;
  }
  ASSERT_EQ(message_with(std::string(R"("layers": 24, "layer_pattern": "M", )") + space), "");
  const Scenario one = read_scenario(in_test_folder("s.json"));
  EXPECT_NE(canonical_text(one, one.baseline).find(R"("layer_pattern":"M")"), std::string::npos);
  const std::string pairs = R"x("layers": 24, "layer_pattern": "(M-)", "ffn_hidden": 64, )x";
  ASSERT_EQ(message_with(pairs + space), "");
  EXPECT_NE(read_scenario(in_test_folder("s.json")).sha256, one.sha256);
}

}  // namespace
}  // namespace cubicbench::scenarios
