#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/space/listed_space.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::search {

inline scenarios::ParameterSpec ordinal(std::string name, std::vector<std::int64_t> values,
                                        std::vector<scenarios::ConditionSpec> when = {}) {
  return {.name = std::move(name),
          .type = scenarios::ParameterType::ordinal,
          .values = std::move(values),
          .when = std::move(when)};
}

inline scenarios::ParameterSpec categorical(std::string name, std::vector<std::int64_t> codes) {
  return {.name = std::move(name),
          .type = scenarios::ParameterType::categorical,
          .values = std::move(codes),
          .when = {}};
}

inline scenarios::SearchSpace built(const std::vector<scenarios::ParameterSpec>& parameters,
                                    const std::vector<scenarios::ConstraintSpec>& constraints = {},
                                    const scenarios::SpaceFacts& facts = {}) {
  scenarios::BuiltSpace result = scenarios::SearchSpace::build(parameters, constraints, {}, facts);
  for (const auto& problem : result.problems) {
    ADD_FAILURE() << problem.pointer << ": " << problem.text;
  }
  return std::move(result.space);
}

/// min, min + 1, ..., `count` values.
inline std::vector<std::int64_t> run_of(std::int64_t count, std::int64_t min = 1) {
  return scenarios::stepped_values(min, min + count - 1, 1);
}

/// 4 x 8 x 2 = 64 configurations, no condition, no constraint.
inline scenarios::SearchSpace box() {
  return built({ordinal("tensor_parallel", run_of(4)), ordinal("micro_batch", run_of(8)),
                ordinal("async_tensor_parallel", {0, 1})});
}

/// Eight parameters of eight values: 2^24 configurations, so that repeats are rare.
inline scenarios::SearchSpace wide_box() {
  return built({ordinal("tensor_parallel", run_of(8)), ordinal("pipeline_parallel", run_of(8)),
                ordinal("context_parallel", run_of(8)), ordinal("micro_batch", run_of(8)),
                ordinal("virtual_stages", run_of(8)), ordinal("global_batch", run_of(8)),
                ordinal("wrap", run_of(8)), ordinal("shard_group", run_of(8))});
}

/// A parameter that only some values of another activate, one that depends on it in turn, and a
/// constraint that joins three: tensor x pipeline x micro_batch <= 16.
inline scenarios::SearchSpace conditional() {
  return built({ordinal("tensor_parallel", {1, 2, 4, 8}), ordinal("pipeline_parallel", {1, 2, 4}),
                ordinal("virtual_stages", run_of(3), {{"pipeline_parallel", {2, 4}}}),
                ordinal("context_parallel", {1, 2}, {{"virtual_stages", {2}}}),
                ordinal("micro_batch", {1, 2, 4, 8})},
               {{"small", "tensor_parallel * pipeline_parallel * micro_batch <= 16"}});
}

/// Needle-like: of 8 x 8 x 8 assignments the 8 with equal degrees.
inline scenarios::SearchSpace diagonal() {
  return built({ordinal("tensor_parallel", run_of(8)), ordinal("pipeline_parallel", run_of(8)),
                ordinal("context_parallel", run_of(8))},
               {{"first", "tensor_parallel == pipeline_parallel"},
                {"second", "pipeline_parallel == context_parallel"}});
}

/// A list, as a table of runs has it: 28 of 4 x 5 x 3 assignments that follow no rule.
inline scenarios::SearchSpace listed() {
  std::vector<scenarios::Configuration> configurations;
  for (std::int64_t i = 0; i < 60; ++i) {
    if (i * i % 13 < 5 && i % 7 != 3) configurations.push_back({i / 15, i / 3 % 5, i % 3});
  }
  scenarios::BuiltSpace result =
      scenarios::listed_space({ordinal("tensor_parallel", {1, 2, 4, 8}),
                               ordinal("micro_batch", run_of(5)), ordinal("sharding", {0, 1, 4})},
                              std::move(configurations), {}, {});
  EXPECT_TRUE(result.problems.empty());
  return std::move(result.space);
}

/// Three parameters of labels beside one of numbers: 480 configurations.
inline scenarios::SearchSpace labelled() {
  return built({ordinal("micro_batch", run_of(8)), categorical("sharding", {0, 1, 2, 3, 4}),
                categorical("recompute", {0, 1, 2}), categorical("dtype", {0, 1, 2, 3})});
}

inline scenarios::SearchSpace single() { return built({ordinal("tensor_parallel", {4})}); }
inline scenarios::SearchSpace pair() { return built({ordinal("tensor_parallel", {4, 8})}); }

}  // namespace cubicbench::search
