#include "sim/engine/event/weight_script.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/sim/fixtures.h"
#include "tests/sim/program/weight_timeline.h"

namespace cubicbench::sim {
namespace {

/// A stage of three units whose weights are as 4, 2 and 1, and those outside the layers as 8, so
/// that bytes tell whose a collective is.
class ThreeUnits {
 public:
  explicit ThreeUnits(const Plan& plan)
      : groups_{.replica = {8, 8}, .shard = {8, 8}, .replicate = {}, .reshard = {8, 8}},
        schedule_(weight_schedule(plan.sharding, plan)),
        units_{.parameters = 15e9, .end_parameters = 8e9},
        weights_({{.traffic = weight_traffic(plan.sharding, plan, groups_),
                   .weights = units_,
                   .groups = groups_,
                   .layer_parameters = 4e9,
                   .chunks = {{1.0, 0.5, 0.25}},
                   .pipelined = true}},
                 cluster_, stack_, step_, script_) {}

  const WeightSchedule& schedule() const { return schedule_; }

  /// Both passes of the only micro-batch, as the script has them.
  Timeline step() {
    const ChunkPass pass{.with_ends = true, .opens = true, .closes = true, .reduces = true};
    weights_.begin_step();
    weights_.begin_forward(pass);
    compute(-1);
    for (std::int64_t unit = 0; unit < 3; ++unit) {
      weights_.before_forward(unit);
      compute(unit);
    }
    weights_.end_forward();
    weights_.begin_backward(pass);
    compute(-1);
    for (std::int64_t unit = 2; unit >= 0; --unit) {
      weights_.before_backward(unit);
      compute(unit);
      weights_.after_backward(unit);
    }
    weights_.end_backward();
    weights_.after_backward_pass();
    return names();
  }

 private:
  void compute(std::int64_t unit) {
    script_.actions.push_back(
        {.kind = ActionKind::block, .index = static_cast<std::int32_t>(unit)});
  }

  const std::vector<StreamOperation>& operations() const {
    return script_.streams[static_cast<std::size_t>(AsyncStream::weights)];
  }

  std::string unit_of(const StreamOperation& operation) const {
    double most = 0.0;
    const auto bytes_of = [&](const StreamOperation& one) {
      return step_.transfers[one.transfer].bytes.value;
    };
    for (const StreamOperation& other : operations()) {
      const bool same = std::string(other.name) == operation.name;
      if (same) most = std::max(most, bytes_of(other));
    }
    const long halved = std::lround(std::log2(most / bytes_of(operation)));
    return halved == 0 ? "ends" : std::to_string(halved - 1);
  }

  std::string name_of(const StreamOperation& operation) const {
    const bool gathers = std::string(operation.name) == "all_gather";
    return (gathers ? "gather " : "reduce ") + unit_of(operation);
  }

  /// Waiting for a gather is for its unit, and for a reduction for all that was issued.
  std::string awaited(std::int32_t count) const {
    const StreamOperation& last = operations()[static_cast<std::size_t>(count - 1)];
    const bool gathers = std::string(last.name) == "all_gather";
    return gathers ? "await " + unit_of(last) : "wait";
  }

  Timeline names() const {
    Timeline timeline;
    std::size_t issued = 0;
    for (const Action& action : script_.actions) {
      if (action.kind == ActionKind::issue) timeline.push_back(name_of(operations()[issued++]));
      if (action.kind == ActionKind::await) timeline.push_back(awaited(action.index));
      if (action.kind != ActionKind::block) continue;
      timeline.push_back(action.index < 0 ? "compute before"
                                          : "compute " + std::to_string(action.index));
    }
    return timeline;
  }

  Cluster cluster_ = round_cluster(8);
  Stack stack_ = round_stack();
  WeightGroups groups_;
  WeightSchedule schedule_;
  WeightUnits units_;
  StepScript step_;
  StageScript script_;
  StageWeights weights_;
};

/// A device does nothing when memory is freed.
Timeline without_frees(Timeline timeline) {
  std::erase_if(timeline, [](const std::string& event) { return event.starts_with("free"); });
  return timeline;
}

Timeline operator+(Timeline first, const Timeline& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(WeightScript, GathersAndReducesUnitsAsTheirScheduleSays) {
  for (const BackwardPrefetch prefetch :
       {BackwardPrefetch::none, BackwardPrefetch::post, BackwardPrefetch::pre}) {
    for (const std::int64_t reshard : {0, 1}) {
      SCOPED_TRACE(static_cast<int>(prefetch));
      SCOPED_TRACE(reshard);
      ThreeUnits stage({.sharding = Sharding::full_shard,
                        .backward_prefetch = prefetch,
                        .reshard_after_forward = reshard});
      const WeightSchedule& schedule = stage.schedule();
      const Timeline expected =
          without_frees(pass_over_three(schedule.forward, false) + Timeline{"await ends"} +
                        pass_over_three(schedule.backward, true) + Timeline{"wait", "wait"});
      EXPECT_EQ(stage.step(), expected);  // at the end of the pass, and behind it
    }
  }
}

TEST(WeightScript, GathersKeptWeightsInTheOrderOfTheirUnitsAsTheStepBegins) {
  ThreeUnits stage({.sharding = Sharding::shard_grad_op, .accumulate_without_sync = true});
  const WeightSchedule& schedule = stage.schedule();
  const Timeline begins{"gather 0", "gather 1", "gather 2", "gather ends"};
  EXPECT_EQ(stage.step(), begins + pass_over_three(schedule.forward, false) +
                              Timeline{"await ends"} + pass_over_three(schedule.backward, true) +
                              Timeline{"wait"});
}

}  // namespace
}  // namespace cubicbench::sim
