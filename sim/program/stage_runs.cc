#include <algorithm>

#include "sim/base/units.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/program/kept_activations.h"
#include "sim/program/layer_shape.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {
namespace {

/// The most layers of a stage, those that predict left out, where chunks of units follow it.
double layers_of_longest(const StepProgram& program) {
  double most = 0.0;
  if (program.weights.in_units && program.chunks > 1.0) {
    for (const StageRun& run : program.runs) {
      most = std::max(most, run.layers - std::max(run.head_passes - 1.0, 0.0));
    }
  }
  return most;
}

/// Divides layers among stages.
class LayerDivision {
 public:
  LayerDivision(const Transformer& model, const Plan& plan, StageBalance balance)
      : model_(model), plan_(plan), balance_(balance), kinds_(layer_kinds(model).count) {}

  /// Stages must be asked for in order.
  StageRun run(std::int64_t stage) {
    StageRun run;
    run.first = stage;
    if (splits_backward(plan_.schedule)) {
      add_chunks(run);
    } else {
      const std::int64_t own = stage_layers(plan_, model_, balance_, stage);
      add(before_, own, run);
      before_ += own;
    }
    run.has_embedding = stage_has_embedding(plan_, stage);
    run.has_head = stage_has_head(plan_, stage);
    if (run.has_head) add_head_passes(run);
    return run;
  }

  bool alike(const StageRun& run, const StageRun& next) const {
    bool same = !run.has_embedding && !next.has_head;
    for (std::size_t kind = 0; kind < kinds_ && same; ++kind) {
      same = run.kinds[kind] == next.kinds[kind] && run.first_chunk[kind] == next.first_chunk[kind];
    }
    return same;
  }

 private:
  /// `layers` layers behind the first `before`.
  void add(std::int64_t before, std::int64_t layers, StageRun& run) const {
    run.layers += real(layers);
    if (kinds_ == 1) {
      run.kinds[0].layers = run.layers;
      return;
    }
    const PerKind<std::int64_t> begin = kinds_among(model_, before);
    const PerKind<std::int64_t> end = kinds_among(model_, before + layers);
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      run.kinds[kind].layers += real(end[kind] - begin[kind]);
    }
  }

  void add_chunks(StageRun& run) const {
    for (std::int64_t chunk = 0; chunk < chunks_per_stage(plan_); ++chunk) {
      const std::int64_t before =
          kinds_ > 1 ? layers_before_chunk(plan_, model_, balance_, run.first, chunk) : 0;
      add(before, chunk_layers(plan_, model_, balance_, run.first, chunk), run);
      if (chunk == 0) run.first_chunk = run.kinds;
    }
  }

  void add_head_passes(StageRun& run) const {
    const double predicting = real(model_.prediction_layers);
    run.head_passes = 1.0 + predicting;
    run.layers += predicting;
    if (predicting == 0.0) return;
    run.kinds[kind_of_prediction(model_)].layers += predicting;
  }

  const Transformer& model_;
  const Plan& plan_;
  StageBalance balance_;
  std::size_t kinds_;
  std::int64_t before_ = 0;  ///< layers of earlier stages
};

/// What the layers of a run weigh, and which of them are recomputed.
class RunWriter {
 public:
  RunWriter(const Transformer& model, const Plan& plan, const Stack& stack,
            const StepProgram& program)
      : model_(model),
        plan_(plan),
        stack_(stack),
        program_(program),
        layers_max_(layers_of_longest(program)),
        kinds_(layer_kinds(model)),
        table_(rank_vocabulary(model, plan) * real(model.hidden)) {
    for (std::size_t kind = 0; kind < kinds_.count; ++kind) {
      weights_[kind] = rank_layer_parameters(model, plan, kinds_.list[kind]);
    }
    if (has_experts(model)) experts_ = rank_expert_parameters(model, plan);
    if (program.matrix_update.steps > 0) weigh_matrices(program.matrix_update);
  }

  void write(StageRun& run) const {
    run.recomputed_layers = recompute(run.kinds);
    if (splits_backward(plan_.schedule)) recompute(run.first_chunk);
    add_weights(run);
    if (offloads_activations(plan_)) {
      run.offloaded = Bytes{kept_by_stage(kept_by_kinds(model_, plan_, stack_), run)};
    }
  }

 private:
  /// Layers of the later kinds are taken as the first ones. Returns how many are recomputed.
  double recompute(PerKind<LayerCount>& kinds) const {
    double layers = 0.0;
    double recomputed = 0.0;
    for (std::size_t kind = kinds_.count; kind-- > 0;) {
      layers += kinds[kind].layers;
      kinds[kind].recomputed = recomputed_layers(plan_, layers) - recomputed;
      recomputed += kinds[kind].recomputed;
    }
    return recomputed;
  }

  void add_weights(StageRun& run) const {
    const bool shared = model_.tied_embeddings && run.has_embedding && run.has_head;
    const double ends =
        (run.has_embedding ? table_ : 0.0) +
        (run.has_head ? real(model_.hidden) + (shared ? 0.0 : table_) + prediction(run) : 0.0);
    const bool at_end = run.has_embedding != run.has_head;
    const double missing = at_end ? std::max(layers_max_ - run.layers, 0.0) : 0.0;
    run.weights = weight_units(program_.weights, plan_, run.layers, layer_mean(run), ends, missing);
    if (has_adapters(model_)) {
      const double trained = rank_trained_parameters(model_, plan_, kinds_.list.front());
      freeze_all_but(run.layers * trained, program_.weights, run.weights);
    }
    double layers = 0.0;
    for (std::size_t kind = 0; kind < kinds_.count; ++kind) {
      run.weights.matrix_parameters += run.kinds[kind].layers * matrices_[kind];
      if (kinds_.list[kind].ffn == FeedForward::experts) layers += run.kinds[kind].layers;
    }
    if (layers > 0.0) {
      run.expert_weights = weight_units(program_.expert_weights, plan_, layers, experts_, 0.0);
      run.expert_weights.matrix_parameters = layers * expert_matrices_;
    }
  }

  void weigh_matrices(const MatrixUpdate& update) {
    for (std::size_t kind = 0; kind < kinds_.count; ++kind) {
      matrices_[kind] = rank_parameters(update.layers[kind]);
    }
    if (has_experts(model_)) expert_matrices_ = rank_parameters(update.experts);
  }

  double layer_mean(const StageRun& run) const {
    if (run.kinds.front().layers == run.layers) return weights_.front();
    double sum = 0.0;
    for (std::size_t kind = 0; kind < kinds_.count; ++kind) {
      sum += run.kinds[kind].layers * weights_[kind];
    }
    return sum / run.layers;
  }

  /// Of prediction layers, beside their block: a projection and norms, and where the embedding is
  /// on another stage a copy of it.
  double prediction(const StageRun& run) const {
    if (model_.prediction_layers == 0) return 0.0;
    return prediction_parameters(model_) / real(plan_.tensor_parallel) +
           (run.has_embedding ? 0.0 : table_);
  }

  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  const StepProgram& program_;
  double layers_max_;
  LayerKinds kinds_;
  double table_;
  PerKind<double> weights_{};  ///< of a layer
  double experts_ = 0.0;
  PerKind<double> matrices_{};  ///< of `weights_` and `experts_`, what is updated as matrices
  double expert_matrices_ = 0.0;
};

}  // namespace

void divide_layers(const Transformer& model, const Plan& plan, const Stack& stack,
                   std::vector<StageRun>& runs) {
  runs.clear();
  LayerDivision division(model, plan, stack.balance);
  for (std::int64_t stage = 0; stage < plan.pipeline_parallel; ++stage) {
    const StageRun next = division.run(stage);
    if (!runs.empty() && division.alike(runs.back(), next)) {
      ++runs.back().stages;
    } else {
      runs.push_back(next);
    }
  }
}

void add_run_weights(const Transformer& model, const Plan& plan, const Stack& stack,
                     StepProgram& program) {
  const RunWriter writer(model, plan, stack, program);
  for (StageRun& run : program.runs) writer.write(run);
}

}  // namespace cubicbench::sim
