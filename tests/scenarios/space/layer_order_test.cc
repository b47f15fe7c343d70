#include <gtest/gtest.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "scenarios/space/space_dependencies.h"

namespace cubicbench::scenarios {
namespace {

using Indices = std::vector<std::size_t>;

/// Parameters without conditions, of which constraint c joins those of `scopes[c]`.
SpaceDependencies joined(const Indices& states, std::vector<Indices> scopes) {
  return {.parents = std::vector<Indices>(states.size()),
          .scopes = std::move(scopes),
          .states = states};
}

TEST(LayerOrder, KeepsTheListWhereNothingIsJoined) {
  const SpaceDependencies free = joined({5, 2, 9, 3}, {});
  EXPECT_EQ(layer_order(free, LayerOrder::narrow), (Indices{0, 1, 2, 3}));
  EXPECT_EQ(layer_order(free, LayerOrder::listed), (Indices{0, 1, 2, 3}));
  EXPECT_TRUE(layer_order({}, LayerOrder::narrow).empty());
}

TEST(LayerOrder, DecidesFirstWhatLeavesTheFewestNodes) {
  // Once one of two is known the other has a node for each of its values: 2 are fewer than 5.
  EXPECT_EQ(layer_order(joined({5, 2}, {{0, 1}}), LayerOrder::narrow), (Indices{1, 0}));
  EXPECT_EQ(layer_order(joined({5, 2}, {{0, 1}}), LayerOrder::listed), (Indices{0, 1}));
  EXPECT_EQ(layer_order(joined({2, 2}, {{0, 1}}), LayerOrder::narrow), (Indices{0, 1}));
  // A chain 0 - 1 - 2: after 0 (2 nodes), 1 makes 3 and 2 makes 2 x 3.
  EXPECT_EQ(layer_order(joined({2, 3, 3}, {{0, 1}, {1, 2}}), LayerOrder::narrow),
            (Indices{0, 1, 2}));
}

TEST(LayerOrder, EndsAComponentBeforeTheNext) {
  // 0 with 3, and 1 with 2: the one with the first listed parameter comes first.
  EXPECT_EQ(layer_order(joined({9, 2, 2, 8}, {{1, 2}, {3, 0}}), LayerOrder::narrow),
            (Indices{3, 0, 1, 2}));
}

TEST(LayerOrder, DecidesParentsFirst) {
  // The child has fewer values, but is inactive or not by its parent's.
  const SpaceDependencies chained{.parents = {{}, {0}, {1}}, .scopes = {}, .states = {9, 3, 3}};
  EXPECT_EQ(layer_order(chained, LayerOrder::narrow), (Indices{0, 1, 2}));
}

TEST(SpaceDependencies, FrontierHoldsWhatIsStillRead) {
  // 1 depends on 0, and a constraint joins 0 with 2.
  const SpaceDependencies all{.parents = {{}, {0}, {}}, .scopes = {{0, 2}}, .states = {2, 3, 2}};
  std::vector<bool> assigned(3, false);
  EXPECT_TRUE(all.ready(0, assigned));
  EXPECT_FALSE(all.ready(1, assigned));
  EXPECT_EQ(all.frontier_after({}, 0, assigned), (Indices{0}));
  assigned[0] = true;
  EXPECT_TRUE(all.ready(1, assigned));
  EXPECT_TRUE(all.completed_by(0, assigned).empty());
  EXPECT_EQ(all.frontier_after({0}, 1, assigned), (Indices{0}));  // the constraint reads it
  EXPECT_EQ(all.frontier_after({0}, 2, assigned), (Indices{0}));  // the condition reads it
  assigned[2] = true;
  EXPECT_EQ(all.completed_by(2, assigned), (Indices{0}));
  EXPECT_TRUE(all.frontier_after({0}, 1, assigned).empty());
}

TEST(SpaceDependencies, DataParallelIsDerivedFromTheMesh) {
  SpaceRules rules;
  for (const char* const name :
       {"micro_batch", "pipeline_parallel", "tensor_parallel", "data_parallel"}) {
    rules.parameters.push_back({.setting = find_setting(name),
                                .type = ParameterType::ordinal,
                                .values = {1, 2, 4},
                                .when = {}});
  }
  rules.parameters.back().when.push_back({.parameter = 1, .values = {2}});
  for (const char* const text : {"data_parallel <= gpus", "micro_batch <= layers", "gpus == 1"}) {
    rules.constraints.push_back(
        {.name = text, .require = Expression::parse(text, constraint_names())});
  }
  const SpaceDependencies found = dependencies_of(rules);
  EXPECT_EQ(found.scopes, (std::vector<Indices>{{3, 2, 1}, {0}, {}}));
  EXPECT_EQ(found.parents, (std::vector<Indices>{{}, {}, {}, {1}}));
  EXPECT_EQ(found.states, (Indices{3, 3, 3, 4}));  // the last may be inactive
}

}  // namespace
}  // namespace cubicbench::scenarios
