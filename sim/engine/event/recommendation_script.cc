#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/engine/event/block_times.h"
#include "sim/engine/event/script_writer.h"
#include "sim/engine/event/weight_script.h"
#include "sim/engine/operation_time.h"
#include "sim/kernels/kernels.h"

namespace cubicbench::sim {
namespace {

/// One module group: its blocks and its weights.
struct ArchWriter {
  ModuleGroup group;
  const ArchRun& run;
  StageWeights weights;
  std::uint8_t entry_forward;  ///< row of the block
  LayerPasses<std::uint8_t> layer;
  std::uint8_t entry_backward;

  std::int64_t layers() const { return static_cast<std::int64_t>(run.layers); }
};

class StepWriter : ScriptWriter {
 public:
  StepWriter(const RecommendationProgram& program, const Plan& plan, const Cluster& cluster,
             const Stack& stack, StepScript& step)
      : ScriptWriter(step, step.stages.emplace_back()),
        program_(program),
        plan_(plan),
        cluster_(cluster),
        stack_(stack),
        place_{plan, cluster, stack, alone_},
        lookup_(embedding_block("lookup", EmbeddingBlock::lookup)),
        update_(embedding_block("embedding update", EmbeddingBlock::update)) {
    archs_.reserve(module_group_count);
    for (std::size_t i = 0; i < module_group_count; ++i) {
      const auto group = static_cast<ModuleGroup>(i);
      if (program[group].layers > 0.0) archs_.push_back(arch_writer(group));
    }
  }

  /// Pooled rows travel beside the dense arch, which needs none of them; the others wait for both.
  void write() {
    add(ActionKind::begin_pass, 2);
    at(Moment::startup);
    begin_input();
    at(Moment::embedding_forward);
    pause_for(EmbeddingBlock::fetch, "rows from host memory");
    add_block(lookup_);
    archs_.front().weights.begin_step();
    exchange(EmbeddingBlock::exchange_forward, "pooled rows");
    at(Moment::forward);
    for (ArchWriter& arch : archs_) {
      const bool is_first = &arch == &archs_.front();
      // What an arch gathers once a step hides under its own pass: one behind the other's would
      // not.
      if (!is_first) arch.weights.begin_step();
      forward(arch);
      if (is_first) await(AsyncStream::exchange);
    }
    at(Moment::backward);
    for (std::size_t i = archs_.size(); i-- > 0;) {
      if (i == 0) exchange(EmbeddingBlock::exchange_backward, "gradients of pooled rows");
      backward(archs_[i]);
    }
    await(AsyncStream::exchange);
    at(Moment::embedding_backward);
    add_block(update_);
    pause_for(EmbeddingBlock::average, "copies from host memory");
    exchange(EmbeddingBlock::average, "average of the copies");
    await(AsyncStream::exchange);
    at(Moment::optimizer_step);
    for (const ArchWriter& arch : archs_) update(arch);
    await(AsyncStream::input);
    add(ActionKind::end_pass, 2);
  }

 private:
  std::uint8_t new_block(const char* name, const Block& block) {
    step_.blocks.push_back(block_times(name, block, program_.operations, place_));
    return static_cast<std::uint8_t>(step_.blocks.size() - 1);
  }

  std::uint8_t embedding_block(const char* name, EmbeddingBlock id) {
    return new_block(name, program_[id]);
  }

  ArchWriter arch_writer(ModuleGroup group) {
    const ArchRun& run = program_[group];
    const double layers = run.weights.parameters - run.weights.end_parameters;
    const WeightPlan weights{
        .traffic = run.traffic,
        .weights = run.weights,
        .groups = run.groups,
        .roles = weight_roles(group),
        .layer_parameters = run.layers > 0.0 ? layers / run.layers : 0.0,
        .wrap = std::clamp<std::int64_t>(
            plan_.wrap, 1, std::max<std::int64_t>(1, static_cast<std::int64_t>(run.layers))),
        .chunks = {LayerPieces(static_cast<std::size_t>(run.layers), 1.0)},
        .pipelined = group != ModuleGroup::over};
    return {group,
            run,
            StageWeights({weights}, cluster_, stack_, step_, script_),
            new_block("entry", run.entry_forward),
            {.forward = new_block("forward", run.layer.forward),
             .recompute = new_block("recompute", run.layer.recompute),
             .backward = new_block("backward", run.layer.backward)},
            new_block("entry backward", run.entry_backward)};
  }

  void forward(ArchWriter& arch) {
    arch.weights.begin_forward({.with_ends = true, .opens = true, .closes = true});
    add_block(arch.entry_forward);
    for (std::int64_t layer = 0; layer < arch.layers(); ++layer) {
      arch.weights.before_forward(layer);
      add_block(arch.layer.forward, layer);
    }
    arch.weights.end_forward();
  }

  void backward(ArchWriter& arch) {
    arch.weights.begin_backward(
        {.with_ends = true, .opens = true, .closes = true, .reduces = true});
    for (std::int64_t layer = arch.layers() - 1; layer >= 0; --layer) {
      arch.weights.before_backward(layer);
      if (is_recomputed(plan_, layer)) add_block(arch.layer.recompute, layer);
      add_block(arch.layer.backward, layer);
      arch.weights.after_backward(layer);
    }
    add_block(arch.entry_backward);
    arch.weights.end_backward();
    arch.weights.after_backward_pass();
  }

  void update(const ArchWriter& arch) {
    constexpr std::array<const char*, module_group_count> names{
        "dense optimizer", "sequence optimizer", "interaction optimizer", "over optimizer"};
    const char* const name = names[static_cast<std::size_t>(arch.group)];
    const Bytes streamed{program_.optimizer_bytes_per_parameter * arch.run.weights.parameters /
                         arch.run.optimizer_shards};
    pause({.name = name, .time = to_sim_time(memory_bound_time(cluster_.device, streamed))});
  }

  static Role role_of(Stream stream) {
    return stream == Stream::embedding_node     ? Role::exchange_node
           : stream == Stream::embedding_world  ? Role::exchange_world
           : stream == Stream::embedding_copies ? Role::exchange_copies
                                                : Role::exchange;
  }

  void exchange(EmbeddingBlock id, const char* name) {
    for (const Operation& op : operations_in(program_[id], program_.operations)) {
      if (op.kind == OperationKind::host_copy) continue;
      issue(AsyncStream::exchange, name, role_of(op.stream),
            transfer(op, program_.group_of(op.stream), cluster_.network));
    }
  }

  /// The rank stands still for what comes over the host link.
  void pause_for(EmbeddingBlock id, const char* name) {
    for (const Operation& op : operations_in(program_[id], program_.operations)) {
      if (op.kind != OperationKind::host_copy) continue;
      pause({.name = name,
             .time = to_sim_time(kernel_time(op, cluster_.device, stack_)),
             .part = op.part});
    }
  }

  /// The batch of this step is waited for, or that of the next one is fetched beside this step
  /// [TorchRec, train pipelines].
  void begin_input() {
    begin_input(EmbeddingBlock::input, "copy of the batch");
    begin_input(EmbeddingBlock::ahead, "next batch's rows");
  }

  void begin_input(EmbeddingBlock id, const char* name) {
    for (const Operation& op : operations_in(program_[id], program_.operations)) {
      if (op.kind != OperationKind::all_to_all) {
        const SimTime time = to_sim_time(kernel_time(op, cluster_.device, stack_));
        issue(AsyncStream::input, name, Role::input, {.latency = time});
        if (plan_.input_pipeline == InputPipeline::none) await(AsyncStream::input);
        continue;
      }
      // Ids go after their copy where both belong to the next batch, else on their own.
      const bool next_batch = plan_.input_pipeline == InputPipeline::pipelined;
      const AsyncStream stream = next_batch ? AsyncStream::input : AsyncStream::exchange;
      issue(stream, "ids to the owners of tables", Role::input,
            transfer(op, program_.tables, cluster_.network));
      if (!next_batch) await(stream);
    }
  }

  const RecommendationProgram& program_;
  const Plan& plan_;
  const Cluster& cluster_;
  const Stack& stack_;
  DeviceMesh alone_;
  BlockPlace place_;
  std::uint8_t lookup_;
  std::uint8_t update_;
  std::vector<ArchWriter> archs_;
};

}  // namespace

StepScript recommendation_script(const RecommendationProgram& program, const Plan& plan,
                                 const Cluster& cluster, const Stack& stack,
                                 const MemoryReport& memory) {
  StepScript step;
  StepWriter(program, plan, cluster, stack, step).write();
  const bool in_units = std::ranges::any_of(
      program.archs, [](const ArchRun& run) { return run.layers > 0.0 && run.traffic.in_units; });
  step.overlap_cost = in_units ? stack.overlap_cost : 0.0;
  step.host_smoothness = stack.host_smoothness;
  step.retry_share = retry_share(memory);
  const AllocationTable& table = program.allocations;
  for (const Holder& holder : table.holders()) {
    if (holder.first == memory.stage) {
      step.stages.front().bytes = stage_bytes(table.of(holder), 0.0);
    }
  }
  return step;
}

}  // namespace cubicbench::sim
