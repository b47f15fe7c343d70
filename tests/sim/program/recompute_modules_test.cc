// Policies by module: what a layer keeps, and what is computed again, by hand.
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/analytical.h"
#include "sim/plan/validity.h"
#include "sim/program/kept_activations.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/engine/event/played_job.h"
#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr LayerKind with_experts{.ffn = FeedForward::experts};
constexpr Recompute modules[] = {Recompute::layernorm, Recompute::moe_act, Recompute::mlp};

/// Bytes a token that a layer keeps less.
double dropped(const Transformer& model, LayerKind kind, const Plan& plan, Recompute recompute,
               const Stack& stack = {}) {
  return kept_by_layer(model, kind, plan, Recompute::none, stack, 1.0) -
         kept_by_layer(model, kind, plan, recompute, stack, 1.0);
}

// Two tensors of h in 16 bits; tensor ranks share them with sequence parallelism alone.
TEST(LayernormPolicy, DropsWhatTwoNormsReturn) {
  Plan plan;
  EXPECT_DOUBLE_EQ(dropped(llama_8b(), {}, plan, Recompute::layernorm), 2.0 * 2.0 * 4096.0);
  EXPECT_DOUBLE_EQ(dropped(mixtral_8x7b(), with_experts, plan, Recompute::layernorm),
                   2.0 * 2.0 * 4096.0);
  plan.tensor_parallel = 4;
  EXPECT_NEAR(dropped(llama_8b(), {}, plan, Recompute::layernorm), 4.0 * 4096.0, 1e-9);
  plan.sequence_parallel = true;
  EXPECT_NEAR(dropped(llama_8b(), {}, plan, Recompute::layernorm), 4096.0, 1e-9);
}

TEST(LayernormPolicy, DropsQuantisedInputsAsTheyAreKept) {
  Plan plan;
  plan.dtype = Dtype::fp8;
  Stack stack;
  stack.keeps_quantised = true;
  EXPECT_NEAR(dropped(llama_8b(), {}, plan, Recompute::layernorm, stack), 2.0 * 4096.0, 1e-9);
}

// A token goes to two experts of width 14,336, whose second product reads two bytes each.
TEST(MoeActPolicy, DropsWhatActivationFunctionsOfExpertsReturn) {
  Plan plan;
  plan.expert_parallel = 8;
  EXPECT_DOUBLE_EQ(dropped(mixtral_8x7b(), with_experts, plan, Recompute::moe_act),
                   2.0 * 2.0 * 14336.0);
  EXPECT_EQ(dropped(llama_8b(), {}, plan, Recompute::moe_act), 0.0);
}

// Eight bytes of a gated FFN's width, which its products and activation function keep.
TEST(MlpPolicy, DropsTheFfnOfLayersWithoutExperts) {
  Plan plan;
  EXPECT_DOUBLE_EQ(dropped(llama_8b(), {}, plan, Recompute::mlp), 8.0 * 14336.0);
  EXPECT_EQ(dropped(mixtral_8x7b(), with_experts, plan, Recompute::mlp), 0.0);
  plan.tensor_parallel = 2;
  EXPECT_DOUBLE_EQ(dropped(llama_8b(), {}, plan, Recompute::mlp), 4.0 * 14336.0);
}

/// What is computed again of a layer of the first kind.
std::vector<Operation> again(const Transformer& model, const Plan& plan) {
  StepProgram program;
  lower(model, plan, round_cluster(8), round_stack(), program);
  const auto found = operations_in(program.blocks.layers[0].recompute, program.operations);
  return {found.begin(), found.end()};
}

Plan plan_of(Recompute recompute) {
  Plan plan;
  plan.global_batch = 8;
  plan.recompute = recompute;
  return plan;
}

TEST(LayernormPolicy, ReadsAndWritesTwoTensorsAgain) {
  const auto operations = again(llama_8b(), plan_of(Recompute::layernorm));
  ASSERT_EQ(operations.size(), 1U);
  EXPECT_EQ(operations[0].kind, OperationKind::memory_bound);
  EXPECT_EQ(operations[0].part, StepPart::recompute);
  EXPECT_EQ(operations[0].bytes.value, 2.0 * 8192.0 * 2.0 * 2.0 * 4096.0);
}

// Two halves read and their product written, of two copies a token.
TEST(MoeActPolicy, ActivatesCopiesAgain) {
  Plan plan = plan_of(Recompute::moe_act);
  plan.expert_parallel = 8;
  const auto operations = again(mixtral_8x7b(), plan);
  ASSERT_EQ(operations.size(), 1U);
  EXPECT_EQ(operations[0].bytes.value, 2.0 * 4096.0 * 3.0 * 2.0 * 14336.0);
  EXPECT_TRUE(again(llama_8b(), plan_of(Recompute::moe_act)).empty());
}

TEST(MlpPolicy, RunsTheFfnAgain) {
  const auto operations = again(llama_8b(), plan_of(Recompute::mlp));
  ASSERT_EQ(operations.size(), 3U);
  EXPECT_EQ(operations[0].gemm.n, 2.0 * 14336.0);
  EXPECT_EQ(operations[0].gemm.k, 4096.0);
  EXPECT_EQ(operations[1].gemm.n, 4096.0);
  EXPECT_EQ(operations[1].gemm.k, 14336.0);
  EXPECT_EQ(operations[2].bytes.value, 2.0 * 8192.0 * 3.0 * 14336.0);
  Plan experts = plan_of(Recompute::mlp);
  EXPECT_TRUE(again(mixtral_8x7b(), experts).empty());
}

// One tensor enters the FFN and one leaves it.
TEST(MlpPolicy, RepeatsTheExchangesOfTensorRanks) {
  Plan plan = plan_of(Recompute::mlp);
  plan.tensor_parallel = 8;
  const auto exchanges = [&] {
    double sum = 0.0;
    for (const Operation& op : again(llama_8b(), plan)) {
      if (op.stream == Stream::tensor) sum += op.count;
    }
    return sum;
  };
  EXPECT_EQ(exchanges(), 1.0);  // all-reduce
  plan.sequence_parallel = true;
  EXPECT_EQ(exchanges(), 2.0);  // gather and scatter
}

struct ModuleJob {
  Transformer model;
  Plan plan;
  Cluster cluster;
  Stack stack;
};

ModuleJob job_of(const Transformer& model, Recompute recompute) {
  ModuleJob job{model, round_plan(), round_cluster(64), round_stack()};
  job.cluster.device.memory = 1000_GiB;
  job.plan.recompute = recompute;
  if (has_experts(model)) job.plan.expert_parallel = 8;
  return job;
}

StepReport step_of(const ModuleJob& job) {
  Workspace workspace;
  return evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
}

TEST(ModulePolicies, ThatFindNothingToDropChangeNoBit) {
  struct Case {
    Transformer model;
    Recompute recompute;
  };
  for (const Case& c : {Case{llama_8b(), Recompute::moe_act}, Case{qwen3_30b(), Recompute::mlp}}) {
    const StepReport none = step_of(job_of(c.model, Recompute::none));
    const StepReport policy = step_of(job_of(c.model, c.recompute));
    ASSERT_EQ(none.status, StepStatus::ok);
    EXPECT_EQ(policy.step, none.step);
    EXPECT_EQ(policy.parts, none.parts);
    EXPECT_EQ(policy.memory, none.memory);
  }
}

TEST(ModulePolicies, PayForMemoryWithTime) {
  struct Case {
    Transformer model;
    Recompute recompute;
  };
  for (const Case& c : {Case{llama_8b(), Recompute::layernorm}, Case{llama_8b(), Recompute::mlp},
                        Case{qwen3_30b(), Recompute::moe_act}}) {
    SCOPED_TRACE(static_cast<int>(c.recompute));
    const StepReport none = step_of(job_of(c.model, Recompute::none));
    const StepReport policy = step_of(job_of(c.model, c.recompute));
    const StepReport full = step_of(job_of(c.model, Recompute::full));
    EXPECT_LT(policy.memory.allocated, none.memory.allocated);
    EXPECT_GT(policy.memory.allocated, full.memory.allocated);
    EXPECT_GT(policy.step, none.step);
    EXPECT_LT(policy.step, full.step);
  }
}

TEST(ModulePolicies, AreTheSameToBothEngines) {
  Workspace workspace;
  for (const Recompute recompute : modules) {
    for (const Transformer& model : {llama_8b(), qwen3_30b()}) {
      SCOPED_TRACE(static_cast<int>(recompute));
      const ModuleJob job = job_of(model, recompute);
      const StepReport closed = step_of(job);
      ASSERT_EQ(closed.status, StepStatus::ok);
      const EventReport events = played(job, true, false, workspace);
      EXPECT_NEAR(events.step.step / closed.step, 1.0, 0.01);
      EXPECT_NEAR(events.peak.value, closed.memory.allocated.value, memory_part_count);
    }
  }
}

TEST(ModulePolicies, AreNotOfRecommendationModels) {
  for (const Recompute recompute : modules) {
    Plan plan;
    plan.recompute = recompute;
    const Violation found = check(plan, small_ads(), round_cluster(8));
    EXPECT_EQ(found.rule, Rule::not_modelled);
    EXPECT_STREQ(found.setting, "recompute");
  }
}

}  // namespace
}  // namespace cubicbench::sim
