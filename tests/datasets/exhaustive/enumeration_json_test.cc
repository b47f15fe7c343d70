#include "datasets/exhaustive/enumeration_json.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using datasets::Enumeration;
using Json = nlohmann::ordered_json;

Enumeration example() {
  Enumeration all{.scenario = "tiny",
                  .scenario_sha256 = "ab",
                  .truth_sha256 = "cd",
                  .instance = 2,
                  .configurations = 10,
                  .rejected_by = {{"fits", 5}, {"divides", 0}},
                  .failures = {{scenarios::Reason::oom_late, 3}},
                  .optimum = datasets::Optimum{.value = 2.5,
                                               .configs = {{{"tensor_parallel", "4"},
                                                            {"schedule", "\"1f1b\""},
                                                            {"compile", "true"}}},
                                               .count = 1,
                                               .certified = true,
                                               .bound = 2.5},
                  .baseline = {.value = 1.5, .share_better = 0.25},
                  .quantiles = std::vector<double>(datasets::quantile_count, 1.25),
                  .best_of_k = {{.k = 1,
                                 .with_replacement = 0.5,
                                 .without_replacement = 0.5,
                                 .with_quantiles = {{0.125, 0.25, 0.75, 1.0}},
                                 .without_quantiles = {{0.125, 0.25, 0.75, 2.0}}},
                                {.k = 2, .with_replacement = 1.0, .without_replacement = 1.125}},
                  .objective = {.metric = scenarios::Metric::mfu,
                                .percentile = 90.0,
                                .direction = scenarios::Direction::maximize},
                  .valued = 10,
                  .exhaustive = true};
  all.quantiles.back() = 2.5;
  all.random_search = {
      .studies = 1'000,
      .from_baseline = {{.mean = 1.5, .half = {1.5, 1.5}, .nine_tenths = {1.5, 1.5}}},
      .from_nothing = {{.failing = 0.25,
                        .mean = 1.25,
                        .error = 0.125,
                        .half = {1.0, 2.0},
                        .nine_tenths = {{}, 2.25}}}};
  return all;
}

/// As it comes back from a file.
Enumeration again(const Enumeration& enumeration) {
  const std::string text = support::document_text(enumeration_json(enumeration));
  return enumeration_of(support::parse_json(text, "a.json"), "a.json");
}

std::string problem_of(const Json& document) {
  try {
    enumeration_of(document, "a.json");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(EnumerationJson, HasTheKeysOfTheContractInOrder) {
  std::vector<std::string> keys;
  const Json document = enumeration_json(example());
  for (const auto& [key, value] : document.items()) keys.push_back(key);
  EXPECT_EQ(keys,
            (std::vector<std::string>{"schema", "version", "scenario", "scenario_sha256",
                                      "truth_sha256", "instance", "configurations", "rejected_by",
                                      "failures", "optimum", "baseline", "quantiles", "best_of_k",
                                      "random_search", "objective", "valued"}));
}

TEST(EnumerationJson, ReadsWhatItWrote) {
  EXPECT_EQ(again(example()), example());

  Enumeration none_runs = example();
  none_runs.failures = {{scenarios::Reason::oom_init, 10}};
  none_runs.optimum.reset();
  none_runs.baseline = {.value = {}, .share_better = 0.0};
  none_runs.quantiles.clear();
  none_runs.best_of_k.clear();
  EXPECT_EQ(again(none_runs), none_runs);

  Enumeration of_a_table = example();
  of_a_table.salt_sha256 = "ef";
  of_a_table.baseline = {.stated = false, .value = {}, .share_better = {}};
  EXPECT_EQ(again(of_a_table), of_a_table);

  Enumeration cut_short = none_runs;
  cut_short.configurations = 18'000'000'000'000'000'000U;
  cut_short.exhaustive = false;
  cut_short.failures.clear();
  cut_short.optimum.emplace();
  cut_short.optimum->certified = false;
  cut_short.optimum->bound = 1e9;
  cut_short.baseline.share_better.reset();
  EXPECT_EQ(again(cut_short), cut_short);
}

TEST(EnumerationJson, RefusesWhatContradictsItself) {
  const Json good = enumeration_json(example());
  const auto with = [&](const char* pointer, const Json& value) {
    Json changed = good;
    changed[Json::json_pointer(pointer)] = value;
    return problem_of(changed);
  };
  struct Case {
    const char* pointer;
    Json value;
    const char* expected;
  };
  for (const Case& c : std::vector<Case>{
           {"/schema", "cubicbench.search/1",
            "a.json#/schema: expected \"cubicbench.enumeration/1\", got \"cubicbench.search/1\""},
           {"/configurations", -1, "a.json#/configurations: expected an integer >= 0, got -1"},
           {"/failures/flu", 1, "a.json#/failures/flu: unknown reason"},
           {"/failures/oom_late", 11,
            "a.json#/failures/oom_late: expected no more failures than there are configurations"},
           {"/optimum/bound", 3.0, "a.json#/optimum/bound: expected the value, as it is certified"},
           {"/optimum/count", 0,
            "a.json#/optimum/value: expected a number exactly when the count is not 0"},
           {"/quantiles", Json::array({1.0}), "a.json#/quantiles: expected 4097 values, got 1"},
           {"/quantiles/7", 9.0, "a.json#/quantiles: expected values that ascend"},
           {"/best_of_k/1/k", 3, "a.json#/best_of_k/1/k: expected an integer in [2, 2], got 3"},
           {"/valued", 11, "a.json#/valued: expected no more than there are configurations"},
           {"/surprise", 1, "a.json#/surprise: unknown key"}}) {
    EXPECT_TRUE(with(c.pointer, c.value).starts_with(c.expected))
        << c.pointer << ": " << with(c.pointer, c.value);
  }
}

datasets::EnumerationShard example_shard() {
  datasets::EnumerationShard shard;
  shard.head = {.scenario = "tiny",
                .scenario_sha256 = "ab",
                .truth_sha256 = "cd",
                .instance = 2,
                .configurations = 10,
                .rejected_by = {{"fits", 5}},
                .failures = {},
                .optimum = {},
                .baseline = {.value = 1.5, .share_better = {}},
                .quantiles = {},
                .best_of_k = {},
                .objective = {}};
  shard.version = support::new_document("enumeration_shard")["version"];
  shard.k_max = 7;
  shard.index = 2;
  shard.of = 3;
  shard.failures[static_cast<std::size_t>(scenarios::Reason::oom_late)] = 1;
  shard.best = {.value = 2.5, .count = 3, .numbers = {4}};
  shard.best_configs = {{{"tensor_parallel", "4"}}};
  shard.runs = {{.value = 0.5, .count = 2}, {.value = 2.5, .count = 3}};
  return shard;
}

TEST(EnumerationShardJson, ReadsWhatItWrote) {
  datasets::EnumerationShard shard = example_shard();
  EXPECT_EQ(enumeration_shard_of(enumeration_shard_json(shard), "a.json"), shard);
  shard.head.baseline = {.stated = false, .value = {}, .share_better = {}};
  shard.best = {};
  shard.best_configs.clear();
  shard.runs.clear();
  shard.file = datasets::ValuesFile{.name = "a.json.values", .sha256 = "ef", .bytes = 12};
  EXPECT_EQ(enumeration_shard_of(enumeration_shard_json(shard), "a.json"), shard);
}

TEST(EnumerationShardJson, RefusesWhatContradictsItself) {
  struct Case {
    const char* pointer;
    Json value;
    const char* expected;
  };
  for (const Case& c : std::vector<Case>{
           {"/schema", "cubicbench.enumeration/1",
            "a.json#/schema: expected \"cubicbench.enumeration_shard/1\", got "
            "\"cubicbench.enumeration/1\""},
           {"/version", "0.0.1", "a.json#/version: expected "},
           {"/shard/index", 4, "a.json#/shard/index: expected an integer in [1, 3], got 4"},
           {"/best_of", 0, "a.json#/best_of: expected an integer in [1, 10000], got 0"},
           {"/baseline/share_better", 0.5, "a.json#/baseline/share_better: unknown key"},
           {"/failures/oom_late", 4,
            "a.json#/failures/oom_late: expected no more failures than there are configurations"},
           {"/best/count", 0, "a.json#/best/numbers: expected as many as there are configs"},
           {"/best/numbers/1", 7, "a.json#/best/numbers: expected as many as there are configs"},
           {"/values/runs/1/value", 0.5,
            "a.json#/values/runs/1/value: expected values that ascend"},
           {"/values/runs/1/count", 0, "a.json#/values/runs/1/value: expected values that ascend"},
           {"/values", Json({{"file", "../a"}, {"sha256", "b"}, {"bytes", 1}}),
            "a.json#/values/file: expected the name of a file in this folder"}}) {
    Json document = enumeration_shard_json(example_shard());
    document[Json::json_pointer(c.pointer)] = c.value;
    std::string found;
    try {
      enumeration_shard_of(document, "a.json");
    } catch (const support::InputError& error) {
      found = error.what();
    }
    EXPECT_TRUE(found.starts_with(c.expected)) << c.pointer << ": " << found;
  }
}

}  // namespace
}  // namespace cubicbench::datasets
