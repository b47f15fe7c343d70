#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/stream_bytes.h"

namespace cubicbench::sim {
namespace {

Plan mixtral_plan() {
  Plan plan{};
  plan.expert_parallel = 8;
  plan.global_batch = 256;
  plan.sharding = Sharding::zero1;
  return plan;
}

Cluster large_cluster(int gpus) {
  Cluster cluster = round_cluster(gpus);
  cluster.device.memory = Bytes{1e15};
  return cluster;
}

StepReport run(const Transformer& model, const Plan& plan, int gpus,
               const Stack& stack = round_stack()) {
  Workspace workspace;
  StepReport report = evaluate(model, plan, large_cluster(gpus), stack, workspace);
  EXPECT_EQ(report.status, StepStatus::ok)
      << static_cast<int>(report.violation.rule) << " " << report.violation.setting;
  return report;
}

double seconds(const StepReport& report, StepPart part) {
  return report.parts[static_cast<std::size_t>(part)].value;
}

StepProgram program_of(const Transformer& model, const Plan& plan, int gpus,
                       const Stack& stack = round_stack()) {
  StepProgram program;
  lower(model, plan, round_cluster(gpus), stack, program);
  return program;
}

// 4,096 tokens x 2 experts x 4,096 wide x 2 bytes, there and back.
TEST(ExpertLayers, DispatchBytesByHand) {
  Plan plan = mixtral_plan();
  const double one_way = 4096.0 * 2.0 * 4096.0 * 2.0;
  const StepProgram flat = program_of(mixtral_8x7b(), plan, 64);
  EXPECT_EQ(bytes_on(flat, flat.blocks.layers[0].forward, Stream::expert), 2.0 * one_way);
  EXPECT_EQ(bytes_on(flat, flat.blocks.layers[0].backward, Stream::expert), 2.0 * one_way);
  plan.expert_dispatch = ExpertDispatch::deepep;
  plan.dtype = Dtype::fp8;  // sent in a byte, returned in two
  const StepProgram deepep = program_of(mixtral_8x7b(), plan, 64);
  EXPECT_EQ(bytes_on(deepep, deepep.blocks.layers[0].forward, Stream::expert_node), 1.5 * one_way);
  plan.expert_dispatch = ExpertDispatch::all_gather;
  const StepProgram gathered = program_of(mixtral_8x7b(), plan, 64);
  EXPECT_EQ(bytes_on(gathered, gathered.blocks.layers[0].forward, Stream::expert),
            2.0 * 8.0 * 4096.0 * 4096.0 * 2.0);
}

TEST(ExpertLayers, StagesKnowWhichLayersHaveExperts) {
  Plan plan{};
  plan.pipeline_parallel = 4;
  plan.expert_parallel = 8;
  plan.global_batch = 256;
  const StepProgram program = program_of(deepseek_v3(), plan, 64);
  double layers = 0.0;
  double experts = 0.0;
  for (const StageRun& stages : program.runs) {
    layers += static_cast<double>(stages.stages) * stages.layers;
    experts += static_cast<double>(stages.stages) * stages.kinds[1].layers;
  }
  EXPECT_EQ(layers, 62.0);
  EXPECT_EQ(experts, 59.0);
  EXPECT_EQ(program.runs.front().kinds[0].layers, 3.0);
  EXPECT_EQ(program.runs.back().head_passes, 2.0);
}

// All ranks of all stages together hold the model: weights of experts once in each group that
// shares them, others once in each tensor group; the prediction layer's stage has an embedding of
// its own.
TEST(ExpertLayers, WeightsSumToTheModel) {
  const Transformer model = deepseek_v3();
  Plan plan{};
  plan.pipeline_parallel = 4;
  plan.expert_parallel = 8;
  plan.global_batch = 256;
  const StepProgram program = program_of(model, plan, 64);
  double others = 0.0;
  double experts = 0.0;
  for (const StageRun& stages : program.runs) {
    others += static_cast<double>(stages.stages) * stages.weights.parameters;
    experts += static_cast<double>(stages.stages) * stages.expert_weights.parameters;
  }
  EXPECT_NEAR(others + 8.0 * experts, total_parameters(model) + embedding_parameters(model), 1e4);
  EXPECT_DOUBLE_EQ(experts, 59.0 * 32.0 * expert_parameters(model));
}

TEST(ExpertLayers, TheSlowestRankCounts) {
  Transformer model = mixtral_8x7b();
  double before = 0.0;
  for (const std::int64_t deviation : {0, 100, 300, 1000}) {
    model.experts.load_deviation_thousandths = deviation;
    const double step = run(model, mixtral_plan(), 64).step.value;
    EXPECT_GT(step, before);
    before = step;
  }
}

TEST(ExpertLayers, MoreOfATokenCostsMore) {
  Transformer model = mixtral_8x7b();
  double before = 0.0;
  for (model.experts.per_token = 1; model.experts.per_token <= 8; ++model.experts.per_token) {
    const double step = run(model, mixtral_plan(), 64).step.value;
    EXPECT_GT(step, before);
    before = step;
  }
  model = mixtral_8x7b();
  const double dropless = run(model, mixtral_plan(), 64).step.value;
  model.experts.capacity_thousandths = 1000;
  EXPECT_DOUBLE_EQ(run(model, mixtral_plan(), 64).step.value, dropless);
  model.experts.capacity_thousandths = 2000;
  EXPECT_GT(run(model, mixtral_plan(), 64).step.value, dropless);
}

TEST(ExpertLayers, OneStepBetweenNodesSavesCopies) {
  Plan plan = mixtral_plan();
  Transformer model = qwen3_30b();
  plan.expert_parallel = 64;
  const double flat = seconds(run(model, plan, 64), StepPart::expert_communication);
  plan.expert_dispatch = ExpertDispatch::hierarchical;
  model.experts.nodes_per_token = 2;
  const double limited = seconds(run(model, plan, 64), StepPart::expert_communication);
  plan.expert_dispatch = ExpertDispatch::deepep;
  const double pipelined = seconds(run(model, plan, 64), StepPart::expert_communication);
  EXPECT_LT(limited, flat);
  EXPECT_LT(pipelined, limited);
}

TEST(ExpertLayers, OverlapHidesNoMoreThanThereIs) {
  Plan plan = mixtral_plan();
  Stack stack = round_stack();
  stack.dispatch_overlap = 0.75;
  const double bare = seconds(run(mixtral_8x7b(), plan, 64, stack), StepPart::expert_communication);
  plan.expert_overlap = true;
  const double hidden =
      seconds(run(mixtral_8x7b(), plan, 64, stack), StepPart::expert_communication);
  EXPECT_NEAR(hidden, 0.25 * bare, 1e-9 * bare);
}

TEST(ExpertLayers, OneHotProductsCostTheirOperations) {
  Stack stack = round_stack();
  const double sorted = seconds(run(mixtral_8x7b(), mixtral_plan(), 64, stack), StepPart::gemm);
  stack.einsum_dispatch = true;
  EXPECT_GT(seconds(run(mixtral_8x7b(), mixtral_plan(), 64, stack), StepPart::gemm), sorted);
}

// As many experts as a token uses, each as wide as its share of an FFN, on one rank: products of
// the same operations, and no exchange.
TEST(ExpertLayers, AllExpertsOfATokenCountAsTheirSum) {
  Transformer model = mixtral_8x7b();
  model.experts = {.count = 2, .per_token = 2, .ffn_hidden = 7168};
  Plan plan = mixtral_plan();
  plan.expert_parallel = 1;
  const StepReport mixed = run(model, plan, 64);
  Transformer dense = mixtral_8x7b();
  dense.experts = {};
  const StepReport whole = run(dense, plan, 64);
  EXPECT_NEAR(seconds(mixed, StepPart::gemm), seconds(whole, StepPart::gemm),
              0.03 * seconds(whole, StepPart::gemm));
  EXPECT_EQ(seconds(mixed, StepPart::expert_communication), 0.0);
}

}  // namespace
}  // namespace cubicbench::sim
