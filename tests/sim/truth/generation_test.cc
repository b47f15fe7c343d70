#include "sim/truth/generation.h"

#include <gtest/gtest.h>

#include "sim/network/collective.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

struct Job {
  Transformer model = llama_8b();
  Cluster cluster = round_cluster(16);
  Stack stack = round_stack();
  Plan plan;
  GenerationBatch batch{.prompts = 16,
                        .responses = 8,
                        .prompt = 256.0,
                        .lengths = {.mean = 500.0, .longest = 1000.0}};
  StepProgram program;

  StepContext on() const { return {cluster, stack, plan}; }
  GenerationReport generate(std::int64_t tensor, Bytes room) {
    return generation({model, on(), tensor}, batch, room, 8192.0, program);
  }
};

// 16 GPUs in pairs are 8 decoders: 128 responses are 16 each. Of a token a pair keeps
// 32 2 4 128 2 = 65,536 bytes on each GPU, of a response of the mean length 500 + 256 / 8 = 532.
TEST(Generation, DecodersAndSlotsByHand) {
  Job job;
  const Bytes weights = decoder_weights({job.model, job.on(), 2});
  const GenerationReport report = job.generate(2, weights + Bytes{5.5 * 532.0 * 65536.0});
  ASSERT_TRUE(report.memory.fits());
  EXPECT_EQ(report.decoders, 8.0);
  EXPECT_EQ(report.responses, 16.0);
  EXPECT_EQ(report.slots, 5.0);
  EXPECT_DOUBLE_EQ(report.memory.response.value, 1256.0 * 65536.0);
  EXPECT_DOUBLE_EQ(report.token_steps, 11.0 * 500.0 / 5.0 + 1000.0);
}

TEST(Generation, WithoutRoomForTheLongestResponseThereIsNone) {
  Job job;
  const Bytes weights = decoder_weights({job.model, job.on(), 1});
  const Bytes response = cache_bytes({job.model, job.on(), 1}, 1256.0);
  EXPECT_FALSE(job.generate(1, weights + 0.99 * response).memory.fits());
  EXPECT_TRUE(job.generate(1, weights + response).memory.fits());
  EXPECT_EQ(job.generate(1, 0.5 * weights).decode, Seconds{});
}

TEST(Generation, MoreMemoryTakesNoMoreTime) {
  Job job;
  job.batch.responses = 64;
  Seconds before{1e9};
  for (const double gib : {18.0, 20.0, 24.0, 40.0, 80.0, 200.0}) {
    const GenerationReport report = job.generate(1, Bytes{gib * (1 << 30)});
    ASSERT_TRUE(report.memory.fits()) << gib;
    EXPECT_LE(report.decode, before) << gib;
    before = report.decode;
  }
}

TEST(Generation, MoreTensorRanksReadWeightsFaster) {
  Job job;
  job.batch.responses = 1;  // few at once: weights are what is read
  job.cluster.device.kernel_overhead = {};
  const Seconds alone = job.generate(1, 80_GiB).decode;
  const Seconds shared = job.generate(8, 80_GiB).decode;
  EXPECT_LT(shared, 0.5 * alone);
}

TEST(Generation, EachPromptIsComputedOnce) {
  Job job;
  job.stack.host_layer_forward = 1_us;
  const Seconds once = job.generate(1, 80_GiB).prefill;
  EXPECT_GT(once, Seconds{});
  job.batch.responses = 16;
  EXPECT_EQ(job.generate(1, 80_GiB).prefill, once);
  job.batch.prompts = 17;  // one GPU has two
  EXPECT_GT(job.generate(1, 80_GiB).prefill, 1.2 * once);
}

TEST(Resharding, GathersWhatGenerationHoldsMoreOf) {
  const Job job;
  const Decoder pair{job.model, job.on(), 2};
  const Bytes needed{total_parameters(job.model)};  // half of them in 2 bytes
  EXPECT_EQ(resharding_time(pair, needed), Seconds{});
  EXPECT_EQ(resharding_time(pair, 2.0 * needed), Seconds{});
  // Eight ranks hold it, every other one of 16: four on each of two nodes.
  const Group group{.ranks = 8, .ranks_per_node = 4, .stride = 2};
  EXPECT_EQ(resharding_time(pair, needed / 8.0), all_gather(needed, group, job.cluster.network));
}

}  // namespace
}  // namespace cubicbench::sim
