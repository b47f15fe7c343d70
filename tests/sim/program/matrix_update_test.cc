#include "sim/program/matrix_update.h"

#include <gtest/gtest.h>

#include <vector>

#include "sim/program/layer_shape.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr LayerKind with_experts{.ffn = FeedForward::experts};

Plan muon_plan(Sharding sharding) {
  Plan plan;
  plan.optimizer = Optimizer::muon;
  plan.sharding = sharding;
  plan.global_batch = 64;
  return plan;
}

Plan tensor_plan(std::int64_t ranks) {
  Plan plan;
  plan.tensor_parallel = ranks;
  return plan;
}

// Llama 3 8B: queries and output 4,096 x 4,096; keys and values of 8 heads; gate, up and down.
TEST(HiddenMatrices, OfALayerByHand) {
  struct Case {
    double rows, columns, count, ranks;
  };
  const HiddenMatrices layer = hidden_matrices(llama_8b(), tensor_plan(16), {});
  const std::vector<Case> expected{{4096, 4096, 2, 16}, {1024, 4096, 2, 8}, {4096, 14336, 3, 16}};
  ASSERT_EQ(layer.count, expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_EQ(layer.list[i].rows, expected[i].rows);
    EXPECT_EQ(layer.list[i].columns, expected[i].columns);
    EXPECT_EQ(layer.list[i].count, expected[i].count);
    EXPECT_EQ(layer.list[i].ranks, expected[i].ranks);
  }
}

// All weights of a rank are in matrices, except two norms of width h and those of latent vectors.
TEST(HiddenMatrices, AndNormsAreAllThatALayerWeighs) {
  const Transformer deepseek = deepseek_v3();
  const double latent = 1536.0 + 512.0;
  for (const std::int64_t t : {1, 4, 16}) {
    SCOPED_TRACE(t);
    const Plan plan = tensor_plan(t);
    const auto vectors = [&](const Transformer& model, LayerKind kind) {
      return rank_layer_parameters(model, plan, kind) -
             rank_parameters(hidden_matrices(model, plan, kind));
    };
    EXPECT_EQ(vectors(llama_8b(), {}), 2.0 * 4096.0);
    EXPECT_EQ(vectors(mixtral_8x7b(), with_experts), 2.0 * 4096.0);
    EXPECT_EQ(vectors(deepseek, {Mixer::latent_attention}), 2.0 * 7168.0 + latent);
    EXPECT_EQ(vectors(deepseek, {Mixer::latent_attention, FeedForward::experts}),
              2.0 * 7168.0 + latent);
  }
}

TEST(HiddenMatrices, OfExpertsAreThoseOfTheRank) {
  Plan plan;
  plan.expert_parallel = 4;
  plan.expert_tensor_parallel = 2;
  const HiddenMatrices experts = expert_matrices(mixtral_8x7b(), plan);
  ASSERT_EQ(experts.count, 1U);
  EXPECT_EQ(experts.list[0].count, 3.0 * 8.0 / 4.0);
  EXPECT_EQ(experts.list[0].ranks, 2.0);
  EXPECT_EQ(rank_parameters(experts), rank_expert_parameters(mixtral_8x7b(), plan));
}

TEST(ReachedShare, IsARangeAndOneMatrixMoreOrAllOfThem) {
  EXPECT_EQ(reached_share(1.0, 100.0, false), 1.0);
  EXPECT_DOUBLE_EQ(reached_share(8.0, 100.0, false), 1.0 / 8.0 + 1.0 / 100.0);
  EXPECT_EQ(reached_share(8.0, 1.0, false), 1.0);
  EXPECT_EQ(reached_share(8.0, 100.0, true), 1.0);
}

// What a rank holds of the matrices that it reaches into it does not gather.
TEST(GatheredShare, IsWhatOthersHold) {
  EXPECT_EQ(gathered_share(1.0, 1.0), 0.0);
  EXPECT_EQ(gathered_share(8.0, 1.0), 1.0);
  const double received = (1.0 - 1.0 / 8.0) * gathered_share(8.0, reached_share(8.0, 100.0, false));
  EXPECT_NEAR(received, 1.0 / 100.0, 1e-15);
}

/// Bytes of one part of the first stage at one moment.
double first_stage(const Transformer& model, const Plan& plan, MemoryPart part, Moment moment) {
  StepProgram program;
  lower(model, plan, round_cluster(8), round_stack(), program);
  double bytes = 0.0;
  for (const Allocation& a : program.allocations.of(program.allocations.holders().front())) {
    bytes += a.part == part && is_alive(a, moment) ? a.bytes.value : 0.0;
  }
  return bytes;
}

// Hidden matrices keep half of Adam's two moments; embedding, head and norms keep both.
TEST(MatrixUpdate, KeepsHalfOfAdamsMomentsOfHiddenMatrices) {
  const double matrices = 32.0 * 218'103'808.0;
  for (const Sharding sharding : {Sharding::no_shard, Sharding::zero1, Sharding::full_shard}) {
    SCOPED_TRACE(static_cast<int>(sharding));
    Plan plan = muon_plan(sharding);
    const auto state = [&] {
      return first_stage(llama_8b(), plan, MemoryPart::optimizer_state, Moment::forward);
    };
    const double muon = state();
    plan.optimizer = Optimizer::adamw;
    const double ranks = sharding == Sharding::no_shard ? 1.0 : 8.0;
    EXPECT_NEAR(state() - muon, 4.0 * matrices / ranks, 1.0);
  }
}

TEST(MatrixUpdate, OfExpertsKeepsHalfToo) {
  Plan plan = muon_plan(Sharding::no_shard);
  plan.expert_parallel = 8;
  const auto state = [&] {
    return first_stage(mixtral_8x7b(), plan, MemoryPart::optimizer_state, Moment::forward);
  };
  const double muon = state();
  plan.optimizer = Optimizer::adamw;
  const double attention = 2.0 * 4096.0 * 4096.0 + 2.0 * 1024.0 * 4096.0 + 4096.0 * 8.0;
  const double expert = 3.0 * 4096.0 * 14336.0;
  EXPECT_NEAR(state() - muon, 4.0 * 32.0 * (attention + expert), 1.0);
}

// The matrix, its next value and two squares of 4,096, two bytes each.
TEST(MatrixUpdate, HoldsTheLargestMatrixTwiceAndTwoSquares) {
  const auto workspace = [](Optimizer optimizer, Moment moment) {
    Plan plan = muon_plan(Sharding::full_shard);
    plan.optimizer = optimizer;
    return first_stage(llama_8b(), plan, MemoryPart::workspace, moment);
  };
  const double without = workspace(Optimizer::adamw, Moment::optimizer_step);
  EXPECT_EQ(workspace(Optimizer::muon, Moment::optimizer_step) - without,
            2.0 * (2.0 * 4096.0 * 14336.0 + 2.0 * 4096.0 * 4096.0));
  EXPECT_EQ(workspace(Optimizer::muon, Moment::backward),
            workspace(Optimizer::adamw, Moment::backward));
}

}  // namespace
}  // namespace cubicbench::sim
