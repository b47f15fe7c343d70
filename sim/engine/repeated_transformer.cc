#include "sim/engine/repeated_transformer.h"

#include "sim/engine/least_step.h"
#include "sim/engine/stage_cost.h"
#include "sim/memory/memory_report.h"
#include "sim/memory/peak_memory.h"
#include "sim/plan/split_shape.h"
#include "sim/plan/validity.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {
namespace {

// What a part of the evaluation of a transformer reads of a plan: the plan with all other settings
// at one value. A part gives the same bits for both plans, so that plans which agree in what it
// reads share its result.

constexpr Plan defaults{};

/// What modes leave unread: chunks of schedules that have none of their own, units and groups of
/// shardings without them.
void drop_unread(Plan& plan) {
  const ShardingTraits sharding = traits(plan.sharding);
  if (traits(plan.schedule).chunks != StageChunks::in_a_round)
    plan.virtual_stages = defaults.virtual_stages;
  if (!sharding.shards_parameters) plan.wrap = defaults.wrap;
  if (!sharding.in_groups) plan.shard_group = defaults.shard_group;
}

/// Read by the memory of a step and by check(): all but what only times depend on, and of what
/// prefetching gathers how much, where anything is gathered twice.
Plan memory_settings(const Plan& plan) {
  Plan read = plan;
  drop_unread(read);
  read.compile = defaults.compile;
  read.async_tensor_parallel = defaults.async_tensor_parallel;
  read.expert_dispatch = defaults.expert_dispatch;
  read.expert_overlap = defaults.expert_overlap;
  read.context_exchange = defaults.context_exchange;
  const bool prefetches = plan.forward_prefetch || plan.backward_prefetch != BackwardPrefetch::none;
  read.forward_prefetch = prefetches && gathers_twice(plan.sharding, plan);
  read.backward_prefetch = BackwardPrefetch::none;
  if (!gathers_twice(plan.sharding, plan)) read.limit_all_gathers = defaults.limit_all_gathers;
  return read;
}

/// Read by the time of a step that fits: all but what only memory depends on, and of the sharding
/// and the schedule what their modes read.
Plan time_settings(const Plan& plan) {
  Plan read = plan;
  drop_unread(read);
  read.forward_prefetch = defaults.forward_prefetch;
  read.limit_all_gathers = defaults.limit_all_gathers;
  if (!gathers_twice(plan.sharding, plan)) read.backward_prefetch = defaults.backward_prefetch;
  return read;
}

// The others name what they read, and leave out everything else.

/// By mesh_of().
Plan mesh_settings(const Plan& plan) {
  return {.gpus = plan.gpus,
          .tensor_parallel = plan.tensor_parallel,
          .pipeline_parallel = plan.pipeline_parallel,
          .context_parallel = plan.context_parallel,
          .ulysses_degree = plan.ulysses_degree,
          .expert_parallel = plan.expert_parallel,
          .expert_tensor_parallel = plan.expert_tensor_parallel,
          .sharding = plan.sharding,
          .shard_group = plan.shard_group,
          .reshard_after_forward = plan.reshard_after_forward};
}

/// By divide_layers().
Plan stage_settings(const Plan& plan) {
  return {.pipeline_parallel = plan.pipeline_parallel,
          .schedule = plan.schedule,
          .virtual_stages = plan.virtual_stages};
}

/// By kept_by_kinds().
Plan kept_settings(const Plan& plan) {
  return {.tensor_parallel = plan.tensor_parallel,
          .sequence_parallel = plan.sequence_parallel,
          .context_parallel = plan.context_parallel,
          .ulysses_degree = plan.ulysses_degree,
          .expert_parallel = plan.expert_parallel,
          .expert_tensor_parallel = plan.expert_tensor_parallel,
          .micro_batch = plan.micro_batch,
          .dtype = plan.dtype,
          .param_dtype = plan.param_dtype,
          .recompute = plan.recompute};
}

/// By costs of blocks.
Plan block_settings(const Plan& plan) {
  const bool splits = splits_backward(plan.schedule);
  return {.gpus = plan.gpus,
          .tensor_parallel = plan.tensor_parallel,
          .sequence_parallel = plan.sequence_parallel,
          .async_tensor_parallel = plan.async_tensor_parallel,
          .pipeline_parallel = plan.pipeline_parallel,
          .schedule = traits(plan.schedule).runs_pairs ? Schedule::dualpipev
                      : splits                         ? Schedule::zb_h1
                                                       : Schedule::one_f_one_b,
          .context_parallel = plan.context_parallel,
          .ulysses_degree = plan.ulysses_degree,
          .context_exchange = plan.context_exchange,
          .context_load_balance = plan.context_load_balance,
          .expert_parallel = plan.expert_parallel,
          .expert_tensor_parallel = plan.expert_tensor_parallel,
          .expert_dispatch = plan.expert_dispatch,
          .expert_overlap = plan.expert_overlap,
          .expert_storage = plan.expert_storage,
          .expert_cache_thousandths = plan.expert_cache_thousandths,
          .expert_prefetch = plan.expert_prefetch,
          .micro_batch = plan.micro_batch,
          .dtype = plan.dtype,
          .param_dtype = plan.param_dtype,
          .recompute = recomputes_whole_layers(plan) ? Recompute::full : plan.recompute,
          .compile = plan.compile,
          .quantize_base = plan.quantize_base};
}

void drop_dispatch(Plan& plan) {
  plan.expert_dispatch = defaults.expert_dispatch;
  plan.expert_overlap = defaults.expert_overlap;
}

void drop_experts(Plan& plan) {
  drop_dispatch(plan);
  plan.expert_parallel = defaults.expert_parallel;
  plan.expert_tensor_parallel = defaults.expert_tensor_parallel;
  plan.expert_storage = defaults.expert_storage;
  plan.expert_cache_thousandths = defaults.expert_cache_thousandths;
  plan.expert_prefetch = defaults.expert_prefetch;
}

/// Of block_settings, by one pass over a layer: tokens travel forward and backward alone, and where
/// a forward pass runs again.
Plan pass_settings(const Plan& plan, FeedForward ffn, LayerPass pass) {
  Plan read = plan;
  const bool runs_again = pass == LayerPass::recompute && recomputes_whole_layers(plan);
  const bool dispatches = pass != LayerPass::weight_gradients && pass != LayerPass::recompute;
  if (ffn != FeedForward::experts) drop_experts(read);
  if (!dispatches && !runs_again) drop_dispatch(read);
  if (pass != LayerPass::recompute) read.recompute = defaults.recompute;
  if (pass == LayerPass::forward || pass == LayerPass::recompute) read.schedule = defaults.schedule;
  const bool splits = splits_backward(plan.schedule);
  if (pass == LayerPass::backward && splits) read.schedule = Schedule::zb_h1;
  if (pass == LayerPass::weight_gradients) read.schedule = Schedule::zb_h1;
  return read;
}

/// And by blocks outside the layers.
Plan end_settings(const Plan& plan) {
  Plan read = plan;
  drop_experts(read);
  read.schedule = defaults.schedule;
  read.recompute = defaults.recompute;
  return read;
}

/// By collectives over weights: mesh, stages, and what a parameter weighs.
Plan weight_settings(const Plan& plan) {
  Plan read = mesh_settings(plan);
  read.schedule = plan.schedule;
  read.virtual_stages = plan.virtual_stages;
  read.wrap = plan.wrap;
  read.param_dtype = plan.param_dtype;
  read.reduce_dtype = plan.reduce_dtype;
  read.quantize_base = plan.quantize_base;
  return read;
}

// Rows of the tables, as powers of two.

/// Of whole plans, which come again only where a space is walked in order: as many as its innermost
/// parameters have combinations, few enough to stay in the caches of a core.
constexpr unsigned of_plans = 9;
// Of parts, as many as a space has of them, which plans drawn at random share, too:
constexpr unsigned of_weights = 14;
constexpr unsigned of_passes = 14;
constexpr unsigned of_ends = 9;
constexpr unsigned of_meshes = 11;
constexpr unsigned of_stages = 6;
constexpr unsigned of_kept = 9;
// Put together from those, for walks in order:
constexpr unsigned of_blocks = 5;

/// Whether those among which layers communicate are the same.
bool layers_lie_alike(const DeviceMesh& a, const DeviceMesh& b) {
  return a.tensor == b.tensor && a.context == b.context && a.context_heads == b.context_heads &&
         a.expert == b.expert && a.expert_node == b.expert_node &&
         a.expert_across == b.expert_across && a.expert_tensor == b.expert_tensor;
}

/// The result of `compute` for `read`, settings that are all that it reads.
template <typename Value, typename Compute>
const Value& remembered(Remembered<PlanKey, Value>& results, const Plan& read, Compute compute) {
  return results.of(PlanKey(read), [&](Value& value) { compute(read, value); });
}

}  // namespace

RepeatedTransformer::RepeatedTransformer(const Transformer& model, const Cluster& cluster,
                                         const Stack& stack, Seconds longest)
    : model_(model),
      kinds_(layer_kinds(model)),
      stack_(stack),
      longest_(longest),
      gpus_(cluster.gpus),
      cluster_(cluster),
      stragglers_(straggler_share(cluster)),
      rooms_(of_plans),
      times_(of_plans),
      blocks_(of_blocks),
      passes_(of_passes),
      ends_(of_ends),
      weights_(of_weights),
      kept_(of_kept),
      meshes_(of_meshes),
      stages_(of_stages) {}

StepVerdict RepeatedTransformer::evaluate(const Plan& plan) {
  take_gpus(plan);
  bool is_lowered = false;  // for both parts, once
  const auto lower_once = [&] {
    if (!is_lowered) lower_stages(plan, program_);
    is_lowered = true;
  };
  const Room& fits = remembered(rooms_, memory_settings(plan), [&](const Plan& read, Room& value) {
    value = {.status = StepStatus::invalid};
    if (check(read, model_, cluster_)) return;
    lower_once();
    value = room(read);
  });
  if (fits.status != StepStatus::ok) return {.status = fits.status};
  const Time& taken = remembered(times_, time_settings(plan), [&](const Plan& read, Time& value) {
    lower_once();
    value = time(read);
  });
  return {.status = StepStatus::ok,
          .step = fits.retries == 0.0 ? taken.step : step(taken.bare, plan, fits.retries)};
}

/// Settings that are looked up hold the GPU count too, so what is remembered of others stays.
void RepeatedTransformer::take_gpus(const Plan& plan) {
  const int gpus = plan.gpus > 0 ? static_cast<int>(plan.gpus) : gpus_;
  if (gpus == cluster_.gpus) return;
  cluster_.gpus = gpus;
  stragglers_ = straggler_share(cluster_);
}

RepeatedTransformer::Room RepeatedTransformer::room(const Plan& plan) {
  const KeptByKinds& kept_by = kept(plan);
  MemoryReport memory;
  memory.capacity = allocator_capacity(cluster_.device, communicators(program_.mesh, plan), stack_);
  for (const StageRun& run : program_.runs) {
    AliveBytes alive;
    add_alive_weights(model_, plan, stack_, program_, run, alive);
    // Nothing else matters where these alone are too much from the start.
    if (start_demand(alive, stack_) > memory.capacity) return {.status = StepStatus::oom_init};
    add_alive_activations(model_, plan, stack_, program_, run, kept_by, alive);
    memory.demand_at_start = max(memory.demand_at_start, start_demand(alive, stack_));
    memory.demand = max(memory.demand, peak_bytes(alive, stack_));
  }
  const StepStatus status = status_of(memory);
  return {.status = status, .retries = status == StepStatus::ok ? retry_share(memory) : 0.0};
}

RepeatedTransformer::Time RepeatedTransformer::time(const Plan& plan) {
  const BlockCosts& costs = blocks(plan);
  if (const Seconds least = least_step(program_, costs, plan); least > longest_) {
    BareStep some;  // to which delays are added as to any
    some.total = least;
    some.slowest[StepPart::gemm] = least;
    return {.bare = some, .step = least};
  }
  const BareStep bare = bare_step(program_, costs, weights(plan), {cluster_, stack_, plan});
  return {.bare = bare, .step = step(bare, plan, 0.0)};
}

Seconds RepeatedTransformer::step(const BareStep& bare, const Plan& plan, double retries) const {
  return delayed(bare, plan.pipeline_parallel > 1, retries, stragglers_).total();
}

/// All of the program but its blocks and allocations.
void RepeatedTransformer::lower_stages(const Plan& plan, StepProgram& program) {
  program.mesh = mesh(plan).mesh;
  program.runs =
      remembered(stages_, stage_settings(plan), [&](const Plan& read, std::vector<StageRun>& runs) {
        divide_layers(model_, read, stack_, runs);
      });
  lower_weights(model_, plan, cluster_, stack_, program);
}

const RepeatedTransformer::Mesh& RepeatedTransformer::mesh(const Plan& plan) {
  return remembered(meshes_, mesh_settings(plan), [&](const Plan& read, Mesh& value) {
    Plan one_stage = read;
    one_stage.pipeline_parallel = 1;
    value.mesh = mesh_of(model_, read, cluster_, stack_);
    value.lies_as_one_stage =
        layers_lie_alike(value.mesh, mesh_of(model_, one_stage, cluster_, stack_));
  });
}

const KeptByKinds& RepeatedTransformer::kept(const Plan& plan) {
  return remembered(kept_, kept_settings(plan), [&](const Plan& read, KeptByKinds& value) {
    value = kept_by_kinds(model_, read, stack_);
  });
}

const BlockCosts& RepeatedTransformer::blocks(const Plan& plan) {
  Plan laid = plan;  // of the pipeline they read the groups of ranks alone
  if (mesh(plan).lies_as_one_stage) laid.pipeline_parallel = 1;
  return remembered(blocks_, block_settings(laid), [&](const Plan& read, BlockCosts& value) {
    for (std::size_t kind = 0; kind < kinds_.count; ++kind) {
      for (const LayerPass one : layer_passes) {
        of_pass(value.layers[kind], one) = has_pass(read, one) ? pass(read, kind, one) : StepCost{};
      }
    }
    const EndCosts& outside = ends(read);
    value.embedding = outside.embedding;
    value.head = outside.head;
    value.prediction = outside.prediction;
  });
}

const StepCost& RepeatedTransformer::pass(const Plan& plan, std::size_t kind, LayerPass pass) {
  const LayerKind& layer = kinds_.list[kind];
  const Plan read = pass_settings(plan, layer.ffn, pass);
  const PassKey key{PlanKey(read), 1 + kind + layer_kinds_max * static_cast<std::size_t>(pass)};
  return passes_.of(key, [&](StepCost& value) {
    part_.mesh = mesh(read).mesh;
    part_.operations.clear();
    const Block block = lower_pass(model_, read, stack_, layer, pass, part_);
    value = block_cost(part_, block, {cluster_, stack_, read});
  });
}

const RepeatedTransformer::EndCosts& RepeatedTransformer::ends(const Plan& plan) {
  return remembered(ends_, end_settings(plan), [&](const Plan& read, EndCosts& value) {
    const StepContext on{cluster_, stack_, read};
    part_.mesh = mesh(read).mesh;
    part_.operations.clear();
    lower_ends(model_, read, stack_, part_);
    value = {.embedding = block_cost(part_, part_.blocks.embedding, on),
             .head = block_cost(part_, part_.blocks.head, on),
             .prediction = block_cost(part_, part_.blocks.prediction, on)};
  });
}

/// Of all runs.
const std::vector<WeightCost>& RepeatedTransformer::weights(const Plan& plan) {
  return remembered(weights_, weight_settings(plan),
                    [&](const Plan& read, std::vector<WeightCost>& value) {
                      lower_stages(read, part_);
                      value.clear();
                      for (const StageRun& run : part_.runs) {
                        value.push_back(weight_cost(part_, run, cluster_, stack_));
                      }
                    });
}

}  // namespace cubicbench::sim
