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

/// Bytes that a block streams outside products.
double streamed(const RecommendationProgram& program, ModuleGroup group, ArchBlock id) {
  double bytes = 0.0;
  for (const Operation& op : operations_in(program[group][id], program.operations)) {
    if (op.kind == OperationKind::memory_bound) bytes += op.bytes.value;
  }
  return bytes;
}

std::vector<Dtype> products(const RecommendationProgram& program, ModuleGroup group, ArchBlock id) {
  std::vector<Dtype> dtypes;
  for (const Operation& op : operations_in(program[group][id], program.operations)) {
    if (op.kind == OperationKind::gemm) dtypes.push_back(op.dtype);
  }
  return dtypes;
}

TEST(QuantisedArch, CastsWhatItsProductsReadTheirGradientsAndItsWeights) {
  const auto more = [](ArchBlock id, Sharding sharding) {
    return streamed(lowered(Dtype::fp8, sharding), ModuleGroup::over, id) -
           streamed(lowered(Dtype::bf16, sharding), ModuleGroup::over, id);
  };
  // Two products: 4,096 elements in and 8,192 out, and the other way round.
  const double elements = 4096.0 + 8192.0;
  const double weights = 2.0 * 4096.0 * 8192.0;
  for (const Sharding sharding : {Sharding::full_shard, Sharding::shard_grad_op}) {
    EXPECT_DOUBLE_EQ(more(ArchBlock::layer_forward, sharding), 6.0 * (batch * elements + weights));
    // What is gathered again is read in 16 bits and written in 8.
    const double again = sharding == Sharding::full_shard ? 3.0 * weights : 0.0;
    EXPECT_DOUBLE_EQ(more(ArchBlock::layer_backward, sharding), 6.0 * batch * elements + again);
  }
}

TEST(QuantisedArch, CastsInputsAgainWhereProductsAreRecomputed) {
  const auto more = [](Recompute recompute) {
    const ArchBlock id = ArchBlock::layer_recompute;
    return streamed(lowered(Dtype::fp8, Sharding::full_shard, recompute), ModuleGroup::over, id) -
           streamed(lowered(Dtype::bf16, Sharding::full_shard, recompute), ModuleGroup::over, id);
  };
  EXPECT_DOUBLE_EQ(more(Recompute::full), 6.0 * batch * (4096.0 + 8192.0));
  EXPECT_EQ(more(Recompute::selective), 0.0);
}

TEST(QuantisedArch, LeavesProductsIn16BitsThatWouldNotGain) {
  const std::vector<Dtype> all(2, Dtype::fp8);
  EXPECT_EQ(products(lowered(Dtype::fp8), ModuleGroup::over, ArchBlock::layer_forward), all);
  // 4,096 x 1,024 stays, 1,024 x 4,096 does not.
  const std::vector<Dtype> second{Dtype::bf16, Dtype::fp8};
  EXPECT_EQ(products(lowered(Dtype::fp8), ModuleGroup::dense, ArchBlock::layer_forward), second);
  for (const Dtype whole : {Dtype::bf16, Dtype::fp16, Dtype::tf32}) {
    const std::vector<Dtype> plain(2, whole);
    EXPECT_EQ(products(lowered(whole), ModuleGroup::dense, ArchBlock::layer_forward), plain);
  }
}

TEST(QuantisedArch, LaunchesSixMoreKernelsForEachQuantisedProduct) {
  // Of a transformer's 15: 2 products and 3 others, and 12.
  const auto passes = [](Dtype dtype, ArchBlock id) {
    return lowered(dtype)[ModuleGroup::over][id].host_passes;
  };
  EXPECT_DOUBLE_EQ(passes(Dtype::bf16, ArchBlock::layer_forward), 5.0 / 15.0);
  EXPECT_DOUBLE_EQ(passes(Dtype::fp8, ArchBlock::layer_forward), 17.0 / 15.0);
  EXPECT_DOUBLE_EQ(passes(Dtype::fp8, ArchBlock::layer_backward), 34.0 / 15.0);
}

}  // namespace
}  // namespace cubicbench::sim
