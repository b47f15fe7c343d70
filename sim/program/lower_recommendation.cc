#include "sim/program/lower_recommendation.h"

#include <algorithm>
#include <cmath>

#include "sim/base/real.h"
#include "sim/network/placed_group.h"
#include "sim/plan/fsdp.h"
#include "sim/program/embedding_volume.h"
#include "sim/program/recommendation_allocations.h"

namespace cubicbench::sim {
namespace {

/// Calls `body`, which appends operations, and says which they are.
template <typename Body>
Block block_of(RecommendationProgram& program, double host_passes, Body body) {
  Block block;
  block.begin = static_cast<std::uint32_t>(program.operations.size());
  body();
  block.end = static_cast<std::uint32_t>(program.operations.size());
  block.host_passes = host_passes;
  return block;
}

/// Appends the operations of one dense arch.
class ArchWriter {
 public:
  ArchWriter(const DenseArch& arch, bool inputs_learn, const Plan& plan, const Stack& stack,
             RecommendationProgram& program)
      : arch_(arch),
        inputs_learn_(inputs_learn),
        plan_(plan),
        stack_(stack),
        program_(program),
        b_(real(plan.batch_per_gpu)),
        h_(real(arch.width)),
        f_(real(arch.ffn_hidden)) {}

  void write(ArchRun& run) {
    // Five launches a layer forward, a third of a transformer's.
    constexpr double passes = 1.0 / 3.0;
    const auto set = [&](ArchBlock id, double host_passes, auto body) {
      run.blocks[static_cast<std::size_t>(id)] = block_of(program_, host_passes, body);
    };
    set(ArchBlock::projection_forward, 0.0, [&] { gemm(projection(), StepPart::gemm); });
    set(ArchBlock::layer_forward, passes,
        [&] { layer_forward(StepPart::gemm, StepPart::memory_bound); });
    set(ArchBlock::layer_recompute, recompute_passes(passes), [&] { layer_recompute(); });
    set(ArchBlock::layer_backward, 2.0 * passes, [&] { layer_backward(); });
    set(ArchBlock::projection_backward, 0.0, [&] { projection_backward(); });
  }

 private:
  GemmShape projection() const { return {b_, h_, real(arch_.inputs)}; }
  GemmShape up() const { return {b_, f_, h_}; }
  GemmShape down() const { return {b_, h_, f_}; }

  double recompute_passes(double whole) const {
    switch (plan_.recompute) {
      case Recompute::none:
        return 0.0;
      case Recompute::selective:
        return 0.5 * whole;
      default:
        return whole;
    }
  }

  void layer_forward(StepPart products, StepPart rest) {
    gemm(up(), products);
    gemm(down(), products);
    element_wise(1.0, rest);
  }

  void layer_recompute() {
    switch (plan_.recompute) {
      case Recompute::none:
      case Recompute::per_op:  // not for recommendation models
        return;
      case Recompute::selective:  // activation function and norm
        element_wise(1.0, StepPart::recompute);
        return;
      case Recompute::full:
      case Recompute::every_k:
        layer_forward(StepPart::recompute, StepPart::recompute);
        return;
    }
  }

  void layer_backward() {
    for (const GemmShape& shape : {up(), down()}) {
      gradient_gemms(shape, true);
    }
    element_wise(2.0, StepPart::memory_bound);
  }

  void projection_backward() { gradient_gemms(projection(), inputs_learn_); }

  void gradient_gemms(const GemmShape& shape, bool of_input) {
    if (of_input) {
      gemm({shape.m, shape.k, shape.n}, StepPart::gemm);
    }
    gemm({shape.k, shape.n, shape.m}, StepPart::gemm);  // of the weight
  }

  void gemm(const GemmShape& shape, StepPart part) {
    program_.operations.push_back(
        {.kind = OperationKind::gemm, .part = part, .dtype = plan_.dtype, .gemm = shape});
  }

  /// Activation function: f in and out; residual sum and norm: 3 h and 2 h.
  void element_wise(double passes, StepPart part) {
    const double factor =
        plan_.compile ? stack_.compiled_element_wise_factor : stack_.element_wise_factor;
    const double elements = b_ * (2.0 * f_ + 5.0 * h_);
    program_.operations.push_back(
        {.kind = OperationKind::memory_bound,
         .part = part,
         .bytes = Bytes{passes * factor * storage_bytes(plan_.param_dtype) * elements}});
  }

  const DenseArch& arch_;
  bool inputs_learn_;
  const Plan& plan_;
  const Stack& stack_;
  RecommendationProgram& program_;
  double b_;
  double h_;
  double f_;
};

void lower_arch(const DenseArch& arch, bool inputs_learn, Sharding sharding, const Plan& plan,
                const Cluster& cluster, const Stack& stack, RecommendationProgram& program,
                ArchRun& run) {
  run.layers = real(arch.layers);
  run.recomputed_layers = plan.recompute == Recompute::none ? 0.0
                          : plan.recompute == Recompute::every_k
                              ? std::floor(run.layers / real(plan.recompute_every))
                              : run.layers;
  run.groups = weight_groups(program.world, sharding, plan, cluster);
  run.traffic = weight_traffic(sharding, plan, run.groups);
  const double layer = 2.0 * real(arch.width) * real(arch.ffn_hidden);
  run.weights =
      weight_units(run.traffic, plan, run.layers, layer, real(arch.inputs) * real(arch.width));
  run.optimizer_shards = optimizer_shards(sharding, run.groups);
  ArchWriter(arch, inputs_learn, plan, stack, program).write(run);
}

/// What the busiest rank moves for all tables together.
struct Traffic {
  double lookup = 0.0;
  double exchanged_forward = 0.0;   ///< all-to-all
  double exchanged_backward = 0.0;  ///< all-to-all
  double scattered = 0.0;           ///< reduce-scatter, forward
  double gathered = 0.0;            ///< all-gather, backward
  double copied = 0.0;
  double reduced = 0.0;
  double ids = 0.0;  ///< all-to-all
};

/// The largest over ranks of what they hold of whole shards.
template <typename PerShard>
double busiest(const TableSharding& sharding, PerShard per_shard) {
  double most = 0.0;
  for (const RankClass& ranks : sharding.classes) {
    double sum = 0.0;
    for (std::size_t i = 0; i < sharding.groups; ++i) {
      sum += real(ranks.held[i]) * per_shard(i);
    }
    most = std::max(most, sum);
  }
  return most;
}

Traffic traffic_of(const RecommendationProgram& program, const Plan& plan) {
  const TableSharding& sharding = program.sharding;
  const std::int64_t ranks = program.world.ranks;
  std::array<double, table_groups_max> lookups{};
  Traffic shared;    // by tables that every rank has a part of
  Traffic received;  // of whole tables: a rank's own samples, the same for all
  for (std::size_t i = 0; i < sharding.groups; ++i) {
    const TableShards& shards = sharding.shards[i];
    const double count = real(shards.count);
    lookups[i] = lookup_traffic(shards, plan, program.volumes[i]).value;
    const EmbeddingVolume& v = program.volumes[i];
    if (shards.layout == TableLayout::whole) {
      received.exchanged_forward += count * v.forward.value / real(ranks);
      received.exchanged_backward += count * v.backward.value / real(ranks);
      received.ids += count * v.ids.value / real(ranks);
      continue;
    }
    shared.lookup += count * lookups[i];
    shared.copied += count * v.copied.value;
    shared.reduced += count * v.reduced.value;
    if (shards.layout == TableLayout::by_rows) {
      shared.scattered += count * v.forward.value;
      shared.gathered += count * v.backward.value;
      shared.ids += count * v.ids.value;
    }
  }
  Traffic all = shared;
  all.lookup += busiest(sharding, [&](std::size_t i) { return lookups[i]; });
  all.exchanged_forward =
      std::max(received.exchanged_forward,
               busiest(sharding, [&](std::size_t i) { return program.volumes[i].forward.value; }));
  all.exchanged_backward =
      std::max(received.exchanged_backward,
               busiest(sharding, [&](std::size_t i) { return program.volumes[i].backward.value; }));
  all.ids += std::max(
      received.ids, busiest(sharding, [&](std::size_t i) { return program.volumes[i].ids.value; }));
  return all;
}

/// Appends the operations of the sparse side.
class EmbeddingWriter {
 public:
  EmbeddingWriter(const Recommendation& model, const Plan& plan, RecommendationProgram& program)
      : model_(model), plan_(plan), program_(program), traffic_(traffic_of(program, plan)) {}

  void write() {
    const auto set = [&](EmbeddingBlock id, auto body) {
      program_.embedding[static_cast<std::size_t>(id)] = block_of(program_, 0.0, body);
    };
    set(EmbeddingBlock::input, [&] { input(); });
    set(EmbeddingBlock::lookup, [&] { lookup(1.0, 0.0); });
    set(EmbeddingBlock::exchange_forward, [&] {
      exchange(OperationKind::all_to_all, traffic_.exchanged_forward);
      exchange(OperationKind::gather, traffic_.scattered);
    });
    set(EmbeddingBlock::exchange_backward, [&] {
      exchange(OperationKind::all_to_all, traffic_.exchanged_backward);
      exchange(OperationKind::gather, traffic_.gathered);
      exchange(OperationKind::all_reduce, traffic_.reduced);
    });
    // A replica's update is element-wise over the whole table [TorchRec, planner constants].
    constexpr double replica_update_factor = 9.22;
    set(EmbeddingBlock::update,
        [&] { lookup(2.0, traffic_.copied + replica_update_factor * traffic_.reduced); });
  }

 private:
  void input() {
    const double ids = id_bytes * ids_per_sample(model_);
    const double dense = 4.0 * real(model_.dense.inputs);
    add(OperationKind::host_copy, Stream::input, StepPart::input,
        real(plan_.batch_per_gpu) * (ids + dense));
    add(OperationKind::all_to_all, Stream::input, StepPart::input, traffic_.ids);
  }

  void lookup(double passes, double more) {
    add(OperationKind::memory_bound, Stream::compute, StepPart::embedding_lookup,
        passes * traffic_.lookup + more);
  }

  void exchange(OperationKind kind, double bytes) {
    add(kind, Stream::embedding, StepPart::embedding_communication, bytes);
  }

  void add(OperationKind kind, Stream stream, StepPart part, double bytes) {
    if (bytes > 0.0) {
      program_.operations.push_back(
          {.kind = kind, .stream = stream, .part = part, .bytes = Bytes{bytes}});
    }
  }

  const Recommendation& model_;
  const Plan& plan_;
  RecommendationProgram& program_;
  Traffic traffic_;
};

/// The world's communicator, that of the tables and of full sharding, and two for hybrid modes.
double communicators_of(const Plan& plan, std::int64_t ranks) {
  if (ranks == 1) {
    return 1.0;
  }
  const bool hybrid = shards_in_groups(plan.dense_sharding) || shards_in_groups(plan.over_sharding);
  return hybrid ? 4.0 : 2.0;
}

}  // namespace

void lower(const Recommendation& model, const Plan& plan, const Cluster& cluster,
           const Stack& stack, RecommendationProgram& program) {
  program.operations.clear();
  program.world = placed({cluster.gpus, std::min(cluster.gpus, cluster.gpus_per_node)}, 1, cluster);
  program.communicators = communicators_of(plan, cluster.gpus);
  program.optimizer_bytes_per_parameter = optimizer_traffic(plan);
  shard_tables(model, plan, cluster, program.sharding);
  for (std::size_t i = 0; i < program.sharding.groups; ++i) {
    program.volumes[i] = embedding_volume(program.sharding.shards[i], plan, cluster.gpus);
  }
  lower_arch(model.dense, false, plan.dense_sharding, plan, cluster, stack, program, program.dense);
  lower_arch(model.over, true, plan.over_sharding, plan, cluster, stack, program, program.over);
  EmbeddingWriter(model, plan, program).write();
  add_allocations(model, plan, stack, program);
}

}  // namespace cubicbench::sim
