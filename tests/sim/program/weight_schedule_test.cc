#include "sim/program/weight_schedule.h"

#include <gtest/gtest.h>

#include "tests/sim/program/weight_timeline.h"

// Orders are held against what is published of each trainer, because the two engines read one
// schedule: an order that is wrong in it does not show as a difference between them.

namespace cubicbench::sim {
namespace {

Timeline forward(const WeightSchedule& schedule) {
  return pass_over_three(schedule.forward, false);
}
Timeline backward(const WeightSchedule& schedule) {
  return pass_over_three(schedule.backward, true);
}

/// A pass that awaits what was gathered before, and one that reads weights which are there.
const Timeline awaits =
    events("compute before, await 0, compute 0, await 1, compute 1, await 2, compute 2");
const Timeline reduces = events(
    "compute before, compute 2, reduce 2, compute 1, reduce 1, reduce ends, compute 0, reduce 0");

// FSDP1 [FSDP23, section 3.3; PyTorch's reference of BackwardPrefetch and its FSDP notes]. Events
// are in the order in which the device reaches them: its host runs ahead, so that the gather of the
// next unit is on its stream while this one computes.

TEST(WeightSchedule, FsdpGathersTheNextUnitUnderTheForwardPassOfThisOne) {
  const Timeline expected = events(
      "gather 0, compute before, "
      "await 0, gather 1, compute 0, free 0, "
      "await 1, gather 2, compute 1, free 1, "
      "await 2, gather ends, compute 2, free 2");
  EXPECT_EQ(forward(weight_schedule(Sharding::full_shard, {})), expected);
  EXPECT_EQ(forward(weight_schedule(Sharding::hybrid_shard, {})), expected);
}

/// The next gather is issued before this unit's gradients are computed, and so before they are
/// reduced on the same stream.
TEST(WeightSchedule, BackwardPreGathersTheNextUnitBeforeItComputesAndReducesThisOne) {
  const Plan plan{.backward_prefetch = BackwardPrefetch::pre};
  EXPECT_EQ(backward(weight_schedule(Sharding::full_shard, plan)),
            events("gather 2, compute before, "
                   "await 2, gather 1, compute 2, free 2, reduce 2, "
                   "await 1, gather 0, compute 1, free 1, reduce 1, "
                   "await 0, reduce ends, compute 0, free 0, reduce 0"));
}

/// This unit is freed before the next one has memory, and its reduction runs beside the compute of
/// the next one: it is issued behind the gather.
TEST(WeightSchedule, BackwardPostGathersTheNextUnitBetweenFreeingAndReducingThisOne) {
  const Plan plan{.backward_prefetch = BackwardPrefetch::post};
  EXPECT_EQ(backward(weight_schedule(Sharding::full_shard, plan)),
            events("compute before, gather 2, "
                   "await 2, compute 2, free 2, gather 1, reduce 2, "
                   "await 1, compute 1, free 1, gather 0, reduce 1, "
                   "await 0, reduce ends, compute 0, free 0, reduce 0"));
}

/// Nothing overlaps: a gather is issued when its unit is needed, and queues behind the reduction of
/// the unit before on the one stream of the communicator.
TEST(WeightSchedule, WithoutBackwardPrefetchGathersComputeAndReductionsTakeTurns) {
  const Plan plan{.backward_prefetch = BackwardPrefetch::none};
  EXPECT_EQ(backward(weight_schedule(Sharding::full_shard, plan)),
            events("compute before, "
                   "gather 2, await 2, compute 2, free 2, reduce 2, wait, "
                   "gather 1, await 1, compute 1, free 1, reduce 1, wait, "
                   "gather 0, await 0, reduce ends, wait, compute 0, free 0, reduce 0, wait"));
}

// FSDP2 (PyTorch's reference of fully_shard and FSDPModule): gathers are prefetched in the reverse
// of the order of the forward pass, and with reshard_after_forward = false there are none.

TEST(WeightSchedule, Fsdp2GathersBackwardInTheReverseOrderOfTheForwardPass) {
  const auto gathers = [](Timeline timeline) {
    std::erase_if(timeline, [](const std::string& event) {
      return !event.starts_with("gather") || event == "gather ends";
    });
    return timeline;
  };
  const WeightSchedule schedule = weight_schedule(Sharding::full_shard, {});
  EXPECT_EQ(gathers(forward(schedule)), events("gather 0, gather 1, gather 2"));
  EXPECT_EQ(gathers(backward(schedule)), events("gather 2, gather 1, gather 0"));
}

TEST(WeightSchedule, WeightsThatAreNotReshardedAreGatheredForTheForwardPassAlone) {
  for (const WeightSchedule& schedule :
       {weight_schedule(Sharding::shard_grad_op, {}),
        weight_schedule(Sharding::full_shard, {.reshard_after_forward = 0})}) {
    EXPECT_EQ(forward(schedule), events("gather 0, compute before, "
                                        "await 0, gather 1, compute 0, "
                                        "await 1, gather 2, compute 1, "
                                        "await 2, gather ends, compute 2"));
    EXPECT_EQ(backward(schedule), events("compute before, "
                                         "compute 2, free 2, reduce 2, "
                                         "compute 1, free 1, reduce 1, "
                                         "reduce ends, compute 0, free 0, reduce 0"));
    EXPECT_FALSE(schedule.gathers_once());
  }
}

TEST(WeightSchedule, FsdpHasReducedAMicroBatchWhenItsBackwardPassReturns) {
  const WeightSchedule schedule = weight_schedule(Sharding::full_shard, {});
  EXPECT_EQ(schedule.awaited, ReductionsAwaited::in_each_pass);
  EXPECT_TRUE(schedule.reduces_each_micro_batch());
}

/// no_sync() of FSDP1, set_requires_gradient_sync(False) of FSDP2 [FSDP23, section 3.3.4].
TEST(WeightSchedule, AccumulationWithoutSyncReducesInTheLastMicroBatchAndStillGathersInEach) {
  const WeightSchedule synced = weight_schedule(Sharding::full_shard, {});
  const WeightSchedule schedule =
      weight_schedule(Sharding::full_shard, {.accumulate_without_sync = true});
  EXPECT_EQ(schedule.awaited, ReductionsAwaited::in_each_step);
  EXPECT_FALSE(schedule.reduces_each_micro_batch());
  EXPECT_EQ(forward(schedule), forward(synced));
  EXPECT_EQ(backward(schedule), backward(synced));
}

/// SHARD_GRAD_OP inside no_sync(), and the stages of a pipeline [Llama3, section 3.3.2].
TEST(WeightSchedule, WeightsThatNoPassFreesAreGatheredOnceAndAwaitedByTheFirstMicroBatch) {
  for (const Plan& plan : {Plan{.accumulate_without_sync = true}, Plan{.pipeline_parallel = 4}}) {
    const WeightSchedule schedule = weight_schedule(Sharding::shard_grad_op, plan);
    EXPECT_TRUE(schedule.gathers_once());
    EXPECT_EQ(forward(schedule), awaits);
    EXPECT_EQ(backward(schedule), reduces);
  }
}

// DistributedDataParallel (Li et al., VLDB 2020, section 3.2.3) and the distributed optimizer of
// Megatron-Core (overlap-grad-reduce, overlap-param-gather), bucket by bucket.

TEST(WeightSchedule, DdpReducesABucketAsItIsFullAndGathersNothing) {
  const WeightSchedule schedule = weight_schedule(Sharding::no_shard, {});
  EXPECT_FALSE(schedule.gathers_once());
  EXPECT_EQ(forward(schedule), events("compute before, compute 0, compute 1, compute 2"));
  EXPECT_EQ(backward(schedule), reduces);
  EXPECT_EQ(schedule.awaited, ReductionsAwaited::behind_each_pass);
}

TEST(WeightSchedule, Zero1GathersItsUpdateAsTheNextStepBegins) {
  for (const Sharding sharding : {Sharding::zero1, Sharding::zero1_hybrid}) {
    const WeightSchedule schedule = weight_schedule(sharding, {.accumulate_without_sync = true});
    EXPECT_TRUE(schedule.gathers_once());
    EXPECT_EQ(forward(schedule), awaits);
    EXPECT_FALSE(schedule.backward.gathers());
  }
}

TEST(WeightSchedule, Zero1ReducesBehindTheBackwardPassOfTheLastMicroBatch) {
  const WeightSchedule schedule =
      weight_schedule(Sharding::zero1, {.accumulate_without_sync = true});
  EXPECT_EQ(backward(schedule), reduces);
  EXPECT_EQ(schedule.awaited, ReductionsAwaited::in_each_step);
}

// Split backward passes [ZeroBubble]: B reads weights, W has the gradients.

TEST(WeightSchedule, SplitPassesGatherForInputsAndReduceBehindWeightGradients) {
  const WeightSchedule schedule =
      weight_schedule(Sharding::full_shard, {.pipeline_parallel = 4, .schedule = Schedule::zb_h1});
  EXPECT_TRUE(schedule.backward.gathers());
  EXPECT_FALSE(schedule.backward.reduces());
  EXPECT_EQ(pass_over_three(schedule.weight_gradients, true), reduces);
  EXPECT_FALSE(weight_schedule(Sharding::full_shard, {}).weight_gradients.reduces());
}

/// In the model they change what memory holds, and no time.
TEST(WeightSchedule, ForwardPrefetchAndTheRateLimiterAreOfMemoryAlone) {
  const Plan plan{.forward_prefetch = true, .limit_all_gathers = false};
  const WeightSchedule schedule = weight_schedule(Sharding::full_shard, plan);
  const WeightSchedule plain = weight_schedule(Sharding::full_shard, {});
  EXPECT_EQ(forward(schedule), forward(plain));
  EXPECT_EQ(backward(schedule), backward(plain));
  EXPECT_EQ(plain.held_forward, 0);
  EXPECT_EQ(schedule.held_forward, 1);
  EXPECT_EQ(plain.freed_late, 0);
  EXPECT_EQ(schedule.freed_late, 1);
}

// Laws of every schedule.

std::vector<WeightSchedule> all_schedules() {
  std::vector<WeightSchedule> schedules;
  for (const Sharding sharding :
       {Sharding::no_shard, Sharding::zero1, Sharding::zero1_hybrid, Sharding::shard_grad_op,
        Sharding::full_shard, Sharding::hybrid_shard, Sharding::hybrid_shard_zero2}) {
    for (unsigned bits = 0; bits < 16; ++bits) {
      for (const BackwardPrefetch prefetch :
           {BackwardPrefetch::none, BackwardPrefetch::post, BackwardPrefetch::pre}) {
        const bool pipelined = (bits & 1U) != 0;
        const bool splits = pipelined && (bits & 2U) != 0;
        schedules.push_back(
            weight_schedule(sharding, {.pipeline_parallel = pipelined ? 4 : 1,
                                       .schedule = splits ? Schedule::zb_h1 : Schedule::one_f_one_b,
                                       .backward_prefetch = prefetch,
                                       .reshard_after_forward = (bits & 4U) != 0 ? 1 : 0,
                                       .accumulate_without_sync = (bits & 8U) != 0}));
      }
    }
  }
  return schedules;
}

TEST(WeightSchedule, APassAwaitsWhatWasGatheredBeforeAndFreesWhatItComputed) {
  for (const WeightSchedule& schedule : all_schedules()) {
    for (const bool back : {false, true}) {
      const Timeline timeline = back ? backward(schedule) : forward(schedule);
      const std::ptrdiff_t never = std::ssize(timeline);
      for (const char* unit : {"0", "1", "2"}) {
        const std::ptrdiff_t gathered = place_of(std::string("gather ") + unit, timeline);
        const std::ptrdiff_t awaited = place_of(std::string("await ") + unit, timeline);
        const std::ptrdiff_t computed = place_of(std::string("compute ") + unit, timeline);
        const std::ptrdiff_t freed = place_of(std::string("free ") + unit, timeline);
        EXPECT_TRUE(gathered == never || gathered < awaited);
        EXPECT_TRUE(awaited == never || awaited < computed);
        EXPECT_GT(freed, computed);
      }
    }
  }
}

TEST(WeightSchedule, GradientsOfAUnitAreReducedOnceBehindTheirPass) {
  for (const WeightSchedule& schedule : all_schedules()) {
    EXPECT_NE(schedule.backward.reduces(), schedule.weight_gradients.reduces());
    const bool whole = schedule.backward.reduces();
    const UnitOrder& order = whole ? schedule.backward : schedule.weight_gradients;
    const Timeline timeline = pass_over_three(order, true);
    for (const char* unit : {"0", "1", "2"}) {
      const std::string reduce = std::string("reduce ") + unit;
      EXPECT_EQ(std::ranges::count(timeline, reduce), 1);
      EXPECT_GT(place_of(reduce, timeline), place_of(std::string("compute ") + unit, timeline));
    }
    EXPECT_EQ(std::ranges::count(timeline, "reduce ends"), 1);
  }
}

TEST(WeightSchedule, WhatAPassFreesIsGatheredAgainByAPass) {
  for (const WeightSchedule& schedule : all_schedules()) {
    EXPECT_EQ(schedule.forward.frees(), schedule.backward.gathers());
    EXPECT_EQ(schedule.backward.frees(), schedule.forward.gathers());
    EXPECT_FALSE(schedule.gathers_once() && schedule.forward.gathers());
  }
}

}  // namespace
}  // namespace cubicbench::sim
