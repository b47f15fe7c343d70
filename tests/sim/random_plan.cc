#include "tests/sim/random_plan.h"

#include "sim/plan/validity.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Takes one digit of base `radix` off `number`.
std::int64_t digit(std::uint64_t& number, std::uint64_t radix) {
  const std::uint64_t value = number % radix;
  number /= radix;
  return static_cast<std::int64_t>(value);
}

Plan nth_plan(std::uint64_t n) {
  // A large odd stride scatters neighbours over all axes.
  std::uint64_t number = n * 0x9E3779B97F4A7C15ull >> 8;
  Plan plan{};
  plan.tensor_parallel = std::int64_t{1} << digit(number, 4);
  plan.sequence_parallel = digit(number, 2) != 0;
  plan.async_tensor_parallel = digit(number, 2) != 0;
  plan.pipeline_parallel = std::int64_t{1} << digit(number, 4);
  plan.schedule = static_cast<Schedule>(digit(number, 10));
  plan.virtual_stages = 2 + digit(number, 3);
  plan.context_parallel = std::int64_t{1} << digit(number, 2);
  plan.micro_batch = std::int64_t{1} << digit(number, 2);
  plan.global_batch = 256;
  plan.sharding = static_cast<Sharding>(digit(number, 7));
  plan.shard_group = digit(number, 2) != 0 ? 8 : 0;
  plan.wrap = 1 + digit(number, 2);
  plan.forward_prefetch = digit(number, 2) != 0;
  plan.backward_prefetch = static_cast<BackwardPrefetch>(digit(number, 3));
  plan.limit_all_gathers = digit(number, 2) != 0;
  plan.reshard_after_forward = digit(number, 3);
  plan.accumulate_without_sync = digit(number, 2) != 0;
  plan.reduce_dtype = digit(number, 2) != 0 ? Dtype::bf16 : Dtype::fp32;
  plan.recompute = static_cast<Recompute>(digit(number, 5));
  plan.recompute_every = 1 + digit(number, 3);
  plan.compile = digit(number, 2) != 0;
  plan.ulysses_degree = digit(number, 2) != 0 ? plan.context_parallel : 1;
  plan.context_exchange = static_cast<ContextPlan>(digit(number, 3));
  plan.context_load_balance = digit(number, 2) != 0;
  return plan;
}

}  // namespace

std::vector<Plan> assorted_plans(int count) {
  std::vector<Plan> plans;
  for (std::uint64_t n = 1; static_cast<int>(plans.size()) < count; ++n) {
    const Plan plan = nth_plan(n);
    if (!check(plan, llama_8b(), round_cluster(64))) {
      plans.push_back(plan);
    }
  }
  return plans;
}

}  // namespace cubicbench::sim
