#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/readers/recommendation_reader.h"
#include "sim/workload/table_set.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

using testing::HasSubstr;

using Json = nlohmann::ordered_json;

/// Two features that are pooled and one that is not, with every part a model can have.
const char* const full = R"({
  "kind": "recommendation",
  "tables": [
    {"tables": 2, "rows": 1000, "dim": 64, "pooling": 3.5, "skew": 1.05, "dtype": "fp16"},
    {"tables": 1, "rows": 5000, "dim": 128, "pooling": 20, "pooled": false, "dtype": "fp32"}
  ],
  "dense": {"inputs": 13, "kind": "mlp", "widths": [512, 256, 64]},
  "sequence": {"layers": 2, "width": 256, "heads": 4, "ffn_hidden": 1024},
  "interaction": {"kind": "stacked", "layers": 3, "features": 32, "dim": 128, "compressed": 16,
                  "ffn_hidden": 2048, "product_features": 16},
  "over": {"layers": 2, "width": 512, "ffn_hidden": 1024}
})";

const char* const drawn = R"({
  "kind": "recommendation",
  "table_set": {
    "seed": 1, "tables": 788, "parameters": 70e9, "ids_per_sample": 10720.5,
    "dims": [64, 128], "groups": 20, "rows": {"sigma": 2.0, "max": 100000000},
    "pooling": {"sigma": 1.2, "max": 150}, "reuse": {"batch": 131072, "mean": 12.7},
    "dtype": "bf16"
  },
  "dense": {"inputs": 13, "layers": 1, "width": 64, "ffn_hidden": 256},
  "over": {"layers": 2, "width": 512, "ffn_hidden": 1024}
})";

struct Reading {
  sim::Recommendation model;
  std::string messages;  ///< one a line
};

Reading read(const Json& json) {
  std::vector<support::Problem> problems;
  support::ObjectReader in(json, "s.json", "/workload", problems);
  in.allow("kind");
  Reading reading{.model = read_recommendation(in), .messages = {}};
  for (const support::Problem& problem : problems) {
    reading.messages += reading.messages.empty() ? "" : "\n";
    reading.messages += problem.where + ": " + problem.text;
  }
  return reading;
}

Reading read(const char* text) { return read(support::parse_json(text, "s.json")); }

/// What reading `text` says after `pointer` was given `value`; null removes it.
std::string message(const char* text, const char* pointer, const char* value) {
  Json json = support::parse_json(text, "s.json");
  json[Json::json_pointer(pointer)] = Json::parse(value);
  return read(json).messages;
}

struct Case {
  const char* pointer;
  const char* value;
  const char* message;
};

void expect_messages(const char* text, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.pointer) + " = " + c.value);
    EXPECT_EQ(message(text, c.pointer, c.value), c.message);
  }
}

TEST(RecommendationWorkload, ReadsEveryPart) {
  const Reading reading = read(full);
  EXPECT_EQ(reading.messages, "");
  const sim::Recommendation expected{
      .tables = {{.tables = 2,
                  .rows = 1000,
                  .dim = 64,
                  .pooling = 3.5,
                  .skew = 1.05,
                  .element_bytes = 2,
                  .pooled = true},
                 {.tables = 1,
                  .rows = 5000,
                  .dim = 128,
                  .pooling = 20.0,
                  .skew = 0.0,
                  .element_bytes = 4,
                  .pooled = false}},
      .dense_inputs = 13,
      .dense = sim::Mlp{.widths = {512, 256, 64}},
      .sequence = sim::SequenceArch{.layers = 2, .width = 256, .heads = 4, .ffn_hidden = 1024},
      .interaction = sim::StackedInteraction{.layers = 3,
                                             .features = 32,
                                             .dim = 128,
                                             .compressed = 16,
                                             .ffn_hidden = 2048,
                                             .product_features = 16},
      .over = sim::ResidualArch{.layers = 2, .width = 512, .ffn_hidden = 1024}};
  EXPECT_EQ(reading.model, expected);
}

TEST(RecommendationWorkload, DefaultsAreThoseOfOldFiles) {
  const Reading reading = read(R"({
    "tables": [{"tables": 4, "rows": 100, "dim": 8, "pooling": 1}],
    "dense": {"inputs": 13, "layers": 1, "width": 64, "ffn_hidden": 256},
    "over": {"layers": 2, "width": 512, "ffn_hidden": 1024}})");
  EXPECT_EQ(reading.messages, "");
  const sim::Recommendation expected{
      .tables = {{.tables = 4, .rows = 100, .dim = 8, .pooling = 1.0}},
      .dense_inputs = 13,
      .dense = sim::ResidualArch{.layers = 1, .width = 64, .ffn_hidden = 256},
      .sequence = {},
      .interaction = {},
      .over = sim::ResidualArch{.layers = 2, .width = 512, .ffn_hidden = 1024}};
  EXPECT_EQ(reading.model, expected);
}

TEST(RecommendationWorkload, ReadsEverySequenceArch) {
  const auto reading = [](const char* text) {
    Json json = support::parse_json(full, "s.json");
    json["sequence"] = Json::parse(text);
    return read(json);
  };
  const auto sequence = [&](const char* text) {
    const Reading read = reading(text);
    EXPECT_EQ(read.messages, "");
    return read.model.sequence;
  };
  EXPECT_EQ(
      sequence(R"({"kind": "transformer", "layers": 2, "width": 256, "heads": 4,
                         "ffn_hidden": 1024, "max_tokens": 50})"),
      (sim::SequenceArch{
          .layers = 2, .width = 256, .heads = 4, .ffn_hidden = 1024, .lengths = {.max = 50}}));
  EXPECT_EQ(sequence(R"({"kind": "hstu", "layers": 8, "width": 1024, "heads": 4,
                         "head_size": 256, "max_tokens": 50, "length_skew": 1.2})"),
            (sim::SequenceArch{.layers = 8,
                               .width = 1024,
                               .heads = 4,
                               .kind = sim::SequenceLayer::hstu,
                               .head_size = 256,
                               .lengths = {.max = 50, .skew = 1.2}}));
  // The width need not be a multiple of the heads: their size is stated.
  EXPECT_EQ(reading(R"({"kind": "hstu", "layers": 1, "width": 100, "heads": 3, "head_size": 64})")
                .messages,
            "");
  EXPECT_THAT(reading(R"({"kind": "hstu", "layers": 1, "width": 8, "heads": 1, "head_size": 8,
                          "max_tokens": 19})")
                  .messages,
              HasSubstr("expected max_tokens of at least the mean, 20 tokens, got 19"));
  EXPECT_THAT(reading(R"({"kind": "hstu", "layers": 1, "width": 8, "heads": 1, "head_size": 8,
                          "ffn_hidden": 8})")
                  .messages,
              HasSubstr("ffn_hidden: unknown key"));
}

TEST(RecommendationWorkload, ReadsEveryInteraction) {
  const auto interaction = [](const char* text) {
    Json json = support::parse_json(full, "s.json");
    json["tables"].erase(1);
    json.erase("sequence");
    json["interaction"] = Json::parse(text);
    const Reading reading = read(json);
    EXPECT_EQ(reading.messages, "");
    return reading.model.interaction;
  };
  EXPECT_EQ(interaction(R"({"kind": "none"})"), sim::Interaction(std::monostate{}));
  EXPECT_EQ(interaction("null"), sim::Interaction(std::monostate{}));
  EXPECT_EQ(interaction(R"({"kind": "dot"})"), sim::Interaction(sim::DotInteraction{}));
  EXPECT_EQ(interaction(R"({"kind": "cross", "layers": 3, "rank": 512})"),
            sim::Interaction(sim::CrossInteraction{.layers = 3, .rank = 512}));
}

TEST(RecommendationWorkload, SaysWhatItExpected) {
  expect_messages(
      full,
      {
          {"/tables/0/skew", "4.5",
           "s.json#/workload/tables/0/skew: expected a number in [0, 4], got 4.5"},
          {"/tables/0/dtype", "\"int8\"",
           "s.json#/workload/tables/0/dtype: expected one of fp32, fp16, bf16, got \"int8\""},
          {"/tables/0/pooled", "1",
           "s.json#/workload/tables/0/pooled: expected true or false, got 1"},
          {"/tables/1/pooling", "0.5",
           "s.json#/workload/tables/1/pooling: expected at least one id of a table that is not "
           "pooled, "
           "got 0.5"},
          {"/tables/1/pooled", "true",
           "s.json#/workload/sequence: expected no such arch, as all tables are pooled"},
          {"/sequence", "null",
           "s.json#/workload/sequence: expected an arch that reads the tables that are not pooled, "
           "got "
           "nothing"},
          {"/sequence/heads", "3",
           "s.json#/workload/sequence/heads: expected a divisor of /workload/sequence/width (256), "
           "got "
           "3"},
          {"/sequence/heads", "null",
           "s.json#/workload/sequence/heads: expected an integer in [1, 65536], got nothing"},
          {"/dense/widths", "[]", "s.json#/workload/dense/widths: expected 1 to 8 widths, got 0"},
          {"/dense/widths", "[1, 2, 3, 4, 5, 6, 7, 8, 9]",
           "s.json#/workload/dense/widths: expected 1 to 8 widths, got 9"},
          {"/dense/widths", "64", "s.json#/workload/dense/widths: expected an array, got 64"},
          {"/dense/widths/1", "0",
           "s.json#/workload/dense/widths/1: expected an integer in [1, 16777216], got 0"},
          {"/dense/layers", "2", "s.json#/workload/dense/layers: unknown key"},
          {"/dense/kind", "\"MLP\"",
           "s.json#/workload/dense/kind: expected one of residual, mlp, got \"MLP\"; did you mean "
           "\"mlp\"?"},
          {"/interaction/kind", "null",
           "s.json#/workload/interaction/kind: expected one of none, dot, cross, stacked, got "
           "nothing"},
          {"/interaction/kind", "\"dcn\"",
           "s.json#/workload/interaction/kind: expected one of none, dot, cross, stacked, got "
           "\"dcn\""},
          {"/interaction/product_features", "32",
           "s.json#/workload/interaction/product_features: expected less than "
           "/workload/interaction/features (32), got 32"},
          {"/interaction/features", "1",
           "s.json#/workload/interaction/features: expected an integer in [2, 16777216], got 1"},
          {"/interaction", "{\"kind\": \"dot\"}",
           "s.json#/workload/interaction: expected one width of the pooled tables, the dense and "
           "the "
           "sequence arch, as \"dot\" multiplies them, got 64, 256"},
          {"/interaction", "{\"kind\": \"cross\", \"layers\": 3, \"rnak\": 4}",
           "s.json#/workload/interaction/rank: expected an integer in [1, 16777216], got nothing\n"
           "s.json#/workload/interaction/rnak: unknown key; did you mean \"rank\"?"},
          {"/table_set", "{}",
           "s.json#/workload/table_set: expected one of tables and table_set, got both\n"
           "s.json#/workload/table_set/seed: expected an integer in [0, 9007199254740992], got "
           "nothing\n"
           "s.json#/workload/table_set/tables: expected an integer in [1, 4096], got nothing\n"
           "s.json#/workload/table_set/parameters: expected a number in [1, 1e+15], got nothing\n"
           "s.json#/workload/table_set/ids_per_sample: expected a number in [1, 40960000], got "
           "nothing\n"
           "s.json#/workload/table_set/dims: expected an array, got nothing"},
      });
}

TEST(RecommendationWorkload, DrawsASetOfTables) {
  const Reading reading = read(drawn);
  EXPECT_EQ(reading.messages, "");
  EXPECT_EQ(reading.model.tables,
            sim::table_set({.seed = 1,
                            .tables = 788,
                            .parameters = 70e9,
                            .ids_per_sample = 10720.5,
                            .dims = {64, 128},
                            .groups = 20,
                            .rows = {.sigma = 2.0, .min = 10.0, .max = 1e8},
                            .pooling = {.sigma = 1.2, .min = 1.0, .max = 150.0},
                            .unpooled = 0,
                            .skew = 0.0,
                            .reuse = sim::RowReuse{.batch = 131072.0, .mean = 12.7},
                            .element_bytes = 2}));
}

TEST(RecommendationWorkload, SaysWhatItExpectedOfASet) {
  expect_messages(
      drawn,
      {
          {"/table_set/dims", "[]",
           "s.json#/workload/table_set/dims: expected 1 to 16 widths, got 0"},
          {"/table_set/dims/0", "0",
           "s.json#/workload/table_set/dims/0: expected an integer in [1, 65536], got 0"},
          {"/table_set/groups", "0",
           "s.json#/workload/table_set/groups: expected an integer in [1, 1024], got 0"},
          {"/table_set/ids_per_sample", "700",
           "s.json#/workload/table_set/ids_per_sample: expected a number in [788, 117008] with "
           "these "
           "tables, got 700"},
          {"/table_set/parameters", "1e14",
           "s.json#/workload/table_set/parameters: expected a number in [756480, 7.5648e+12] "
           "with "
           "these tables, got 1e+14"},
          {"/table_set/skew", "1",
           "s.json#/workload/table_set/skew: expected no skew: it follows from "
           "/workload/table_set/reuse"},
          {"/table_set/rows/spread", "1", "s.json#/workload/table_set/rows/spread: unknown key"},
          {"/table_set/unpooled", "789",
           "s.json#/workload/table_set/unpooled: expected an integer in [0, 788], got 789"},
          {"/table_set/unpooled", "2",
           "s.json#/workload/sequence: expected an arch that reads the tables that are not pooled, "
           "got "
           "nothing"},
      });
}

TEST(RecommendationWorkload, RefusesAReuseThatNoSkewGives) {
  const std::string text = message(drawn, "/table_set/reuse/mean", "2");
  EXPECT_EQ(text.find("s.json#/workload/table_set/reuse: expected a mean from "), 0U) << text;
  EXPECT_NE(text.find(", where all rows are alike, to "), std::string::npos) << text;
  EXPECT_NE(text.find(", got 2"), std::string::npos) << text;
}

}  // namespace
}  // namespace cubicbench::scenarios
