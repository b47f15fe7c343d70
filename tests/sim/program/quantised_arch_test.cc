// Products of recommendation models in fp8, and what their casts cost.
#include <gtest/gtest.h>

#include <vector>

#include "sim/program/lower_recommendation.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr double batch = 1024.0;

/// small_ads() with an over arch whose layers have products of 4,096 x 8,192 weights.
RecommendationProgram lowered(Dtype dtype, Sharding sharding = Sharding::full_shard,
                              Recompute recompute = Recompute::none) {
  Plan plan;
  plan.batch_per_gpu = static_cast<std::int64_t>(batch);
  plan.embedding_plan = EmbeddingPlan::row_wise;
  plan.dtype = dtype;
  plan.dense_sharding = plan.over_sharding = sharding;
  plan.recompute = recompute;
  RecommendationProgram program;
  lower(small_ads(), plan, round_cluster(8), round_stack(), program);
  return program;
}

using Pass = Block LayerPasses<Block>::*;
constexpr Pass forward = &LayerPasses<Block>::forward;
constexpr Pass recompute_pass = &LayerPasses<Block>::recompute;
constexpr Pass backward = &LayerPasses<Block>::backward;

/// Bytes that a pass over a layer streams outside products.
double streamed(const RecommendationProgram& program, ModuleGroup group, Pass pass) {
  double bytes = 0.0;
  for (const Operation& op : operations_in(program[group].layer.*pass, program.operations)) {
    if (op.kind == OperationKind::memory_bound) bytes += op.bytes.value;
  }
  return bytes;
}

std::vector<Dtype> products(const RecommendationProgram& program, ModuleGroup group) {
  std::vector<Dtype> dtypes;
  for (const Operation& op : operations_in(program[group].layer.forward, program.operations)) {
    if (op.kind == OperationKind::gemm) dtypes.push_back(op.dtype);
  }
  return dtypes;
}

TEST(QuantisedArch, CastsWhatItsProductsReadTheirGradientsAndItsWeights) {
  const auto more = [](Pass pass, Sharding sharding) {
    return streamed(lowered(Dtype::fp8, sharding), ModuleGroup::over, pass) -
           streamed(lowered(Dtype::bf16, sharding), ModuleGroup::over, pass);
  };
  // Two products: 4,096 elements in and 8,192 out, and the other way round.
  const double elements = 4096.0 + 8192.0;
  const double weights = 2.0 * 4096.0 * 8192.0;
  for (const Sharding sharding : {Sharding::full_shard, Sharding::shard_grad_op}) {
    EXPECT_DOUBLE_EQ(more(forward, sharding), 6.0 * (batch * elements + weights));
    // What is gathered again is read in 16 bits and written in 8.
    const double again = sharding == Sharding::full_shard ? 3.0 * weights : 0.0;
    EXPECT_DOUBLE_EQ(more(backward, sharding), 6.0 * batch * elements + again);
  }
}

TEST(QuantisedArch, CastsInputsAgainWhereProductsAreRecomputed) {
  const auto more = [](Recompute recompute) {
    const auto bytes = [=](Dtype dtype) {
      return streamed(lowered(dtype, Sharding::full_shard, recompute), ModuleGroup::over,
                      recompute_pass);
    };
    return bytes(Dtype::fp8) - bytes(Dtype::bf16);
  };
  EXPECT_DOUBLE_EQ(more(Recompute::full), 6.0 * batch * (4096.0 + 8192.0));
  EXPECT_EQ(more(Recompute::selective), 0.0);
}

TEST(QuantisedArch, LeavesProductsIn16BitsThatWouldNotGain) {
  const std::vector<Dtype> all(2, Dtype::fp8);
  EXPECT_EQ(products(lowered(Dtype::fp8), ModuleGroup::over), all);
  // 4,096 x 1,024 stays, 1,024 x 4,096 does not.
  const std::vector<Dtype> second{Dtype::bf16, Dtype::fp8};
  EXPECT_EQ(products(lowered(Dtype::fp8), ModuleGroup::dense), second);
  for (const Dtype whole : {Dtype::bf16, Dtype::fp16, Dtype::tf32}) {
    const std::vector<Dtype> plain(2, whole);
    EXPECT_EQ(products(lowered(whole), ModuleGroup::dense), plain);
  }
}

TEST(QuantisedArch, LaunchesSixMoreKernelsForEachQuantisedProduct) {
  // Of a transformer's 15: 2 products and 3 others, and 12.
  const auto passes = [](Dtype dtype, Pass pass) {
    return (lowered(dtype)[ModuleGroup::over].layer.*pass).host_passes;
  };
  EXPECT_DOUBLE_EQ(passes(Dtype::bf16, forward), 5.0 / 15.0);
  EXPECT_DOUBLE_EQ(passes(Dtype::fp8, forward), 17.0 / 15.0);
  EXPECT_DOUBLE_EQ(passes(Dtype::fp8, backward), 34.0 / 15.0);
}

}  // namespace
}  // namespace cubicbench::sim
