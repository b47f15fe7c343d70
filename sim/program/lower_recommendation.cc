#include "sim/program/lower_recommendation.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/kernels/kernels.h"
#include "sim/network/placement.h"
#include "sim/program/operation.h"
#include "sim/program/slowest_rank.h"

namespace cubicbench::sim {
namespace {

/// Sizes of a model need not be those that tensor cores load at once: software fills them up
/// (479 features of DLRM to 480, NVIDIA DeepLearningExamples).
double filled(double size, double multiple = 8.0) { return multiple * std::ceil(size / multiple); }

/// Whether a plan's fp8 and narrower formats reach the product [docs/models.md, Eq. R-27]: those of
/// weights alone, with sizes that are multiples of 16, and not where casts cost more than they
/// save. Source: the filter of modules for one scale a tensor in github.com/pytorch/ao,
/// torchao/float8/float8_linear_utils.py, timed on H100.
bool is_quantised(const ArchProduct& product, const Plan& plan) {
  constexpr double outputs_small = 4096.0;
  constexpr double inputs_small = 1024.0;
  if (!is_quantised(plan.dtype) || !product.learned) return false;
  const double n = filled(product.n);
  const double k = filled(product.k);
  if (filled(n, 16.0) != n || filled(k, 16.0) != k) return false;
  return n > outputs_small || k > inputs_small;
}

constexpr double launches_of_transformer_layer = 15.0;

/// Launches of a pass over a layer, in units of those of a transformer's layer: its products,
/// activation function, norm and residual sum, and of each quantised product three kernels (largest
/// magnitude, scale, copy) for what it reads and three for its weights.
double host_passes(const LayerWork& layer, const Plan& plan) {
  constexpr double launches_beside_products = 3.0;
  constexpr double launches_of_casts = 6.0;
  double launches = launches_beside_products;
  for (const ArchProduct& product : layer.all()) {
    launches += 1.0 + (is_quantised(product, plan) ? launches_of_casts : 0.0);
  }
  return launches / launches_of_transformer_layer;
}

/// Appends the operations of a module group to the program and fills the blocks of its run.
class ArchWriter {
 public:
  ArchWriter(const ArchWork& work, const Plan& plan, const Stack& stack,
             RecommendationProgram& program)
      : work_(work),
        plan_(plan),
        stack_(stack),
        program_(program),
        b_(real(plan.batch_per_gpu)),
        slowest_(slowest_rank(work, plan, program.world.ranks)) {}

  void write(ArchRun& run) {
    const auto set = [&](Block& block, double passes, auto body) {
      block = block_of(program_.operations, passes, body);
      block.launches = launches_of_transformer_layer * passes;
    };
    regathers_ = run.traffic.schedule.backward.gathers();
    const double passes = host_passes(work_.layer, plan_);
    const bool has_entry = work_.entry.product_count > 0;
    set(run.entry_forward, 0.0,
        [&] { forward(work_.entry, StepPart::gemm, StepPart::memory_bound); });
    set(run.layer.forward, passes,
        [&] { forward(work_.layer, StepPart::gemm, StepPart::memory_bound); });
    set(run.layer.recompute, recompute_passes(passes), [&] { recompute(work_.layer); });
    set(run.layer.backward, 2.0 * passes,
        [&] { backward(work_.layer, has_entry || work_.inputs_learn); });
    set(run.entry_backward, 0.0, [&] { backward(work_.entry, work_.inputs_learn); });
  }

 private:
  /// Activation functions, norms and attention are half of a layer's launches.
  double recompute_passes(double whole) const {
    const RecomputeTraits kept = traits(plan_.recompute);
    if (kept.norms < 1.0) return kept.launches * whole;
    return kept.whole_layers ? whole : kept.scores < 1.0 ? 0.5 * whole : 0.0;
  }

  void forward(const LayerWork& layer, StepPart products, StepPart rest) {
    for (const ArchProduct& product : layer.all()) {
      gemm(shape_of(product), dtype_of(product), products);
    }
    quantise(quantising_bytes(plan_.dtype), inputs_of(layer), rest);
    if (products == StepPart::gemm) {
      quantise(quantising_bytes(plan_.dtype), weights_of(layer), rest);
    }
    attention(layer, OperationKind::attention_forward,
              products == StepPart::gemm ? StepPart::attention : products);
    element_wise(layer, 1.0, rest);
  }

  /// Of single operations: in recommendation models only the norms of HSTU.
  void recompute(const LayerWork& layer) {
    const RecomputeTraits kept = traits(plan_.recompute);
    if (kept.whole_layers) return forward(layer, StepPart::recompute, StepPart::recompute);
    if (kept.norms < 1.0) return stream(layer.norms, StepPart::recompute);
    if (kept.scores == 1.0) return;
    attention(layer, OperationKind::attention_forward, StepPart::recompute);
    element_wise(layer, 1.0, StepPart::recompute);
  }

  /// `inputs_learn`: the first product's input takes a gradient.
  void backward(const LayerWork& layer, bool inputs_learn) {
    bool of_input = inputs_learn;
    for (const ArchProduct& product : layer.all()) {
      const GemmShape shape = shape_of(product);
      const Dtype dtype = dtype_of(product);
      if (of_input) gemm({shape.m, shape.k, shape.n}, dtype, StepPart::gemm);
      // Of the weight, or of the sample's own matrix, which is as large as the other input.
      gemm(product.learned ? split(GemmShape{shape.k, shape.n, shape.m})
                           : GemmShape{shape.m, shape.k, shape.n},
           dtype, StepPart::gemm);
      of_input = true;
    }
    quantise(quantising_bytes(plan_.dtype), output_gradients_of(layer), StepPart::memory_bound);
    // Weights that come again in 16 bits are cast again, their scale being known.
    if (regathers_) {
      quantise(2.0 + wire_bytes(plan_.dtype), weights_of(layer), StepPart::memory_bound);
    }
    attention(layer, OperationKind::attention_backward, StepPart::attention);
    element_wise(layer, 2.0, StepPart::memory_bound);
  }

  GemmShape shape_of(const ArchProduct& product) const {
    return {b_ * slowest_.tokens * product.rows, filled(product.n), filled(product.k)};
  }

  /// The gradient of a weight is small and its inner size is the batch: kernels split that until
  /// about as many tiles as a device has multiprocessors are at work, each part with a sum of its
  /// own (split-K).
  static GemmShape split(const GemmShape& shape) {
    constexpr double tile = 128.0;
    constexpr double tiles_at_work = 128.0;
    constexpr double inner_min = 512.0;
    const double tiles = std::ceil(shape.m / tile) * std::ceil(shape.n / tile);
    const double parts =
        std::max(1.0, std::min(std::ceil(tiles_at_work / tiles), std::floor(shape.k / inner_min)));
    return {shape.m * parts, shape.n, shape.k / parts};
  }

  Dtype dtype_of(const ArchProduct& product) const {
    return !is_quantised(plan_.dtype) || is_quantised(product, plan_) ? plan_.dtype : Dtype::bf16;
  }

  void gemm(const GemmShape& shape, Dtype dtype, StepPart part) {
    program_.operations.push_back(
        {.kind = OperationKind::gemm, .part = part, .dtype = dtype, .gemm = shape});
  }

  /// Of the quantised products of a layer: elements that they read, those of their outputs, and
  /// weights.
  template <typename Elements>
  double quantised_elements(const LayerWork& layer, const Elements& elements) const {
    double sum = 0.0;
    for (const ArchProduct& product : layer.all()) {
      if (is_quantised(product, plan_)) sum += elements(shape_of(product));
    }
    return sum;
  }
  double inputs_of(const LayerWork& layer) const {
    return quantised_elements(layer, [](const GemmShape& s) { return s.m * s.k; });
  }
  double output_gradients_of(const LayerWork& layer) const {
    return quantised_elements(layer, [](const GemmShape& s) { return s.m * s.n; });
  }
  double weights_of(const LayerWork& layer) const {
    return quantised_elements(layer, [](const GemmShape& s) { return s.n * s.k; });
  }

  void quantise(double bytes_of_element, double elements, StepPart part) {
    if (elements <= 0.0) return;
    program_.operations.push_back({.kind = OperationKind::memory_bound,
                                   .part = part,
                                   .bytes = Bytes{bytes_of_element * elements}});
  }

  void attention(const LayerWork& layer, OperationKind kind, StepPart part) {
    const SelfAttention& a = layer.attention;
    if (a.tokens <= 0.0) return;
    const double heads = b_ * slowest_.attention * a.heads;
    const double share = a.gated ? stack_.gated_attention_factor : 1.0;
    program_.operations.push_back({.kind = kind,
                                   .part = part,
                                   .dtype = plan_.dtype,
                                   .attention = {a.tokens, a.context, heads, a.head_size, share}});
  }

  void element_wise(const LayerWork& layer, double passes, StepPart part) {
    stream(passes * layer.element_wise, part);
  }

  /// `elements` of a sample.
  void stream(double elements, StepPart part) {
    if (elements <= 0.0) return;
    const double factor = element_wise_traffic(stack_, plan_.compile);
    program_.operations.push_back({.kind = OperationKind::memory_bound,
                                   .part = part,
                                   .bytes = Bytes{factor * b_ * slowest_.tokens * elements *
                                                  storage_bytes(plan_.param_dtype)}});
  }

  const ArchWork& work_;
  const Plan& plan_;
  const Stack& stack_;
  RecommendationProgram& program_;
  double b_;
  SlowestRank slowest_;
  bool regathers_ = false;  ///< weights are gathered again for the backward pass
};

/// The groups that tables are exchanged among; those of one copy are `copies` ranks apart.
void place_groups(const Cluster& cluster, const TableSharding& sharding,
                  RecommendationProgram& program) {
  program.tables = placed({sharding.ranks, sharding.node_ranks}, sharding.copies, cluster);
  program.node = placed({sharding.node_ranks, sharding.node_ranks}, sharding.copies, cluster);
  const std::int64_t together =
      std::min<std::int64_t>(sharding.copies, std::min(cluster.gpus, cluster.gpus_per_node));
  program.copies = placed({sharding.copies, together}, 1, cluster);
}

}  // namespace

void place_world(const Cluster& cluster, RecommendationProgram& program) {
  program.world = placed({cluster.gpus, std::min(cluster.gpus, cluster.gpus_per_node)}, 1, cluster);
}

void place_arch(const ArchWork& work, Sharding sharding, const Plan& plan, const Cluster& cluster,
                const Group& world, ArchRun& run) {
  run.layers = work.layers;
  run.recomputed_layers = recomputed_layers(plan, run.layers);
  run.groups = weight_groups(world, sharding, plan, cluster);
  run.traffic = weight_traffic(sharding, plan, run.groups);
  run.weights =
      weight_units(run.traffic, plan, run.layers, work.layer.parameters, work.entry.parameters);
  run.optimizer_shards = optimizer_shards(sharding, run.groups);
}

void write_arch_blocks(const ArchWork& work, const Plan& plan, const Stack& stack,
                       RecommendationProgram& program, ArchRun& run) {
  ArchWriter(work, plan, stack, program).write(run);
}

Sharding sharding_of(const Plan& plan, ModuleGroup group) {
  constexpr std::array shardings{&Plan::dense_sharding, &Plan::sequence_sharding,
                                 &Plan::interaction_sharding, &Plan::over_sharding};
  return plan.*shardings[static_cast<std::size_t>(group)];
}

double dense_communicators(const RecommendationProgram& program, const Plan& plan,
                           std::int64_t ranks) {
  if (ranks == 1) return 1.0;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    const Sharding sharding = sharding_of(plan, static_cast<ModuleGroup>(i));
    if (program.works[i].layers > 0.0 && shards_in_groups(sharding)) return 4.0;
  }
  return 2.0;
}

Bytes resident_bytes(const RecommendationProgram& program, const Plan& plan) {
  Bytes bytes;
  for (const ArchRun& run : program.archs) bytes += resident_bytes(run, plan);
  return bytes;
}

Bytes resident_bytes(const ArchRun& run, const Plan& plan) {
  if (run.layers <= 0.0) return {};
  const double parameter = 8.0 + state_bytes(plan.optimizer);
  return Bytes{parameter * run.weights.parameters / run.optimizer_shards};
}

void lower_dense(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                 const Stack& stack, RecommendationProgram& program) {
  program.operations.clear();
  place_world(cluster, program);
  for (std::size_t i = 0; i < module_group_count; ++i) {
    const auto group = static_cast<ModuleGroup>(i);
    const ArchWork& work = program.works[i] = arch_work(model, group);
    place_arch(work, sharding_of(plan, group), plan, cluster, program.world, program.archs[i]);
    write_arch_blocks(work, plan, stack, program, program.archs[i]);
  }
  program.optimizer_bytes_per_parameter = optimizer_traffic(plan);
  program.dense_communicators = dense_communicators(program, plan, cluster.gpus);
  add_dense_allocations(plan, stack, program);
}

void lower_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                  const Stack& stack, Bytes resident, RecommendationProgram& program) {
  shard_tables(model, plan, cluster, resident, program.sharding);
  load_tables(model, plan, program.sharding, program);
  finish_tables(model, plan, cluster, stack, program.sharding, program);
}

void load_tables(const Recommendation& model, const Plan& plan, const TableSharding& sharding,
                 RecommendationProgram& program) {
  program.volumes.resize(model.tables.size());
  for (std::size_t i = 0; i < model.tables.size(); ++i) {
    program.volumes[i] = embedding_volume(sharding.shards[i], plan, sharding);
  }
  program.load.traffic = embedding_traffic(plan, sharding, program);
  hold_tables(plan, sharding, program);
}

void finish_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                   const Stack& stack, const TableSharding& sharding,
                   RecommendationProgram& program) {
  place_world(cluster, program);
  place_groups(cluster, sharding, program);
  program.table_communicators = cluster.gpus > 1 && plan.embedding_groups > 1 ? 2.0 : 0.0;
  write_embeddings(model, plan, stack, program);
  add_table_allocations(model, plan, stack, program);
}

void lower(const Recommendation& model, const Plan& plan, const Cluster& cluster,
           const Stack& stack, RecommendationProgram& program) {
  lower_dense(model, plan, cluster, stack, program);
  lower_tables(model, plan, cluster, stack, resident_bytes(program, plan), program);
  join_allocations(program);
}

}  // namespace cubicbench::sim
