#include "tests/sim/random_experts.h"

#include <array>
#include <sstream>

#include "sim/plan/validity.h"
#include "tests/sim/engine/event/dice.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr int gpus = 64;

template <typename Value, std::size_t n>
Value one_of(const std::array<Value, n>& values, Dice& dice) {
  return values[static_cast<std::size_t>(dice.below(n))];
}

Transformer random_model(Dice& dice) {
  Transformer model = llama_8b();
  model.layers = 8 + 2 * dice.below(9);
  model.hidden = one_of<std::int64_t, 2>({2048, 4096}, dice);
  model.head_size = model.hidden / 32;
  model.ffn_hidden = 3 * model.hidden;
  model.vocabulary = 32'000;
  model.sequence = 8192;
  model.experts = {.count = one_of<std::int64_t, 3>({8, 16, 64}, dice),
                   .per_token = one_of<std::int64_t, 3>({1, 2, 4}, dice),
                   .ffn_hidden = one_of<std::int64_t, 3>({512, 1024, 4096}, dice),
                   .shared_ffn_hidden = one_of<std::int64_t, 3>({0, 0, 1024}, dice),
                   .first_dense_layers = one_of<std::int64_t, 4>({0, 0, 1, 3}, dice),
                   .period = one_of<std::int64_t, 4>({1, 1, 1, 2}, dice),
                   .capacity_thousandths = one_of<std::int64_t, 3>({0, 0, 1250}, dice),
                   .load_deviation_thousandths = one_of<std::int64_t, 2>({0, 150}, dice),
                   .nodes_per_token = one_of<std::int64_t, 3>({0, 0, 2}, dice)};
  if (dice.once_in(4)) {
    model.latent = {
        .query_rank = 512, .key_rank = 256, .rope_size = 32, .value_size = model.head_size};
  }
  if (dice.once_in(4)) model.prediction_layers = 1;
  return model;
}

/// Few micro-batches, so that a job is a thousand events a rank.
Plan random_plan(Dice& dice) {
  Plan plan;
  plan.tensor_parallel = one_of<std::int64_t, 3>({1, 2, 4}, dice);
  plan.sequence_parallel = plan.tensor_parallel > 1 && dice.once_in(2);
  plan.async_tensor_parallel = dice.once_in(2);
  plan.pipeline_parallel = one_of<std::int64_t, 4>({1, 2, 2, 4}, dice);
  plan.schedule =
      one_of<Schedule, 3>({Schedule::gpipe, Schedule::one_f_one_b, Schedule::interleaved}, dice);
  plan.virtual_stages = 2;
  plan.context_parallel = one_of<std::int64_t, 3>({1, 1, 2}, dice);
  plan.expert_parallel = one_of<std::int64_t, 5>({1, 2, 4, 8, 16}, dice);
  plan.expert_tensor_parallel = one_of<std::int64_t, 3>({1, 1, 2}, dice);
  plan.expert_dispatch = static_cast<ExpertDispatch>(dice.below(4));
  plan.expert_overlap = dice.once_in(2);
  plan.micro_batch = 1 + dice.below(2);
  plan.sharding = static_cast<Sharding>(dice.below(7));
  plan.wrap = 1 + dice.below(2);
  plan.backward_prefetch = static_cast<BackwardPrefetch>(dice.below(3));
  plan.reshard_after_forward = dice.below(2);
  plan.accumulate_without_sync = dice.once_in(2);
  plan.recompute = static_cast<Recompute>(dice.below(4));
  plan.compile = dice.once_in(2);
  const std::int64_t replicas =
      gpus / (plan.tensor_parallel * plan.context_parallel * plan.pipeline_parallel);
  plan.global_batch = replicas * plan.micro_batch * plan.pipeline_parallel * (2 + dice.below(3));
  return plan;
}

Stack random_stack(Dice& dice) {
  Stack stack = round_stack();
  stack.overlap_cost = 0.25 * static_cast<double>(dice.below(5));
  stack.tensor_overlap = dice.once_in(2) ? 0.0 : 0.5;
  stack.host_layer_forward = dice.once_in(2) ? 1_ms : 100_us;
  stack.host_jitter = dice.once_in(2) ? Seconds{} : 20_us;
  stack.grouped_gemm_factor = 0.8;
  stack.routing_factor = 2.0;
  stack.expert_launches = 1.5;
  stack.dispatch_factor = 1.0 + 0.5 * static_cast<double>(dice.below(2));
  stack.dispatch_overlap = one_of<double, 3>({0.0, 0.5, 1.0}, dice);
  stack.einsum_dispatch = dice.once_in(5);
  return stack;
}

}  // namespace

ExpertJob random_experts(std::uint64_t seed) {
  Dice dice(seed);
  Cluster cluster = round_cluster(gpus);
  cluster.device.memory = 4096_GiB;  // everything fits, and nothing is near its limit
  while (true) {
    const ExpertJob job{random_model(dice), random_plan(dice), cluster, random_stack(dice)};
    if (!check(job.plan, job.model, cluster)) return job;
  }
}

std::string description(std::uint64_t seed, const ExpertJob& job) {
  std::ostringstream text;
  const Plan& plan = job.plan;
  const Experts& experts = job.model.experts;
  text << "seed " << seed << ": " << job.model.layers << " layers, " << experts.count
       << " experts, k " << experts.per_token << ", dense " << experts.first_dense_layers
       << ", period " << experts.period << ", predicts " << job.model.prediction_layers << ", t "
       << plan.tensor_parallel << ", c " << plan.context_parallel << ", p "
       << plan.pipeline_parallel << ", schedule " << static_cast<int>(plan.schedule) << ", ep "
       << plan.expert_parallel << ", etp " << plan.expert_tensor_parallel << ", dispatch "
       << static_cast<int>(plan.expert_dispatch) << ", overlap " << plan.expert_overlap << " of "
       << job.stack.dispatch_overlap << ", sharding " << static_cast<int>(plan.sharding)
       << ", wrap " << plan.wrap << ", prefetch " << static_cast<int>(plan.backward_prefetch)
       << ", reshard " << plan.reshard_after_forward << ", accumulates "
       << plan.accumulate_without_sync << ", recompute " << static_cast<int>(plan.recompute)
       << ", batch " << plan.global_batch << " of " << plan.micro_batch << ", x "
       << job.stack.overlap_cost << ", tensor overlap " << job.stack.tensor_overlap;
  return text.str();
}

}  // namespace cubicbench::sim
