// What modes, schedules, optimizers and formats are to everything that asks: each property against
// the publication that says so.
#include <gtest/gtest.h>

#include <array>

#include "sim/hardware/dtype.h"
#include "sim/plan/optimizer.h"
#include "sim/plan/recompute.h"
#include "sim/plan/schedule.h"
#include "sim/plan/sharding.h"

namespace cubicbench::sim {
namespace {

/// Bytes of weights, gradients and fp32 state with Adam that a rank of so many keeps of a parameter
/// in 16 bits [ZeRO19, figure 1].
double kept_bytes(Sharding sharding, double ranks) {
  const ShardingTraits mode = traits(sharding);
  const auto share = [ranks](bool shards) { return shards ? 1.0 / ranks : 1.0; };
  return 2.0 * share(mode.shards_parameters) + 2.0 * share(mode.shards_gradients) +
         12.0 * share(mode.shards_optimizer);
}

TEST(ShardingTraits, KeepWhatTheirStageOfZeroKeeps) {
  EXPECT_DOUBLE_EQ(kept_bytes(Sharding::no_shard, 64.0), 16.0);
  EXPECT_DOUBLE_EQ(kept_bytes(Sharding::zero1, 64.0), 4.0 + 12.0 / 64.0);
  EXPECT_DOUBLE_EQ(kept_bytes(Sharding::full_shard, 64.0), 16.0 / 64.0);
}

// SHARD_GRAD_OP is FULL_SHARD that keeps weights until the backward pass is over, and the hybrid
// modes are the two inside a group [FSDP23, section 3.2].
TEST(ShardingTraits, OfTheModesOfFsdpDifferInWhenAndAmongWhom) {
  const std::array modes{Sharding::full_shard, Sharding::shard_grad_op, Sharding::hybrid_shard,
                         Sharding::hybrid_shard_zero2};
  const std::array reshards{true, false, true, false};
  const std::array in_groups{false, false, true, true};
  for (std::size_t i = 0; i < modes.size(); ++i) {
    SCOPED_TRACE(i);
    EXPECT_TRUE(traits(modes[i]).shards_parameters);
    EXPECT_EQ(traits(modes[i]).reshards, reshards[i]);
    EXPECT_EQ(shards_in_groups(modes[i]), in_groups[i]);
  }
  EXPECT_TRUE(shards_in_groups(Sharding::zero1_hybrid));
  EXPECT_FALSE(traits(Sharding::zero1_hybrid).shards_gradients);
}

TEST(ScheduleTraits, OnlyZeroBubbleAndDualPipeSplitBackwardPasses) {
  for (const Schedule whole : {Schedule::gpipe, Schedule::one_f_one_b, Schedule::interleaved}) {
    EXPECT_FALSE(splits_backward(whole));
    EXPECT_EQ(goes_in_rounds(whole), whole == Schedule::interleaved);
    EXPECT_NE(traits(whole).chunks, StageChunks::in_a_v);
  }
  for (const Schedule split : {Schedule::zb_h1, Schedule::zb_h2, Schedule::zb_v, Schedule::v_half,
                               Schedule::v_min, Schedule::dualpipe, Schedule::dualpipev}) {
    EXPECT_TRUE(splits_backward(split));
    EXPECT_FALSE(traits(split).forward_first);
  }
}

// DualPipeV is half of DualPipe: the same pairs, from one end alone [DualPipe].
TEST(ScheduleTraits, DualPipeVIsDualPipeFromOneEnd) {
  EXPECT_TRUE(traits(Schedule::dualpipe).both_ways);
  EXPECT_FALSE(traits(Schedule::dualpipev).both_ways);
  for (const Schedule dual : {Schedule::dualpipe, Schedule::dualpipev}) {
    EXPECT_TRUE(traits(dual).runs_pairs);
    EXPECT_EQ(traits(dual).chunks, StageChunks::in_a_v);
  }
}

// 8 bytes a weight with both moments in fp32, 4 where a stack keeps them in 16 bits; plain SGD
// keeps none, Adagrad by rows none that grows with the width.
TEST(OptimizerTraits, SayWhatIsKept) {
  Stack stack;
  EXPECT_DOUBLE_EQ(kept_moment_bytes(Optimizer::adamw, stack), 8.0);
  stack.adam_bytes = 4.0;
  EXPECT_DOUBLE_EQ(kept_moment_bytes(Optimizer::adam, stack), 4.0);
  EXPECT_DOUBLE_EQ(kept_moment_bytes(Optimizer::sgd, stack), 0.0);
  EXPECT_DOUBLE_EQ(kept_moment_bytes(Optimizer::rowwise_adagrad, stack), 0.0);
  EXPECT_TRUE(traits(Optimizer::rowwise_adagrad).of_rows);
}

// A byte a moment and the fp32 scale of 256 of them, whatever a stack keeps of others.
TEST(OptimizerTraits, OfEightBitsKeepBlocksAndTheirScales) {
  Stack stack;
  const double moments = 2.0 * (256.0 + 4.0) / 256.0;
  EXPECT_DOUBLE_EQ(state_bytes(Optimizer::adam_8bit), moments);
  for (const double adam_bytes : {8.0, 4.0}) {
    stack.adam_bytes = adam_bytes;
    EXPECT_DOUBLE_EQ(kept_moment_bytes(Optimizer::adam_8bit, stack), moments);
  }
  EXPECT_FALSE(updates_matrices(Optimizer::adam_8bit));
}

// Both of Adam's moments of all weights but those of hidden matrices, which have one.
TEST(OptimizerTraits, OfMuonKeepOneMomentOfHiddenMatrices) {
  EXPECT_DOUBLE_EQ(state_bytes(Optimizer::muon), 8.0);
  EXPECT_DOUBLE_EQ(matrix_state_saved(Optimizer::muon), 0.5);
  for (const Optimizer other : {Optimizer::sgd, Optimizer::adam, Optimizer::adamw,
                                Optimizer::rowwise_adagrad, Optimizer::adam_8bit}) {
    EXPECT_FALSE(updates_matrices(other));
    EXPECT_EQ(matrix_state_saved(other), 0.0);
  }
}

// Whole layers keep nothing but their input; with selective recomputation all but scores are kept
// [Korthikanti22, sections 4 and 5].
TEST(RecomputeTraits, KeepLessTheMoreIsLaunchedAgain) {
  constexpr std::array ordered{Recompute::none, Recompute::selective, Recompute::per_op,
                               Recompute::full, Recompute::every_k};
  for (const Recompute policy : ordered) {
    const RecomputeTraits kept = traits(policy);
    SCOPED_TRACE(static_cast<int>(policy));
    EXPECT_EQ(recomputes(policy), policy != Recompute::none);
    EXPECT_EQ(recomputes(policy), kept.scores < 1.0 || kept.products < 1.0);
    EXPECT_EQ(kept.whole_layers, policy == Recompute::full || policy == Recompute::every_k);
    EXPECT_EQ(kept.one_in_k, policy == Recompute::every_k);
    EXPECT_EQ(by_operation(policy), policy == Recompute::per_op);
    EXPECT_EQ(kept.whole_layers, kept.launches == 1.0);
  }
  for (std::size_t i = 1; i < ordered.size(); ++i) {
    EXPECT_GE(traits(ordered[i]).launches, traits(ordered[i - 1]).launches);
    EXPECT_LE(traits(ordered[i]).products, traits(ordered[i - 1]).products);
    EXPECT_LE(traits(ordered[i]).inner, traits(ordered[i - 1]).inner);
  }
}

// Modules differ in what they drop, and in which layers have them.
TEST(RecomputeTraits, ByModuleDropOneTensorEach) {
  constexpr LayerKind dense{};
  constexpr LayerKind experts{.ffn = FeedForward::experts};
  for (const Recompute module : {Recompute::layernorm, Recompute::moe_act, Recompute::mlp}) {
    SCOPED_TRACE(static_cast<int>(module));
    EXPECT_TRUE(recomputes(module));
    EXPECT_TRUE(by_operation(module));
    EXPECT_FALSE(traits(module).whole_layers);
    EXPECT_EQ(traits(module, dense).launches > 0.0, module != Recompute::moe_act);
    EXPECT_EQ(traits(module, experts).launches > 0.0, module != Recompute::mlp);
  }
  constexpr KeptTensors layer{
      .input = 8.0, .all = 100.0, .scores = 50.0, .norms = 16.0, .activated = 20.0, .ffn = 60.0};
  EXPECT_EQ(kept_of(layer, traits(Recompute::none)), 150.0);
  EXPECT_EQ(kept_of(layer, traits(Recompute::layernorm)), 150.0 - 16.0);
  EXPECT_EQ(kept_of(layer, traits(Recompute::moe_act)), 150.0 - 20.0);
  EXPECT_EQ(kept_of(layer, traits(Recompute::mlp)), 150.0 - 60.0);
}

// tf32 is how products read fp32; of the quantised formats tables know fp8 alone.
TEST(FormatTraits, TensorsAreKeptInSixteenOrThirtyTwoBits) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    const FormatTraits format = traits(dtype);
    EXPECT_EQ(format.kept, !format.quantised && dtype != Dtype::tf32) << i;
    EXPECT_EQ(format.sent, format.kept || dtype == Dtype::fp8) << i;
  }
}

TEST(FormatTraits, OnlyWhatIsQuantisedIsNarrowerOnTheWire) {
  for (const Dtype plain : {Dtype::fp32, Dtype::tf32, Dtype::fp16, Dtype::bf16}) {
    EXPECT_FALSE(is_quantised(plain));
    EXPECT_DOUBLE_EQ(wire_bytes(plain), storage_bytes(plain));
    EXPECT_DOUBLE_EQ(traits(plain).quantising_bytes, 0.0);
  }
  for (const Dtype quantised : {Dtype::fp8, Dtype::mxfp8, Dtype::nvfp4}) {
    EXPECT_TRUE(is_quantised(quantised));
    EXPECT_LT(wire_bytes(quantised), storage_bytes(quantised));
    // It reads the tensor at least once and writes both copies, along either direction.
    EXPECT_GE(traits(quantised).quantising_bytes, 2.0 + 2.0 * wire_bytes(quantised));
  }
}

// Gradients underflow in fp16 alone: it has five bits of exponent, bf16 eight.
TEST(FormatTraits, OnlyFp16HasANarrowRange) {
  for (int i = 0; i < dtype_count; ++i) {
    const auto dtype = static_cast<Dtype>(i);
    EXPECT_EQ(has_narrow_range(dtype), dtype == Dtype::fp16);
    EXPECT_EQ(row_of(dtype), static_cast<std::size_t>(i));
  }
}

}  // namespace
}  // namespace cubicbench::sim
