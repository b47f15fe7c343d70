#include "scenarios/space/rules_diagram.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/space/resolved_rules.h"

namespace cubicbench::scenarios {
namespace {

SpaceRules rules(const std::vector<ParameterSpec>& parameters,
                 const std::vector<ConstraintSpec>& constraints) {
  ResolvedRules resolved = resolved_rules(parameters, constraints, {}, {.gpus = 64});
  EXPECT_TRUE(resolved.problems.empty());
  return resolved.rules;
}

ParameterSpec degree(const std::string& name, const std::vector<std::int64_t>& values) {
  return {.name = name, .type = ParameterType::ordinal, .values = values, .when = {}};
}

std::vector<std::size_t> order(const SpaceDiagram& diagram) {
  std::vector<std::size_t> parameters;
  for (std::size_t i = 0; i < diagram.parameters(); ++i) {
    parameters.push_back(diagram.layers[i].parameter);
  }
  return parameters;
}

TEST(RulesDiagram, CountsAlikeInEitherOrder) {
  // Of 4 x 2 x 3 those with t p <= 8: the pairs (4, 4) and (8, 4) are out.
  const SpaceRules all =
      rules({degree("tensor_parallel", {1, 2, 4, 8}), degree("pipeline_parallel", {1, 4}),
             degree("micro_batch", {1, 2, 3})},
            {{"few", "tensor_parallel * pipeline_parallel <= 8"}});
  const BuiltDiagram narrow = rules_diagram(all, LayerOrder::narrow);
  const BuiltDiagram listed = rules_diagram(all, LayerOrder::listed);
  EXPECT_FALSE(narrow.problem || listed.problem);
  EXPECT_EQ(narrow.diagram.count(), (4U + 2U) * 3U);
  EXPECT_EQ(listed.diagram.count(), narrow.diagram.count());
  EXPECT_EQ(order(listed.diagram), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(order(narrow.diagram), (std::vector<std::size_t>{1, 0, 2}));  // 2 nodes are fewer
}

TEST(RulesDiagram, EndsInNothingWhereAConstraintWithoutParametersSaysNo) {
  const ParameterSpec batch = degree("micro_batch", {1, 2});
  const BuiltDiagram none =
      rules_diagram(rules({batch}, {{"no", "gpus > 64"}}), LayerOrder::narrow);
  EXPECT_FALSE(none.problem);
  EXPECT_EQ(none.diagram.count(), 0U);
  EXPECT_EQ(none.diagram.layers.back().nodes.front().count, 0U);
  EXPECT_EQ(
      rules_diagram(rules({batch}, {{"yes", "gpus == 64"}}), LayerOrder::narrow).diagram.count(),
      2U);
}

TEST(RulesDiagram, ReadsTheDegreesBehindDataParallel) {
  // 64 / (t p) replicas: 16 at least leaves (1, 1), (1, 4) and (4, 1).
  const SpaceRules all =
      rules({degree("tensor_parallel", {1, 4}), degree("pipeline_parallel", {1, 4})},
            {{"wide", "data_parallel >= 16"}});
  EXPECT_EQ(rules_diagram(all, LayerOrder::narrow).diagram.count(), 3U);
}

}  // namespace
}  // namespace cubicbench::scenarios
