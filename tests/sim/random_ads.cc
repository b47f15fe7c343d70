#include "tests/sim/random_ads.h"

#include <array>
#include <cmath>
#include <sstream>

#include "sim/plan/validity.h"
#include "tests/sim/engine/event/dice.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

template <typename Value, std::size_t n>
Value one_of(const std::array<Value, n>& values, Dice& dice) {
  return values[static_cast<std::size_t>(dice.below(n))];
}

TableGroup random_tables(Dice& dice) {
  return {.tables = 1 + dice.below(40),
          .rows = 1000 + dice.below(1 + one_of<std::int64_t, 3>({9'000, 300'000, 6'000'000}, dice)),
          .dim = one_of<std::int64_t, 8>({16, 32, 64, 96, 128, 192, 256, 512}, dice),
          .pooling = 1.0 + 0.5 * static_cast<double>(dice.below(60)),
          .skew = one_of<double, 4>({0.0, 0.6, 1.0, 1.2}, dice),
          .element_bytes = one_of<std::int64_t, 3>({0, 2, 4}, dice)};
}

/// With `output` elements a sample.
Arch random_arch(std::int64_t output, Dice& dice) {
  if (dice.once_in(2)) {
    return ResidualArch{
        .layers = 1 + dice.below(6), .width = output, .ffn_hidden = 256 * (1 + dice.below(16))};
  }
  Mlp mlp;
  for (std::int64_t i = dice.below(4); i > 0; --i) mlp.widths.push_back(256 * (1 + dice.below(8)));
  mlp.widths.push_back(output);
  return mlp;
}

void add_sequence(Recommendation& model, std::int64_t width, Dice& dice) {
  for (std::int64_t i = 1 + dice.below(2); i > 0; --i) {
    TableGroup group = random_tables(dice);
    group.tables = 1 + dice.below(4);
    group.pooled = false;
    model.tables.push_back(group);
  }
  model.sequence = SequenceArch{
      .layers = 1 + dice.below(3), .width = width, .heads = 4, .ffn_hidden = 4 * width};
  if (dice.once_in(2)) {
    model.sequence->kind = SequenceLayer::hstu;
    model.sequence->head_size = 64;
  }
  if (dice.once_in(2)) {
    model.sequence->lengths = {.max = 3 * sequence_tokens(model),
                               .skew = dice.once_in(2) ? 1.2 : 0.0};
  }
}

Recommendation random_model(Dice& dice) {
  Recommendation model;
  for (std::int64_t i = 1 + dice.below(6); i > 0; --i) {
    model.tables.push_back(random_tables(dice));
  }
  model.dense_inputs = 13 + dice.below(1000);
  std::int64_t width = 64 * (1 + dice.below(16));
  switch (dice.below(4)) {
    case 0:
      break;
    case 1:  // features of one width
      width = 128;
      for (TableGroup& group : model.tables) group.dim = width;
      model.interaction = DotInteraction{};
      break;
    case 2:
      model.interaction = CrossInteraction{.layers = 1 + dice.below(3), .rank = 128};
      break;
    default:
      model.interaction = StackedInteraction{.layers = 1 + dice.below(4),
                                             .features = 32,
                                             .dim = 128,
                                             .compressed = 8,
                                             .ffn_hidden = 512,
                                             .product_features = 16};
  }
  model.dense = random_arch(width, dice);
  if (dice.once_in(3)) add_sequence(model, width, dice);
  model.over = random_arch(dice.once_in(2) ? 1 : 1024, dice);
  return model;
}

Sharding random_sharding(Dice& dice) { return static_cast<Sharding>(dice.below(7)); }

void set_tables(Plan& plan, Dice& dice) {
  plan.embedding_plan = static_cast<EmbeddingPlan>(dice.below(8));
  plan.embedding_groups =
      plan.embedding_plan == EmbeddingPlan::two_d || dice.once_in(4) ? 1 << dice.below(5) : 1;
  plan.embedding_sync_interval = one_of<std::int64_t, 3>({1, 4, 20}, dice);
  plan.embedding_kernel = static_cast<EmbeddingKernel>(dice.below(3));
  plan.embedding_cache_thousandths = one_of<std::int64_t, 3>({10, 200, 1000}, dice);
  plan.embedding_dtype = dice.once_in(2) ? Dtype::fp16 : Dtype::fp32;
  plan.embedding_optimizer =
      one_of<Optimizer, 3>({Optimizer::sgd, Optimizer::adam, Optimizer::rowwise_adagrad}, dice);
  plan.embedding_replicate_below_gib_thousandths = one_of<std::int64_t, 3>({0, 0, 10}, dice);
  constexpr std::array wires{Dtype::fp32, Dtype::fp16, Dtype::bf16, Dtype::fp8};
  plan.forward_comm_dtype = one_of(wires, dice);
  plan.backward_comm_dtype = one_of(wires, dice);
  plan.input_pipeline = static_cast<InputPipeline>(dice.below(3));
}

void set_archs(Plan& plan, Dice& dice) {
  plan.dense_sharding = random_sharding(dice);
  plan.sequence_sharding = random_sharding(dice);
  plan.interaction_sharding = random_sharding(dice);
  plan.over_sharding = random_sharding(dice);
  plan.shard_group = one_of<std::int64_t, 3>({0, 2, 8}, dice);
  plan.wrap = 1 + dice.below(3);
  plan.forward_prefetch = dice.once_in(2);
  plan.backward_prefetch = static_cast<BackwardPrefetch>(dice.below(3));
  plan.limit_all_gathers = dice.once_in(2);
  plan.reshard_after_forward = dice.below(3);
  plan.param_dtype = dice.once_in(3) ? Dtype::fp32 : Dtype::bf16;
  plan.reduce_dtype = dice.once_in(2) ? Dtype::bf16 : Dtype::fp32;
  plan.recompute = one_of<Recompute, 4>(
      {Recompute::none, Recompute::selective, Recompute::full, Recompute::every_k}, dice);
  plan.recompute_every = 1 + dice.below(3);
  plan.length_balancing = dice.once_in(2);
  plan.compile = dice.once_in(2);
}

Plan random_plan(Dice& dice) {
  Plan plan{};
  plan.batch_per_gpu = std::int64_t{64} << dice.below(7);
  set_tables(plan, dice);
  set_archs(plan, dice);
  return plan;
}

Cluster random_cluster(Dice& dice) {
  Cluster cluster =
      round_cluster(one_of<int, 12>({1, 2, 4, 6, 8, 8, 12, 16, 24, 40, 64, 64}, dice));
  cluster.device.memory = Bytes{1e15};
  cluster.device.host_bandwidth = 50_GBps;
  return cluster;
}

Stack random_stack(Dice& dice) {
  Stack stack = round_stack();
  stack.overlap_cost = 0.25 * static_cast<double>(dice.below(5));
  stack.host_layer_forward = dice.once_in(2) ? 1_ms : 100_us;
  stack.lookup_factor = 1.0 + dice.share();
  stack.sparse_step = dice.once_in(2) ? Seconds{} : 1_ms;
  stack.exchange_factor = 1.0 + dice.share();
  stack.lookup_overlap = dice.once_in(2) ? 0.0 : dice.share();
  stack.input_sample = dice.once_in(2) ? Seconds{} : Seconds{dice.share() * 1e-6};
  return stack;
}

}  // namespace

AdsJob random_ads(std::uint64_t seed) {
  Dice dice(seed);
  while (true) {
    AdsJob job{.model = random_model(dice),
               .plan = random_plan(dice),
               .cluster = random_cluster(dice),
               .stack = random_stack(dice)};
    if (check(job.plan, job.model, job.cluster)) continue;
    job.plan.index_dedup = dice.once_in(2);
    return job;
  }
}

std::string description(std::uint64_t seed, const AdsJob& job) {
  std::ostringstream out;
  const Plan& plan = job.plan;
  const auto number = [](auto value) { return static_cast<int>(value); };
  out << "seed " << seed << ": " << job.cluster.gpus << " GPUs, " << job.model.tables.size()
      << " shapes, interaction " << job.model.interaction.index() << ", sequence "
      << job.model.sequence.has_value() << ", dense " << job.model.dense.index() << ", over "
      << job.model.over.index() << ", batch " << plan.batch_per_gpu << ", plan "
      << number(plan.embedding_plan) << ", copies " << plan.embedding_groups << ", kernel "
      << number(plan.embedding_kernel) << ", input " << number(plan.input_pipeline)
      << ", shardings " << number(plan.dense_sharding) << ' ' << number(plan.sequence_sharding)
      << ' ' << number(plan.interaction_sharding) << ' ' << number(plan.over_sharding) << ", wrap "
      << plan.wrap << ", backward prefetch " << number(plan.backward_prefetch) << ", reshard "
      << plan.reshard_after_forward << ", group " << plan.shard_group << ", recompute "
      << number(plan.recompute) << ", overlap cost " << job.stack.overlap_cost;
  return out.str();
}

}  // namespace cubicbench::sim
