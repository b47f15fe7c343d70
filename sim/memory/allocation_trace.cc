#include "sim/memory/allocation_trace.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <span>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/layer_trace.h"
#include "sim/plan/pipeline_schedule.h"

namespace cubicbench::sim {
namespace {

using Op = TraceOperation;

constexpr std::int64_t settled_passes = 1;  // repeats the full pipeline; more change little
constexpr double pieces_max = 64.0;         // smaller pieces fill the same gaps
constexpr double accumulate_bytes = 10.0;   // a parameter: 16-bit read, fp32 read and written

/// One pass of a micro-batch through the layers of a stage (or of one of its chunks).
struct Pass {
  std::int64_t number = 0;
  std::vector<Kept> layers;
  Tensor output = no_tensor;  ///< sent on, kept until its gradient comes
  Tensor head_input = no_tensor;
  Tensor head_norm = no_tensor;
  Tensor softmax = no_tensor;
};

class StageTrace {
 public:
  StageTrace(const Transformer& model, const Plan& plan, const Stack& stack,
             const StepProgram& program, const StageRun& run, std::span<const Allocation> held,
             const PassTimes& times, AllocationTrace& trace)
      : model_(model),
        plan_(plan),
        stack_(stack),
        program_(program),
        run_(run),
        held_(held),
        times_(times),
        out_(trace),
        layer_(model, plan, stack, times, out_),
        units_(program.weights, plan, run.weights, layers_a_pass(program, run), out_) {
    const double t = real(plan.tensor_parallel);
    logits_ =
        micro_batch_tokens(model, plan) * real(model.vocabulary) / (stack.logits_split ? t : 1.0);
    table_ = embedding_parameters(model) / t;
    const Seconds half_head = 0.5 * times.head;
    head_pass_ = out_.pass({times.layer_host, half_head, 30.0});
    const Seconds adding = {accumulate_bytes * run.weights.parameters / times.device_memory.value};
    adding_pass_ = out_.pass({(0.1 * run.layers) * times.layer_host, adding, 6.0 * run.layers});
  }

  void write() {
    state();
    const std::int64_t chunks = chunks_per_stage(plan_);
    const auto all = static_cast<std::int64_t>(program_.micro_batches);
    const auto in_turn =
        static_cast<std::int64_t>(std::ceil(in_flight(plan_, all, run_.first) * real(chunks)));
    const std::int64_t passes = std::min(all * chunks, in_turn + settled_passes);
    for (int step = 0; step < trace_steps; ++step) {
      first_step_ = step == 0;
      warming_ = in_turn - 1;
      std::int64_t begun = 0;
      while (begun < passes) {
        forward(begun++);
        if (begun >= in_turn) backward();
      }
      while (!open_.empty()) backward();
      out_.synchronise();
      if (first_step_) moments();
      share_update();
      units_.end_step();
      out_.synchronise();
    }
  }

 private:
  static double layers_a_pass(const StepProgram& program, const StageRun& run) {
    return std::ceil(run.layers / program.chunks);
  }

  /// Chunks share the layers; the first ones take the remainder.
  std::size_t layers_of(std::int64_t pass) const {
    const auto chunks = static_cast<std::size_t>(chunks_per_stage(plan_));
    const auto layers = static_cast<std::size_t>(run_.layers);
    const std::size_t chunk = static_cast<std::size_t>(pass) % chunks;
    return layers / chunks + (chunk < layers % chunks ? 1 : 0);
  }

  bool has_embedding(std::int64_t pass) const {
    return run_.has_embedding && pass % chunks_per_stage(plan_) == 0;
  }
  bool has_head(std::int64_t pass) const {
    const std::int64_t chunks = chunks_per_stage(plan_);
    return run_.has_head && pass % chunks == chunks - 1;
  }
  bool exchanges() const { return plan_.pipeline_parallel > 1; }

  /// Of the optimizer's state, what comes with the first update.
  double moment_share() const {
    const double moments = kept_moment_bytes(plan_.optimizer, stack_);
    if (moments == 0.0) return 0.0;
    const bool copy = storage_bytes(plan_.param_dtype) == 2.0;
    const double master = copy && !traits(plan_.sharding).shards_parameters ? 4.0 : 0.0;
    return moments / (master + moments);
  }

  /// Weights, their optimizer's state and gradients that are kept from step to step.
  static bool stays(const Allocation& held) {
    const Moments since = held.part == MemoryPart::gradients ? after_startup : always;
    return (held.alive & since) == since;
  }

  void state() {
    out_.begin(Op::startup, 0);
    for (const Allocation& held : held_) {
      if (!stays(held)) continue;
      if (held.part == MemoryPart::parameters) {
        in_matrices(held.part, held.bytes.value);
      } else {
        const bool waits = held.part == MemoryPart::optimizer_state;
        const double now = waits ? 1.0 - moment_share() : 1.0;
        if (now > 0.0) out_.take(held.part, now * held.bytes.value);
      }
    }
  }

  /// `bytes` divided among the weights as their parameters are.
  void in_matrices(MemoryPart part, double bytes) {
    const LayerMatrices& m = layer_.matrices();
    const double each = bytes / run_.weights.parameters;
    for (double layer = 0.0; layer < run_.layers; ++layer) {
      for (const double matrix : {m.qkv, m.out, m.up, m.down}) out_.take(part, each * matrix);
    }
    for (const double end : ends()) out_.take(part, each * end);
  }

  /// Weights outside the layers: of embedding, of head.
  std::vector<double> ends() const {
    std::vector<double> ends;
    for (double left = run_.weights.end_parameters; left > 0.5 * table_; left -= table_) {
      ends.push_back(std::min(left, table_));
    }
    return ends;
  }

  void moments() {
    out_.begin(Op::optimizer_step, 0);
    for (const Allocation& held : held_) {
      if (held.part != MemoryPart::optimizer_state) continue;
      for (int moment = 0; moment < 2; ++moment) {
        in_matrices(held.part, 0.5 * moment_share() * held.bytes.value);
      }
    }
  }

  /// ZeRO-1 gathers updated weights into pieces and then makes them contiguous.
  void share_update() {
    const double shards = real(program_.mesh.weights.shard.ranks);
    const ShardingTraits mode = traits(plan_.sharding);
    if (!mode.shards_optimizer || mode.shards_parameters || shards == 1.0) return;
    out_.begin(Op::share_update, 0);
    const double parameters = run_.weights.parameters;
    std::vector<Tensor> taken;
    const auto take = [&](double bytes) {
      if (bytes > 0.0) taken.push_back(out_.take(MemoryPart::communication_buffers, bytes));
    };
    take(stack_.update_shard_bytes * parameters / shards);
    const double pieces = std::min(shards, pieces_max);
    const double listed = 0.5 * stack_.update_bytes * parameters;
    for (double piece = 0.0; piece < pieces; ++piece) take(listed / pieces);
    take(listed);
    out_.synchronise();
    for (const Tensor tensor : taken) out_.drop(tensor);
  }

  void forward(std::int64_t number) {
    Pass pass;
    pass.number = number;
    const std::int64_t micro_batch = number / chunks_per_stage(plan_);
    units_.begin_pass();
    Tensor x = entered(number, micro_batch);
    const std::size_t layers = layers_of(number);
    for (std::size_t i = 0; i < layers; ++i) {
      units_.before_forward(i);
      const bool again = runs_again(i);
      pass.layers.emplace_back();
      x = layer_.forward(x, micro_batch, again ? LayerPass::first : LayerPass::only,
                         pass.layers.back());
      if (again) layer_.forget(pass.layers.back());
      units_.after_forward(i);
    }
    if (has_head(number)) {
      head_forward(x, micro_batch, pass);
    } else {
      pass.output = x;
      if (exchanges()) exchange(number);
    }
    open_.push_back(std::move(pass));
  }

  /// Of every_k, the first layers of a stage stand for those that are recomputed.
  bool runs_again(std::size_t layer) const {
    return recomputes_whole_layers(plan_) &&
           static_cast<double>(layer) * program_.chunks < run_.recomputed_layers;
  }

  Tensor entered(std::int64_t number, std::int64_t micro_batch) {
    out_.begin(Op::embedding_forward, micro_batch);
    if (!has_embedding(number)) return out_.take(layer_.size().shared);
    if (plan_.tensor_parallel == 1) return layer_.row_product(no_tensor);
    // Rows of other ranks' parts of the table are set to zero in a copy.
    return layer_.row_product(out_.take(layer_.size().whole));
  }

  /// In the first warm-up the stages behind are not ready: the device waits in its second send.
  void exchange(std::int64_t number) {
    if (times_.exchanges_wait) {
      out_.synchronise();
    } else if (first_step_ && number >= 1 && number < warming_) {
      out_.stand_still();
    }
  }

  void head_forward(Tensor x, std::int64_t micro_batch, Pass& pass) {
    out_.begin(Op::head_forward, micro_batch);
    pass.head_input = x;
    pass.head_norm = out_.take(layer_.size().shared);
    const double half = storage_bytes(plan_.param_dtype);
    const Tensor logits = out_.take(MemoryPart::logits, half * logits_);
    layer_.first_workspace();
    std::vector<Tensor> singles{logits};  // fp32 copies and the softmax, in blocks of their own
    for (double left = stack_.logits_kept_bytes - half; left > 0.0; left -= 4.0) {
      singles.push_back(out_.take(MemoryPart::logits, std::min(left, 4.0) * logits_));
    }
    pass.softmax = singles.back();
    singles.pop_back();
    for (const Tensor single : singles) out_.drop(single);
    out_.launch(head_pass_);
  }

  Tensor head_backward(std::int64_t micro_batch, const Pass& pass) {
    out_.begin(Op::head_backward, micro_batch);
    const Tensor gradient =
        out_.take(MemoryPart::logits, storage_bytes(plan_.param_dtype) * logits_);
    out_.drop(pass.softmax);
    layer_.backward_workspace();
    const Tensor of_norm = layer_.scattered_gradient(table_, gradients_);
    out_.drop(gradient);
    layer_.drop_gathered(pass.head_norm);
    out_.launch(head_pass_);
    const Tensor x = out_.take(layer_.size().shared);
    out_.drop(of_norm);
    out_.drop(pass.head_input);
    return x;
  }

  void backward() {
    Pass pass = std::move(open_.front());
    open_.pop_front();
    const std::int64_t micro_batch = pass.number / chunks_per_stage(plan_);
    units_.begin_pass();
    Tensor gradient = no_tensor;
    if (has_head(pass.number)) {
      gradient = head_backward(micro_batch, pass);
    } else {
      if (exchanges()) out_.synchronise();
      out_.drop(pass.output);
      gradient = out_.take(layer_.size().shared);
    }
    for (std::size_t i = pass.layers.size(); i-- > 0;) {
      units_.before_backward(i);
      if (runs_again(i)) again(pass.layers[i], micro_batch);
      gradient = layer_.backward(gradient, micro_batch, pass.layers[i], gradients_);
      units_.after_backward(i);
    }
    leave(pass.number, gradient, micro_batch);
    out_.begin(Op::accumulate_gradients, micro_batch);
    for (const Tensor tensor : gradients_) out_.drop(tensor);
    if (!gradients_.empty()) out_.launch(adding_pass_);
    gradients_.clear();
    units_.end_backward();
  }

  void again(Kept& kept, std::int64_t micro_batch) {
    out_.drop(layer_.forward(kept.input, micro_batch, LayerPass::again, kept));
  }

  void leave(std::int64_t number, Tensor gradient, std::int64_t micro_batch) {
    out_.begin(Op::embedding_backward, micro_batch);
    if (!has_embedding(number)) {
      out_.drop(gradient);
      return;
    }
    const bool split = plan_.tensor_parallel > 1;
    Tensor whole = gradient;
    if (split) {
      const Tensor gathered = out_.take(layer_.size().whole);
      layer_.drop_gathered(gradient);
      whole = out_.take(layer_.size().whole);
      out_.drop(gathered);
    }
    // With tied tables the head has a gradient already, to which this one is added.
    if (run_.has_head && model_.tied_embeddings && stack_.pass_gradient_bytes > 0.0) {
      out_.drop(out_.take(MemoryPart::gradients, stack_.pass_gradient_bytes * table_));
    } else {
      layer_.weight_gradient(table_, gradients_);
    }
    out_.drop(whole);
  }

  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  const StepProgram& program_;
  const StageRun& run_;
  std::span<const Allocation> held_;
  const PassTimes& times_;
  TraceWriter out_;
  LayerTrace layer_;
  GatheredUnits units_;
  double logits_ = 0.0;
  double table_ = 0.0;  ///< parameters of one table of the vocabulary on this rank
  std::int32_t head_pass_ = 0;
  std::int32_t adding_pass_ = 0;
  std::deque<Pass> open_;
  std::vector<Tensor> gradients_;
  bool first_step_ = true;
  std::int64_t warming_ = 0;  ///< passes before the first backward one
};

}  // namespace

void write_trace(const Transformer& model, const Plan& plan, const Stack& stack,
                 const StepProgram& program, const StageRun& run, const Holder& holder,
                 const PassTimes& times, AllocationTrace& trace) {
  StageTrace(model, plan, stack, program, run, program.allocations.of(holder), times, trace)
      .write();
}

}  // namespace cubicbench::sim
