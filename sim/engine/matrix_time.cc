#include "sim/engine/matrix_time.h"

#include "sim/base/units.h"
#include "sim/engine/operation_time.h"
#include "sim/kernels/kernels.h"
#include "sim/network/collective.h"

namespace cubicbench::sim {
namespace {

constexpr double momentum_bytes = 2.0;

/// Of a matrix that is to be scaled: read for its norm, read again and written.
constexpr double scaling_passes = 3.0;

/// Matrices whose state the same ranks share.
class MatrixClock {
 public:
  MatrixClock(const StepProgram& program, const WeightGroups& groups, const Group& tensor,
              const Cluster& cluster, const Stack& stack)
      : update_(program.matrix_update),
        shard_(groups.shard),
        tensor_(tensor),
        cluster_(cluster),
        stack_(stack) {}

  /// Of `held` matrices, whose state `shards` ranks share.
  void share(double shards, double held) {
    reached_ = reached_share(shards, held, update_.slices_each);
    gathered_ = gathered_share(shards, reached_);
  }

  void add(const HiddenMatrices& matrices, double layers) {
    for (const WeightMatrix& one : matrices.all()) add(one, layers * one.count);
  }

  Seconds total() const { return total_; }

 private:
  void add(const WeightMatrix& one, double count) {
    const Bytes whole{momentum_bytes * one.parameters()};
    total_ += (count * gathered_) * gather(whole / one.ranks, shard_);
    if (one.ranks > 1.0) total_ += (count * reached_) * gather(whole, tensor_);
    total_ +=
        (count * reached_) * orthogonalising_time(one, update_.steps, cluster_.device, stack_);
  }

  /// With what its ranks wait for each other, as in a gather of weights.
  Seconds gather(Bytes whole, const Group& group) const {
    const bool waits = nodes_of(group) > 1;
    return all_gather(whole, group, cluster_.network) + group_wait(group, stack_) +
           (waits ? real(group.ranks) : 0.0) * cluster_.state.collective_wait;
  }

  const MatrixUpdate& update_;
  const Group& shard_;
  const Group& tensor_;
  const Cluster& cluster_;
  const Stack& stack_;
  double reached_ = 1.0;
  double gathered_ = 0.0;
  Seconds total_;
};

double count_of(const HiddenMatrices& matrices) {
  double count = 0.0;
  for (const WeightMatrix& one : matrices.all()) count += one.count;
  return count;
}

}  // namespace

Seconds orthogonalising_time(const WeightMatrix& matrix, int steps, const Device& device,
                             const Stack& stack) {
  const double factor = training_factor(device, Dtype::bf16, stack);
  const auto product = [&](double m, double n, double k) {
    return gemm_time(device, Dtype::bf16, {m, n, k}, factor);
  };
  const double m = matrix.rows;
  const double n = matrix.columns;
  const Seconds step = product(m, m, n) + product(m, m, m) + product(m, n, m);
  return memory_bound_time(device, Bytes{scaling_passes * momentum_bytes * matrix.parameters()}) +
         static_cast<double>(steps) * step;
}

Seconds matrix_time(const StepProgram& program, const StageRun& run, const Cluster& cluster,
                    const Stack& stack) {
  const MatrixUpdate& update = program.matrix_update;
  const DeviceMesh& mesh = program.mesh;
  MatrixClock layers(program, mesh.weights, mesh.tensor, cluster, stack);
  double held = 0.0;
  for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
    held += run.kinds[kind].layers * count_of(update.layers[kind]);
  }
  layers.share(program.optimizer_shards, held);
  for (std::size_t kind = 0; kind < layer_kinds_max; ++kind) {
    if (run.kinds[kind].layers > 0.0) layers.add(update.layers[kind], run.kinds[kind].layers);
  }
  if (run.expert_weights.parameters == 0.0) return layers.total();
  MatrixClock experts(program, mesh.expert_weights, mesh.expert_tensor, cluster, stack);
  experts.share(program.expert_optimizer_shards,
                run.expert_weights.layers * count_of(update.experts));
  experts.add(update.experts, run.expert_weights.layers);
  return layers.total() + experts.total();
}

}  // namespace cubicbench::sim
