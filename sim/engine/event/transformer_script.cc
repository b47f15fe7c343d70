#include "sim/engine/event/transformer_script.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/real.h"
#include "sim/engine/event/block_times.h"
#include "sim/engine/event/expert_pieces.h"
#include "sim/engine/event/stage_weights.h"
#include "sim/engine/event/transfer_time.h"
#include "sim/engine/event/weight_script.h"
#include "sim/kernels/memory_bound.h"
#include "sim/memory/slow_zone.h"
#include "sim/plan/pipeline_order.h"
#include "sim/plan/pipeline_schedule.h"

namespace cubicbench::sim {
namespace {

constexpr std::array<const char*, block_count> block_names{
    "forward",
    "recompute",
    "backward",
    "weight gradients",
    "forward and backward",
    "expert forward",
    "expert recompute",
    "expert backward",
    "expert gradients",
    "expert forward and backward",
    "embedding",
    "head",
    "prediction"};

/// Layers of a stage that an end of the model takes the place of: those that other stages have
/// more.
struct Missing {
  std::int64_t first = 0;  ///< of the first chunk, which has the embedding
  std::int64_t last = 0;   ///< of the last chunk, which has the head
};

/// Divides a stage's layers evenly among chunks, those included that are missing. Where they do not
/// divide, which no framework takes, all chunks are of as many equal pieces, each a little less
/// than a layer, so that none of them sets the pace of the others.
std::vector<LayerPieces> pieces_of(std::int64_t layers, const Missing& missing,
                                   std::int64_t chunks) {
  std::vector<LayerPieces> all(static_cast<std::size_t>(chunks));
  // In units of 1 / chunks of a layer: each chunk has `share` of them.
  const std::int64_t share = layers + missing.first + missing.last;
  const std::int64_t begin = std::min(missing.first * chunks, share);
  const std::int64_t end = std::max(share * chunks - missing.last * chunks, begin);
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    const std::int64_t there = std::max<std::int64_t>(
        std::min(end, (chunk + 1) * share) - std::max(begin, chunk * share), 0);
    const std::int64_t pieces = (there + chunks - 1) / chunks;
    all[static_cast<std::size_t>(chunk)].assign(static_cast<std::size_t>(pieces),
                                                real(there) / real(chunks * pieces));
  }
  return all;
}

Missing missing_in(const StepProgram& program, const StageRun& run) {
  double most = 0.0;
  for (const StageRun& other : program.runs) most = std::max(most, other.layers);
  const auto missing = static_cast<std::int64_t>(most - run.layers);
  return {.first = run.has_embedding && !run.has_head ? missing : 0,
          .last = run.has_head && !run.has_embedding ? missing : 0};
}

/// The row of `share` of a block; adds it where it is new.
std::uint8_t share_of_block(StepScript& step, std::uint8_t whole, double share) {
  if (share == 1.0) return whole;
  for (std::size_t i = block_count; i < step.blocks.size(); ++i) {
    if (step.blocks[i].of == whole && step.blocks[i].share == share) {
      return static_cast<std::uint8_t>(i);
    }
  }
  step.blocks.push_back(part_of(step.blocks[whole], whole, share));
  SIM_ASSERT(step.blocks.size() <= 256, step.blocks.size());
  return static_cast<std::uint8_t>(step.blocks.size() - 1);
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

/// Hosts of a block's group: in layers with experts those of all ranks that share them.
std::int64_t waiting_hosts(BlockId id, const DeviceMesh& mesh) {
  const bool experts =
      id >= BlockId::expert_layer_forward && id <= BlockId::expert_layer_weight_gradients;
  return experts ? std::max(mesh.tensor.ranks, mesh.expert.ranks) : mesh.tensor.ranks;
}

/// Writes what one stage does.
class StageWriter {
 public:
  StageWriter(const StepProgram& program, const Transformer& model, const StageRun& run,
              std::int64_t stage, const Plan& plan, const Cluster& cluster, const Stack& stack,
              StepScript& step)
      : program_(program),
        run_(run),
        stage_(stage),
        plan_(plan),
        cluster_(cluster),
        chunks_(static_cast<std::int64_t>(program.chunks)),
        chunk_pieces_(
            pieces_of(static_cast<std::int64_t>(run.layers), missing_in(program, run), chunks_)),
        expert_pieces_(expert_pieces(chunk_pieces_, model, program, stage)),
        step_(step),
        script_(step.stages.emplace_back()),
        weights_(weight_scripts(stack)) {}

  void write() {
    const auto micro_batches = static_cast<std::int64_t>(program_.micro_batches);
    at(Moment::startup);
    weights_.begin_step();
    for (const PipelinePass& pass : pipeline_order(plan_, micro_batches, stage_)) {
      pass.kind == PassKind::forward ? forward(pass) : backward(pass, micro_batches);
    }
    update();
  }

 private:
  WeightPlan weight_plan() const {
    const auto chunk = static_cast<std::int64_t>(std::ceil(run_.layers / program_.chunks));
    const double layers = run_.weights.parameters - run_.weights.end_parameters;
    return {.traffic = program_.weights,
            .weights = run_.weights,
            .groups = program_.mesh.weights,
            .layer_parameters = run_.layers > 0.0 ? layers / run_.layers : 0.0,
            .wrap = std::clamp<std::int64_t>(plan_.wrap, 1, std::max<std::int64_t>(1, chunk)),
            .chunks = chunk_pieces_,
            .ends_chunk = run_.has_head ? chunks_ - 1 : 0,
            .pipelined = plan_.pipeline_parallel > 1};
  }

  /// A layer's experts are gathered and reduced with it, over groups of their own.
  WeightPlan expert_weight_plan() const {
    WeightPlan plan = weight_plan();
    return {.traffic = program_.expert_weights,
            .weights = run_.expert_weights,
            .groups = program_.mesh.expert_weights,
            .roles = expert_weight_roles,
            .layer_parameters = run_.expert_weights.parameters / run_.expert_layers,
            .wrap = plan.wrap,
            .chunks = expert_pieces_,
            .ends_chunk = plan.ends_chunk,
            .pipelined = plan.pipelined};
  }

  StageWeights weight_scripts(const Stack& stack) {
    std::optional<WeightScript> experts;
    if (run_.expert_layers > 0.0) {
      experts.emplace(expert_weight_plan(), cluster_, stack, step_, script_);
    }
    return {WeightScript(weight_plan(), cluster_, stack, step_, script_), std::move(experts)};
  }

  ChunkPass pass_of(const PipelinePass& pass) const {
    return {.chunk = pass.chunk, .with_ends = pass.chunk == (run_.has_head ? chunks_ - 1 : 0)};
  }

  void forward(const PipelinePass& pass) {
    ChunkPass range = pass_of(pass);
    range.opens = pass.micro_batch == 0;
    range.closes = pass.chunk == chunks_ - 1;
    if (stage_ > 0 || pass.chunk > 0) add(ActionKind::receive, 0);
    begin(pass);
    at(Moment::forward);
    add(ActionKind::keep, 0);
    if (run_.has_embedding && pass.chunk == 0) block(BlockId::embedding);
    weights_.begin_forward(range);
    for (std::int64_t piece = 0; piece < pieces_in(pass.chunk); ++piece) {
      weights_.before_forward(piece);
      layer(BlockId::layer_forward, BlockId::expert_layer_forward, pass.chunk, piece);
    }
    weights_.end_forward();
    add(ActionKind::end_pass, 0);
    if (stage_ + 1 < plan_.pipeline_parallel || pass.chunk + 1 < chunks_) add(ActionKind::send, 0);
  }

  void backward(const PipelinePass& pass, std::int64_t micro_batches) {
    ChunkPass range = pass_of(pass);
    range.opens = pass.chunk == chunks_ - 1;
    range.closes = pass.chunk == 0;
    range.reduces =
        program_.weights.reduce_each_micro_batch || pass.micro_batch + 1 == micro_batches;
    const bool last_chunk = pass.chunk + 1 == chunks_;
    if (stage_ + 1 < plan_.pipeline_parallel || !last_chunk) add(ActionKind::receive, 1);
    begin(pass);
    weights_.begin_backward(range);
    if (run_.has_head && last_chunk) {
      at(Moment::loss);
      head();
    }
    at(Moment::backward);
    for (std::int64_t piece = pieces_in(pass.chunk) - 1; piece >= 0; --piece) {
      weights_.before_backward(piece);
      if (is_recomputed(pass.chunk, piece)) {
        layer(BlockId::layer_recompute, BlockId::expert_layer_recompute, pass.chunk, piece);
      }
      layer(BlockId::layer_backward, BlockId::expert_layer_backward, pass.chunk, piece);
      weights_.after_backward(piece);
    }
    weights_.end_backward();
    add(ActionKind::release, 0);
    add(ActionKind::end_pass, 1);
    if (stage_ > 0 || pass.chunk > 0) add(ActionKind::send, 1);
    weights_.after_backward_pass();
  }

  std::int64_t pieces_in(std::int64_t chunk) const {
    return static_cast<std::int64_t>(chunk_pieces_[static_cast<std::size_t>(chunk)].size());
  }

  /// Which layer of the stage a piece belongs to.
  std::int64_t layer_of(std::int64_t chunk, std::int64_t piece) const {
    return chunk * static_cast<std::int64_t>(run_.layers) / chunks_ + piece;
  }

  bool is_recomputed(std::int64_t chunk, std::int64_t piece) const {
    if (plan_.recompute == Recompute::none) return false;
    return plan_.recompute != Recompute::every_k ||
           (layer_of(chunk, piece) + 1) % plan_.recompute_every == 0;
  }

  void begin(const PipelinePass& pass) {
    micro_batch_ = pass.micro_batch;
    add(ActionKind::begin_pass, pass.kind == PassKind::forward ? 0 : 1);
  }

  void block(BlockId id) { add_block(static_cast<std::uint8_t>(id), -1); }

  /// The loss of the last layer, and that of every prediction layer with what it computes besides.
  void head() {
    block(BlockId::head);
    for (double passes = 1.0; passes < run_.head_passes; passes += 1.0) {
      block(BlockId::prediction);
      block(BlockId::head);
    }
  }

  /// A pass over a piece: over what of it has no experts, then over what has.
  void layer(BlockId without, BlockId with, std::int64_t chunk, std::int64_t piece) {
    const auto share_in = [=](const std::vector<LayerPieces>& pieces) {
      return pieces[static_cast<std::size_t>(chunk)][static_cast<std::size_t>(piece)];
    };
    const double experts = share_in(expert_pieces_);
    const auto add = [&](BlockId id, double share) {
      if (share <= 0.0) return;
      add_block(share_of_block(step_, static_cast<std::uint8_t>(id), share),
                layer_of(chunk, piece));
    };
    add(without, share_in(chunk_pieces_) - experts);
    add(with, experts);
  }

  void add_block(std::uint8_t which, std::int64_t layer) {
    script_.actions.push_back({.kind = ActionKind::block,
                               .which = which,
                               .layer = static_cast<std::int16_t>(layer),
                               .micro_batch = micro_batch_});
  }

  void at(Moment moment) { add(ActionKind::moment, static_cast<std::uint8_t>(moment)); }

  void add(ActionKind kind, std::uint8_t which) {
    script_.actions.push_back({.kind = kind, .which = which, .micro_batch = micro_batch_});
  }

  /// On the device, the traffic of the update; on the host, the gradients' way there and the
  /// weights' way back [docs/models.md, Eq. O-2].
  void update() {
    const double owned = run_.weights.parameters / program_.optimizer_shards +
                         run_.expert_weights.parameters / program_.expert_optimizer_shards;
    const Device& device = cluster_.device;
    const Seconds time =
        program_.offloaded_bytes_per_parameter > 0.0
            ? Bytes{program_.offloaded_bytes_per_parameter * owned} / device.host_bandwidth
            : memory_bound_time(device, Bytes{program_.optimizer_bytes_per_parameter * owned});
    micro_batch_ = -1;
    script_.pauses.push_back({.name = "optimizer", .time = to_sim_time(time)});
    at(Moment::optimizer_step);
    add(ActionKind::begin_pass, 2);
    add(ActionKind::pause, 0);
    add(ActionKind::end_pass, 2);
  }

  const StepProgram& program_;
  const StageRun& run_;
  std::int64_t stage_;
  const Plan& plan_;
  const Cluster& cluster_;
  std::int64_t chunks_;
  std::vector<LayerPieces> chunk_pieces_;
  std::vector<LayerPieces> expert_pieces_;  ///< of them, what has experts
  StepScript& step_;
  StageScript& script_;
  StageWeights weights_;
  std::int32_t micro_batch_ = -1;
};

}  // namespace

StepScript transformer_script(const StepProgram& program, const Transformer& model,
                              const Plan& plan, const Cluster& cluster, const Stack& stack,
                              const MemoryReport& memory) {
  StepScript step;
  for (std::size_t i = 0; i < block_count; ++i) {
    const BlockPlace place{plan, cluster, stack, program.mesh,
                           waiting_hosts(static_cast<BlockId>(i), program.mesh)};
    step.blocks.push_back(
        block_times(block_names[i], program.blocks[i], program.operations, place,
                    is_pair(static_cast<BlockId>(i))));
  }
  step.messages.fill(transfer(Collective::send_receive, program.boundary, 1.0,
                              program.mesh.pipeline, cluster.network));
  step.send_blocks = part_of(step.messages[0], 1.0 - stack.pipeline_overlap).alone();
  step.overlap_cost = program.weights.in_units ? std::min(1.0, stack.overlap_cost) : 0.0;
  step.host_smoothness = stack.host_smoothness;
  step.retry_share = retry_share(memory);
  step.stages.reserve(static_cast<std::size_t>(plan.pipeline_parallel));
  for (std::int64_t stage = 0; stage < plan.pipeline_parallel; ++stage) {
    const StageRun& run = run_of(program, stage);
    StageWriter(program, model, run, stage, plan, cluster, stack, step).write();
    step.stages.back().bytes = bytes_of(program, run, plan);
    step.stages.back().pass_copy =
        to_sim_time((run.offloaded / program.chunks) / cluster.device.host_bandwidth);
  }
  return step;
}

}  // namespace cubicbench::sim
