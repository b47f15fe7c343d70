#include "predictor/calibration/step_term.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <variant>

#include "sim/engine/analytical.h"
#include "sim/memory/peak_memory.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::predictor {
namespace {

using sim::Cluster;
using sim::mixes_tokens;
using sim::Operation;
using sim::OperationKind;
using sim::Stack;
using sim::StepPart;
using sim::StepProgram;
using sim::Stream;

using sim::Plan;
using sim::Transformer;

/// Operations stay where they are and run no time.
template <typename Which>
void drop(StepProgram& program, Which which) {
  for (Operation& op : program.operations) {
    if (which(op)) op.count = 0.0;
  }
}

std::span<Operation> operations_of(StepProgram& program, const sim::Block& block) {
  return std::span(program.operations).subspan(block.begin, block.end - block.begin);
}

void drop_attention(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  drop(program, mixes_tokens);
}

/// Streams of a pass through a layer without experts: norms, activations and residuals first, then,
/// where products are quantised, the copies that they read.
enum class LayerStream { element_wise, casts };

void drop_stream(LayerStream which, std::span<Operation> pass) {
  LayerStream stream = LayerStream::element_wise;
  for (Operation& op : pass) {
    if (op.kind != OperationKind::memory_bound) continue;
    if (stream == which) op.count = 0.0;
    stream = LayerStream::casts;
  }
}

void drop_layer_streams(LayerStream which, const Transformer& model, StepProgram& program) {
  const sim::LayerKinds kinds = layer_kinds(model);
  for (std::size_t kind = 0; kind < kinds.count; ++kind) {
    if (kinds.list[kind].ffn == sim::FeedForward::experts) continue;
    const auto& passes = program.blocks.layers[kind];
    for (const sim::Block* const pass : {&passes.forward, &passes.recompute, &passes.backward}) {
      drop_stream(which, operations_of(program, *pass));
    }
  }
}

/// Of layers and embedding; the loss streams, too, and is another term.
void drop_element_wise(const Transformer& model, const Plan& /*any*/, StepProgram& program) {
  drop_layer_streams(LayerStream::element_wise, model, program);
  for (Operation& op : operations_of(program, program.blocks.embedding)) {
    if (op.kind == OperationKind::memory_bound) op.count = 0.0;
  }
}

void drop_casts(const Transformer& model, const Plan& /*any*/, StepProgram& program) {
  drop_layer_streams(LayerStream::casts, model, program);
}

void drop_head(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  drop(program, [](const Operation& op) { return op.part == StepPart::head_and_loss; });
}

/// Products and loss of the columns that the vocabulary has; those of the program are read off its
/// first product.
void drop_padding(const Transformer& model, const Plan& plan, StepProgram& program) {
  const std::span<Operation> head = operations_of(program, program.blocks.head);
  const double columns = head.front().gemm.n;
  const double share =
      static_cast<double>(model.vocabulary) / static_cast<double>(plan.tensor_parallel) / columns;
  for (Operation& op : head) {
    if (op.stream == Stream::compute) op.count *= share;
  }
}

void drop_recompute(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  for (auto& passes : program.blocks.layers) {
    passes.recompute.end = passes.recompute.begin;
    passes.recompute.host_passes = passes.recompute.launches = 0.0;
  }
}

void drop_optimizer(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  program.optimizer_bytes_per_parameter = 0.0;
  program.matrix_update.steps = 0;
}

void drop_tensor_traffic(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  drop(program, [](const Operation& op) { return op.stream == Stream::tensor; });
}

void drop_context_traffic(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  drop(program, [](const Operation& op) { return joins_context(op.stream); });
}

void drop_weight_traffic(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  program.mesh.weights = {};
}

void drop_pipeline_traffic(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  program.boundary = {};
  program.mesh.pipeline = {};
}

double aligned(double size, double to) { return to * std::ceil(size / to); }

/// Sizes that waste nothing, as often as the work stays the same.
void align(const Transformer& /*any*/, const Plan& /*any*/, StepProgram& program) {
  constexpr double gemm_sizes = 64.0;
  constexpr double head_sizes = 8.0;
  for (Operation& op : program.operations) {
    if (op.kind == OperationKind::gemm) {
      const double work = op.gemm.n * op.gemm.k;
      op.gemm.n = aligned(op.gemm.n, gemm_sizes);
      op.gemm.k = aligned(op.gemm.k, gemm_sizes);
      op.count *= work / (op.gemm.n * op.gemm.k);
    } else if (op.attention.head_size > 0.0) {
      const double size = op.attention.head_size;
      op.attention.head_size = aligned(size, head_sizes);
      op.count *= size / op.attention.head_size;
    }
  }
}

void no_waves(Cluster& cluster, Stack& /*same*/) { cluster.device.gemm_wave_weight = 0.0; }
void no_inner_size(Cluster& cluster, Stack& /*same*/) { cluster.device.gemm_k_half = 0.0; }
void no_kernel_overhead(Cluster& cluster, Stack& /*same*/) { cluster.device.kernel_overhead = {}; }
/// Where kernels are counted, each launch takes the device's hosts no time.
void no_host(Cluster& cluster, Stack& stack) {
  stack.host_layer_forward = {};
  cluster.device.host_factor = 0.0;
}

void no_host_jitter(Cluster& /*same*/, Stack& stack) { stack.host_jitter = {}; }
void hard_maximum(Cluster& /*same*/, Stack& stack) { stack.host_smoothness = 64.0; }
void no_group_wait(Cluster& /*same*/, Stack& stack) { stack.latency_per_rank = {}; }
void no_stragglers(Cluster& cluster, Stack& /*same*/) { cluster.jitter = 0.0; }
void no_network_state(Cluster& cluster, Stack& /*same*/) { cluster.state = {}; }

void no_network_latency(Cluster& cluster, Stack& /*same*/) {
  cluster.network.intra_delay = 0.0;
  cluster.network.inter_delay = 0.0;
  cluster.network.collective_overhead = {};
}

/// All traffic runs when nothing else does.
void no_hiding(Cluster& /*same*/, Stack& stack) {
  stack.tensor_overlap = 0.0;
  stack.async_tensor_overlap = 0.0;
  stack.data_overlap = 0.0;
  stack.zero1_overlap = 0.0;
  stack.pipeline_overlap = 0.0;
  stack.overlap_cost = 1.0;
}

void free_overlap(Cluster& /*same*/, Stack& stack) { stack.overlap_cost = 0.0; }
void even_stages(Cluster& /*same*/, Stack& stack) { stack.balance = sim::StageBalance::even; }

constexpr StepTerm by_inputs(std::string_view name, std::string_view without,
                             decltype(StepTerm::change_inputs) change) {
  return {.name = name, .without = without, .change_inputs = change};
}
constexpr StepTerm by_program(std::string_view name, std::string_view without,
                              decltype(StepTerm::change_program) change) {
  return {.name = name, .without = without, .change_program = change};
}

constexpr std::array terms{
    by_program("attention", "attention takes no time", drop_attention),
    by_program("element-wise traffic", "norms, activations, residuals and embedding take no time",
               drop_element_wise),
    by_program("casts of quantised products", "inputs of products are already in 8 or 4 bits",
               drop_casts),
    by_program("head and loss", "logits and loss take no time", drop_head),
    by_program("recomputation", "nothing is recomputed", drop_recompute),
    by_program("optimizer", "the update takes no time", drop_optimizer),
    by_program("alignment", "sizes that divide badly waste nothing", align),
    by_program("padding of the vocabulary",
               "tensor ranks share the vocabulary's own columns, as fast a column", drop_padding),
    by_inputs("waves of tiles", "the last wave of a matrix product is as full as the others",
              no_waves),
    by_inputs("inner size", "matrix products are as fast at a small inner size", no_inner_size),
    by_inputs("start of a kernel", "kernels start and drain in no time", no_kernel_overhead),
    by_inputs("host floor", "launching a layer's kernels takes no time", no_host),
    by_inputs("jitter of hosts", "hosts of a tensor-parallel group launch at one pace",
              no_host_jitter),
    by_inputs("smooth maximum", "a pass takes the longer of computing and launching", hard_maximum),
    by_inputs("waits of a group", "ranks beyond a node do not wait for each other", no_group_wait),
    by_inputs("stragglers", "a job waits for the slowest of a node's GPUs and not of all",
              no_stragglers),
    by_inputs("network state", "every job's network is in order", no_network_state),
    by_inputs("network latency", "collectives have no latency, only bandwidth", no_network_latency),
    by_program("tensor-parallel traffic", "tensor parallelism sends nothing", drop_tensor_traffic),
    by_program("context-parallel traffic", "context parallelism sends nothing",
               drop_context_traffic),
    by_program("weights and gradients", "data parallelism sends nothing", drop_weight_traffic),
    by_program("traffic between stages", "stages send nothing but one message's latency",
               drop_pipeline_traffic),
    by_inputs("hiding", "no traffic runs beside compute", no_hiding),
    by_inputs("cost of overlap", "sharded weights that travel beside compute slow nothing",
              free_overlap),
    StepTerm{.name = "pipeline bubble",
             .without = "no stage waits for another",
             .part = StepPart::pipeline_bubble},
    StepTerm{.name = "memory nearly full",
             .without = "an allocator that finds no room takes no time",
             .part = StepPart::allocator_retries},
    by_inputs("balance of stages", "every stage has equally many layers", even_stages)};

/// As if memory held anything where it does not hold the run.
sim::MemoryReport roomy_if_full(const sim::MemoryReport& memory) {
  if (status_of(memory) == sim::StepStatus::ok) return memory;
  sim::MemoryReport roomy = memory;
  roomy.capacity = sim::Bytes{0x1p60};
  return roomy;
}

sim::StepReport transformer_report(const StepTerm* term, const sim::Transformer& model,
                                   const sim::Plan& plan, const Cluster& cluster,
                                   const Stack& stack, StepProgram& program) {
  lower(model, plan, cluster, stack, program);
  sim::StepReport report;
  report.memory = roomy_if_full(
      peak_memory(program.allocations, communicators(program.mesh, plan), cluster.device, stack));
  if (term != nullptr && term->change_program != nullptr)
    term->change_program(model, plan, program);
  time_step(program, plan, cluster, stack, report);
  return report;
}

sim::StepReport report_without(const StepTerm* term, const scenarios::Scenario& scenario,
                               Cluster cluster, const Stack& stack, sim::Workspace& workspace) {
  if (const auto* const model = std::get_if<sim::Transformer>(&scenario.workload)) {
    return transformer_report(term, *model, scenario.baseline, cluster, stack, workspace.program);
  }
  const auto evaluated = [&] {
    return sim::evaluate(scenario.workload, scenario.baseline, cluster, stack, workspace);
  };
  const sim::StepReport report = evaluated();
  if (report.status == sim::StepStatus::ok) return report;
  cluster.device.memory = sim::Bytes{0x1p60};
  return evaluated();
}

}  // namespace

std::span<const StepTerm> step_terms() { return terms; }

const StepTerm* find_step_term(std::string_view name) {
  const auto found = std::ranges::find(step_terms(), name, &StepTerm::name);
  return found == step_terms().end() ? nullptr : &*found;
}

sim::Seconds step_without(const StepTerm* term, const scenarios::Scenario& scenario,
                          sim::Cluster cluster, sim::Stack stack, sim::Workspace& workspace) {
  if (term != nullptr && term->change_inputs != nullptr) term->change_inputs(cluster, stack);
  const sim::StepReport report = report_without(term, scenario, cluster, stack, workspace);
  if (term == nullptr || !term->part) return report.step;
  return report.step - report.parts[static_cast<std::size_t>(*term->part)];
}

}  // namespace cubicbench::predictor
