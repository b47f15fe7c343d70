#include <algorithm>
#include <cmath>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/engine/event/block_times.h"
#include "sim/engine/event/script_writer.h"
#include "sim/engine/event/weight_script.h"
#include "sim/engine/operation_time.h"
#include "sim/plan/pass_source.h"
#include "sim/plan/pipeline_order.h"
#include "sim/plan/pipeline_schedule.h"

namespace cubicbench::sim {
namespace {

/// Rows of the program's blocks in the script.
using BlockRows = PerBlock<std::uint16_t>;
using LayerRows = LayerPasses<std::uint16_t>;

PerBlock<const char*> block_names(const Transformer& model) {
  constexpr LayerPasses<const char*> dense{"forward", "recompute", "backward", "weight gradients",
                                           "forward and backward"};
  constexpr LayerPasses<const char*> experts{"expert forward", "expert recompute",
                                             "expert backward", "expert gradients",
                                             "expert forward and backward"};
  PerBlock<const char*> names{.embedding = "embedding", .head = "head", .prediction = "prediction"};
  const LayerKinds kinds = layer_kinds(model);
  for (std::size_t kind = 0; kind < kinds.count; ++kind) {
    names.layers[kind] = kinds.list[kind].ffn == FeedForward::experts ? experts : dense;
  }
  return names;
}

/// The row of `share` of a block; adds it where it is new.
std::uint16_t share_of_block(StepScript& step, std::uint16_t whole, double share) {
  if (share == 1.0) return whole;
  for (std::size_t i = 0; i < step.blocks.size(); ++i) {
    if (step.blocks[i].of == whole && step.blocks[i].share == share) {
      return static_cast<std::uint16_t>(i);
    }
  }
  step.blocks.push_back(part_of(step.blocks[whole], whole, share));
  SIM_ASSERT(step.blocks.size() <= 65'536, step.blocks.size());
  return static_cast<std::uint16_t>(step.blocks.size() - 1);
}

/// The run that stage `stage` belongs to.
const StageRun& run_of(const StepProgram& program, std::int64_t stage) {
  const auto after = std::ranges::upper_bound(program.runs, stage, {}, &StageRun::first);
  return *std::prev(after);
}

/// Live tensors of a rank of the stages of `run`; their activations grow with the passes in flight,
/// unless they go to the host.
StageBytes bytes_of(const StepProgram& program, const StageRun& run, const Plan& plan) {
  const auto micro_batches = static_cast<std::int64_t>(program.micro_batches);
  const double passes = std::nearbyint(in_flight(plan, micro_batches, run.first) * program.chunks);
  for (const Holder& holder : program.allocations.holders()) {
    if (holder.first != run.first) continue;
    return stage_bytes(program.allocations.of(holder), offloads_activations(plan) ? 0.0 : passes);
  }
  return {};
}

/// Writes what one stage does.
class StageWriter : ScriptWriter {
 public:
  StageWriter(const StepProgram& program, const Transformer& model, const StageRun& run,
              std::int64_t stage, const Plan& plan, const Cluster& cluster, const Stack& stack,
              const BlockRows& rows, StepScript& step)
      : ScriptWriter(step, step.stages.emplace_back()),
        program_(program),
        rows_(rows),
        run_(run),
        stage_(stage),
        plan_(plan),
        cluster_(cluster),
        stack_(stack),
        chunks_(static_cast<std::int64_t>(program.chunks)),
        pieces_(chunk_pieces(program, model, run, stage, plan, stack)),
        weights_(stage_weights(program.weights, program.expert_weights, stack)),
        reductions_(stage_weights(only_reductions(program.weights),
                                  only_reductions(program.expert_weights), stack)) {}

  void write() {
    const auto micro_batches = static_cast<std::int64_t>(program_.micro_batches);
    at(Moment::startup);
    weights_.begin_step();
    const std::vector<PipelinePass> order = pipeline_order(plan_, micro_batches, stage_);
    const std::size_t last = last_backward(order);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == last) begin_stored_update();
      if (splits_backward(plan_.schedule)) {
        const bool together = order[i].beside_next && !program_.weights.in_units;
        if (together && i + 1 == last) begin_stored_update();
        together ? pair(order[i], order[i + 1]) : split_pass(order[i]);
        i += together ? 1 : 0;
      } else {
        order[i].kind == PassKind::forward ? forward(order[i]) : backward(order[i], micro_batches);
      }
    }
    update();
  }

 private:
  /// Of layers, or of their experts, which are gathered and reduced with them over other groups.
  WeightPlan weight_plan(const WeightTraffic& traffic, bool of_experts) const {
    const auto chunk = static_cast<std::int64_t>(std::ceil(run_.layers / program_.chunks));
    const WeightUnits& weights = of_experts ? run_.expert_weights : run_.weights;
    const double layers = of_experts ? run_.expert_weights.layers : run_.layers;
    const double parameters = weights.parameters - weights.end_parameters;
    return {.traffic = traffic,
            .weights = weights,
            .groups = of_experts ? program_.mesh.expert_weights : program_.mesh.weights,
            .roles = of_experts ? expert_weight_roles : WeightRoles{},
            .layer_parameters = layers > 0.0 ? parameters / layers : 0.0,
            .wrap = std::clamp<std::int64_t>(plan_.wrap, 1, std::max<std::int64_t>(1, chunk)),
            .chunks = of_experts ? pieces_.experts : pieces_.layers,
            .ends_chunk = run_.has_head ? chunks_ - 1 : 0,
            .pipelined = plan_.pipeline_parallel > 1};
  }

  StageWeights stage_weights(const WeightTraffic& layers, const WeightTraffic& experts,
                             const Stack& stack) {
    std::vector<WeightPlan> plans{weight_plan(layers, false)};
    if (run_.expert_weights.parameters > 0.0) plans.push_back(weight_plan(experts, true));
    return {plans, cluster_, stack, step_, script_};
  }

  ChunkPass pass_of(const PipelinePass& pass) const {
    return {.chunk = pass.chunk, .with_ends = pass.chunk == (run_.has_head ? chunks_ - 1 : 0)};
  }

  void forward(const PipelinePass& pass) {
    if (stage_ > 0 || pass.chunk > 0) add(ActionKind::receive, 0);
    begin(pass, PassName::forward);
    run_forward(pass);
    add(ActionKind::end_pass, 0);
    if (stage_ + 1 < plan_.pipeline_parallel || pass.chunk + 1 < chunks_) add(ActionKind::send, 0);
  }

  void backward(const PipelinePass& pass, std::int64_t micro_batches) {
    ChunkPass range = pass_of(pass);
    range.opens = pass.chunk == chunks_ - 1;
    range.closes = pass.chunk == 0;
    range.reduces = program_.weights.schedule.reduces_each_micro_batch() ||
                    pass.micro_batch + 1 == micro_batches;
    const bool last_chunk = pass.chunk + 1 == chunks_;
    if (stage_ + 1 < plan_.pipeline_parallel || !last_chunk) add(ActionKind::receive, 1);
    begin(pass, PassName::backward);
    weights_.begin_backward(range);
    layers_backward(pass, [](std::int64_t /*piece*/) {});
    add(ActionKind::release, 0);
    add(ActionKind::end_pass, 1);
    if (stage_ > 0 || pass.chunk > 0) add(ActionKind::send, 1);
    if (range.closes && pass.micro_batch + 1 == micro_batches) await_stored_update();
    weights_.after_backward_pass();
  }

  // Passes of schedules that split the backward pass.

  SplitShape shape() const {
    return split_shape(plan_, static_cast<std::int64_t>(program_.micro_batches));
  }

  /// The edge that carries what leaves a pass, and what arrives for it.
  static std::uint8_t edge_of_pass(const PipelinePass& pass) {
    return static_cast<std::uint8_t>(2 * pass.chunk + (pass.kind == PassKind::forward ? 0 : 1));
  }
  void receive(const PipelinePass& pass) {
    if (source_of(shape(), shape_stage(plan_, stage_), pass).sends) {
      add(ActionKind::receive, edge_of_pass(pass));
    }
  }
  void send(const PipelinePass& pass) {
    if (sends(shape(), shape_stage(plan_, stage_), pass)) add(ActionKind::send, edge_of_pass(pass));
  }

  bool is_last_of_chunk(const PipelinePass& pass) const {
    const std::int64_t passes = shape().micro_batches;
    return pass.micro_batch % passes + 1 == passes;
  }

  /// Of passes with gradients of weights.
  ChunkPass reduced_pass(const PipelinePass& pass) {
    ChunkPass range = pass_of(pass);
    const bool last = is_last_of_chunk(pass);
    range.reduces = program_.weights.schedule.reduces_each_micro_batch() || last;
    range.opens = last && chunks_reduced_ == 0;
    if (last) ++chunks_reduced_;
    range.closes = last && chunks_reduced_ == chunks_;
    return range;
  }

  /// Nothing is received or sent for gradients of weights.
  void split_pass(const PipelinePass& pass) {
    const bool of_weights = pass.kind == PassKind::backward_weights;
    const PassName name = pass.kind == PassKind::forward ? PassName::forward
                          : of_weights                   ? PassName::weight_gradients
                                                         : PassName::backward;
    receive(pass);
    begin(pass, name);
    if (pass.kind == PassKind::forward) {
      run_forward(pass);
    } else if (of_weights) {
      weight_gradients(pass);
      add(ActionKind::release, 0);
    } else {
      input_gradients(pass, pass.kind == PassKind::backward);
    }
    add(ActionKind::end_pass, static_cast<std::uint8_t>(name));
    send(pass);
    if (of_weights || pass.kind == PassKind::backward) reductions_.after_backward_pass();
  }

  void begin_forward(const PipelinePass& pass) {
    at(Moment::forward);
    add(ActionKind::keep, 0);
    if (run_.has_embedding && pass.chunk == 0) add_block(rows_.embedding);
  }

  void run_forward(const PipelinePass& pass) {
    ChunkPass range = pass_of(pass);
    range.opens = pass.micro_batch % shape().micro_batches == 0;
    range.closes = pass.chunk == chunks_ - 1;
    begin_forward(pass);
    weights_.begin_forward(range);
    for (std::int64_t piece = 0; piece < pieces_in(pass.chunk); ++piece) {
      weights_.before_forward(piece);
      layer(&LayerRows::forward, pass.chunk, piece);
    }
    weights_.end_forward();
  }

  void begin_input_gradients(const PipelinePass& pass) {
    if (run_.has_head && pass.chunk + 1 == chunks_) {
      at(Moment::loss);
      head();
    }
    at(Moment::backward);
  }

  void recompute(const PipelinePass& pass, std::int64_t piece) {
    if (is_recomputed(plan_, layer_of(pass.chunk, piece))) {
      layer(&LayerRows::recompute, pass.chunk, piece);
    }
  }

  /// The layers of a chunk from its end; `after` is told of each piece behind its backward.
  template <class After>
  void layers_backward(const PipelinePass& pass, const After& after) {
    begin_input_gradients(pass);
    for (std::int64_t piece = pieces_in(pass.chunk) - 1; piece >= 0; --piece) {
      weights_.before_backward(piece);
      recompute(pass, piece);
      layer(&LayerRows::backward, pass.chunk, piece);
      weights_.after_backward(piece);
      after(piece);
    }
    weights_.end_backward();
  }

  /// Gradients of the chunk's input and, in a whole backward pass, of its weights.
  void input_gradients(const PipelinePass& pass, bool whole) {
    weights_.begin_backward(pass_of(pass));
    if (whole) reductions_.begin_backward(reduced_pass(pass));
    layers_backward(pass, [&](std::int64_t piece) {
      if (whole) layer_gradients(pass, piece);
    });
    if (!whole) return;
    reductions_.end_backward();
    add(ActionKind::release, 0);
  }

  void layer_gradients(const PipelinePass& pass, std::int64_t piece) {
    reductions_.before_backward(piece);
    layer(&LayerRows::weight_gradients, pass.chunk, piece);
    reductions_.after_backward(piece);
  }

  void weight_gradients(const PipelinePass& pass) {
    reductions_.begin_backward(reduced_pass(pass));
    at(Moment::backward);
    for (std::int64_t piece = pieces_in(pass.chunk) - 1; piece >= 0; --piece) {
      layer_gradients(pass, piece);
    }
    reductions_.end_backward();
  }

  /// Those in a chunk.
  std::int64_t layers_of(std::size_t kind, std::int64_t chunk) const {
    const std::vector<LayerPieces>& chunks = pieces_.kinds[kind];
    if (chunks.empty()) return 0;
    return std::ranges::count_if(chunks[static_cast<std::size_t>(chunk)],
                                 [](double share) { return share > 0.0; });
  }

  /// Two passes at once: layers of one kind run beside each other as far as there are.
  void pair(const PipelinePass& forward, const PipelinePass& backward) {
    receive(forward);
    receive(backward);
    begin(forward, PassName::pair);
    reductions_.begin_backward(reduced_pass(backward));
    begin_forward(forward);
    begin_input_gradients(backward);
    for (std::int64_t piece = pieces_in(backward.chunk) - 1; piece >= 0; --piece) {
      recompute(backward, piece);
    }
    for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
      const LayerRows& rows = rows_.layers[kind];
      const std::int64_t ahead = layers_of(kind, forward.chunk);
      const std::int64_t back = layers_of(kind, backward.chunk);
      for (std::int64_t i = 0; i < std::min(ahead, back); ++i) add_block(rows.pair);
      for (std::int64_t i = back; i < ahead; ++i) add_block(rows.forward);
      for (std::int64_t i = ahead; i < back; ++i) {
        add_block(rows.backward);
        add_block(rows.weight_gradients);
      }
    }
    add(ActionKind::release, 0);
    add(ActionKind::end_pass, static_cast<std::uint8_t>(PassName::pair));
    send(forward);
    send(backward);
    reductions_.after_backward_pass();
  }

  std::int64_t pieces_in(std::int64_t chunk) const {
    return static_cast<std::int64_t>(pieces_.layers[static_cast<std::size_t>(chunk)].size());
  }

  /// Which layer of the stage a piece belongs to.
  std::int64_t layer_of(std::int64_t chunk, std::int64_t piece) const {
    if (splits_backward(plan_.schedule)) return (chunk == 0 ? 0 : pieces_in(0)) + piece;
    return chunk * static_cast<std::int64_t>(run_.layers) / chunks_ + piece;
  }

  void begin(const PipelinePass& pass, PassName name) {
    micro_batch_ = pass.micro_batch;
    add(ActionKind::begin_pass, static_cast<std::uint8_t>(name));
  }

  /// The loss of the last layer, and that of every prediction layer with what it computes besides.
  void head() {
    add_block(rows_.head);
    for (double passes = 1.0; passes < run_.head_passes; passes += 1.0) {
      add_block(rows_.prediction);
      add_block(rows_.head);
    }
  }

  /// A pass over a piece: over what of it is of one kind, then over what is of the next.
  void layer(std::uint16_t LayerRows::*pass, std::int64_t chunk, std::int64_t piece) {
    for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
      const std::vector<LayerPieces>& chunks = pieces_.kinds[kind];
      if (chunks.empty()) continue;
      const double share = chunks[static_cast<std::size_t>(chunk)][static_cast<std::size_t>(piece)];
      if (share <= 0.0) continue;
      add_block(share_of_block(step_, rows_.layers[kind].*pass, share), layer_of(chunk, piece));
    }
  }

  void update() {
    const Seconds time = update_time(program_, run_, cluster_, stack_);
    micro_batch_ = -1;
    at(Moment::optimizer_step);
    add(ActionKind::begin_pass, 2);
    pause({.name = "optimizer", .time = to_sim_time(time)});
    if (stores_experts()) end_stored_update();
    add(ActionKind::end_pass, 2);
  }

  bool stores_experts() const {
    return program_.expert_host_bytes > 0.0 && run_.expert_weights.parameters > 0.0;
  }

  /// Place of the last backward pass to begin with the last chunk.
  std::size_t last_backward(const std::vector<PipelinePass>& order) const {
    std::size_t last = order.size();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool goes_back =
          order[i].kind == PassKind::backward || order[i].kind == PassKind::backward_input;
      if (goes_back && order[i].chunk + 1 == chunks_) last = i;
    }
    return last;
  }

  /// Experts that are stored outside of the device are updated by the host; with prefetch layer by
  /// layer as gradients arrive, beside the last backward pass [docs/models.md, Eq. X-9].
  void begin_stored_update() {
    if (!stores_experts() || !plan_.expert_prefetch) return;
    issue(AsyncStream::storage, "update of stored experts", Role::expert,
          {.latency = stored_update()});
  }

  void await_stored_update() {
    if (stores_experts() && plan_.expert_prefetch) await(AsyncStream::storage);
  }

  void end_stored_update() {
    if (plan_.expert_prefetch) return await_stored_update();
    pause({.name = "update of stored experts",
           .time = stored_update(),
           .part = StepPart::expert_storage});
  }

  SimTime stored_update() const {
    return to_sim_time(stored_update_time(program_, run_, cluster_.device));
  }

  const StepProgram& program_;
  const BlockRows& rows_;
  const StageRun& run_;
  std::int64_t stage_;
  const Plan& plan_;
  const Cluster& cluster_;
  const Stack& stack_;
  std::int64_t chunks_;
  ChunkPieces pieces_;
  StageWeights weights_;
  StageWeights reductions_;  ///< behind gradients of weights that are passes of their own
  std::int64_t chunks_reduced_ = 0;
};

}  // namespace

StepScript transformer_script(const StepProgram& program, const Transformer& model,
                              const Plan& plan, const Cluster& cluster, const Stack& stack,
                              const MemoryReport& memory) {
  StepScript step;
  const BlockPlace place{plan, cluster, stack, program.mesh};
  BlockRows rows;
  const auto add = [&](const Block& block, const char* name, std::uint16_t& row) {
    row = static_cast<std::uint16_t>(step.blocks.size());
    step.blocks.push_back(block_times(name, block, program.operations, place));
  };
  const PerBlock<const char*> names = block_names(model);
  for_each_block(add, program.blocks, names, rows);
  step.messages.fill(transfer(Collective::send_receive, program.boundary, 1.0,
                              program.mesh.pipeline, cluster.network));
  step.steps_overlap = traits(plan.schedule).steps_overlap;
  step.send_blocks = part_of(step.messages[0], 1.0 - stack.pipeline_overlap).alone();
  const bool slows = program.weights.in_units || counts_kernels(stack);
  step.overlap_cost = slows ? stack.overlap_cost : 0.0;
  step.host_smoothness = stack.host_smoothness;
  step.retry_share = retry_share(memory);
  step.stages.reserve(static_cast<std::size_t>(plan.pipeline_parallel));
  for (std::int64_t stage = 0; stage < plan.pipeline_parallel; ++stage) {
    const StageRun& run = run_of(program, stage);
    StageWriter(program, model, run, stage, plan, cluster, stack, rows, step).write();
    step.stages.back().bytes = bytes_of(program, run, plan);
    step.stages.back().pass_copy =
        to_sim_time((run.offloaded / program.chunks) / cluster.device.host_bandwidth);
  }
  return step;
}

}  // namespace cubicbench::sim
