#include <array>

#include "sim/program/lower_recommendation.h"

namespace cubicbench::sim {
namespace {

/// Of traffic, what is summed over shards.
constexpr std::array<Bytes EmbeddingTraffic::*, 17> kinds{
    &EmbeddingTraffic::lookup,        &EmbeddingTraffic::update,
    &EmbeddingTraffic::fetched,       &EmbeddingTraffic::sent_forward,
    &EmbeddingTraffic::sent_backward, &EmbeddingTraffic::node_forward,
    &EmbeddingTraffic::node_backward, &EmbeddingTraffic::scattered,
    &EmbeddingTraffic::gathered,      &EmbeddingTraffic::copied,
    &EmbeddingTraffic::reduced,       &EmbeddingTraffic::averaged,
    &EmbeddingTraffic::averaged_host, &EmbeddingTraffic::ids,
    &EmbeddingTraffic::held,          &EmbeddingTraffic::unique,
    &EmbeddingTraffic::summed};

void add(EmbeddingTraffic& sum, double count, const TableShards& shards, const Plan& plan,
         const EmbeddingVolume& volume) {
  EmbeddingTraffic one{volume, lookup_traffic(shards, plan, volume),
                       update_traffic(shards, volume)};
  if (shards.layout == TableLayout::replicated) one.ids = {};
  for (const auto kind : kinds) sum.*kind += count * one.*kind;
}

/// An update of all rows is element-wise over the whole table [TorchRec, planner constants].
constexpr double replica_update_factor = 9.22;

class EmbeddingWriter {
 public:
  EmbeddingWriter(const Recommendation& model, const Plan& plan, const Stack& stack,
                  RecommendationProgram& program)
      : model_(model),
        plan_(plan),
        stack_(stack),
        program_(program),
        traffic_(program.load.traffic) {}

  void write() {
    const auto set = [&](EmbeddingBlock id, auto body) {
      program_.embedding[static_cast<std::size_t>(id)] = block_of(program_.operations, 0.0, body);
    };
    set(EmbeddingBlock::input, [&] { input(); });
    set(EmbeddingBlock::ahead, [&] { ahead(); });
    set(EmbeddingBlock::fetch, [&] {
      if (!fetches_ahead()) fetch(Stream::compute);
    });
    set(EmbeddingBlock::lookup, [&] { lookup(); });
    set(EmbeddingBlock::exchange_forward, [&] {
      exchange(OperationKind::gather, Stream::embedding_node, traffic_.node_forward);
      exchange(OperationKind::all_to_all, Stream::embedding, traffic_.sent_forward);
      exchange(OperationKind::gather, Stream::embedding, traffic_.scattered);
    });
    set(EmbeddingBlock::exchange_backward, [&] {
      exchange(OperationKind::all_to_all, Stream::embedding, traffic_.sent_backward);
      exchange(OperationKind::gather, Stream::embedding_node, traffic_.node_backward);
      exchange(OperationKind::gather, Stream::embedding, traffic_.gathered);
      reduce_replicas();
    });
    set(EmbeddingBlock::update, [&] { update(); });
    set(EmbeddingBlock::average, [&] { average(); });
  }

 private:
  void input() {
    const double b = real(plan_.batch_per_gpu);
    const double ids = id_bytes * ids_per_sample(model_);
    const double dense = 4.0 * real(model_.dense_inputs);
    const double on_node = real(program_.world.ranks_per_node);
    pause(Stream::input, StepPart::host,
          b * (stack_.input_sample + on_node * stack_.node_input_sample));
    add(OperationKind::host_copy, Stream::input, StepPart::input, Bytes{b * (ids + dense)});
    if (plan_.length_balancing) {  // samples travel to the ranks that train them
      add(OperationKind::all_to_all, Stream::input, StepPart::input, Bytes{b * (ids + dense)});
    }
    add(OperationKind::all_to_all, Stream::input, StepPart::input, traffic_.ids);
  }

  bool is_pipelined() const { return plan_.input_pipeline == InputPipeline::pipelined; }

  /// Rows that the cache lacks are copied for the next batch, whose ids are known by then.
  bool fetches_ahead() const {
    return is_pipelined() && plan_.embedding_kernel == EmbeddingKernel::uvm_caching;
  }

  void fetch(Stream stream) {
    add(OperationKind::host_copy, stream, StepPart::embedding_host, traffic_.fetched);
  }

  double hidden_share() const { return is_pipelined() ? stack_.lookup_overlap : 0.0; }

  Bytes lookup_bytes() const {
    return stack_.lookup_factor * traffic_.lookup + quantised(plan_.forward_comm_dtype) +
           traffic_.unique;
  }

  void ahead() {
    if (fetches_ahead()) fetch(Stream::input);
    add(OperationKind::memory_bound, Stream::input, StepPart::embedding_lookup,
        hidden_share() * lookup_bytes());
  }

  void lookup() {
    pause(Stream::compute, StepPart::embedding_fixed, stack_.sparse_step);
    add(OperationKind::memory_bound, Stream::compute, StepPart::embedding_lookup,
        (1.0 - hidden_share()) * lookup_bytes());
  }

  void update() {
    add(OperationKind::memory_bound, Stream::compute, StepPart::embedding_lookup,
        stack_.lookup_factor * traffic_.update + traffic_.copied + traffic_.summed +
            replica_update_factor * (traffic_.reduced + swept()) +
            quantised(plan_.backward_comm_dtype));
  }

  /// Rows that no id asks for keep moving by their momentum where software computes that.
  Bytes swept() const {
    const bool has_moments = state_bytes(plan_.embedding_optimizer) > 0.0;
    return stack_.updates_all_rows && has_moments ? traffic_.held : Bytes{};
  }

  /// Rows that travel in 8 bits are quantised and back, read in 16 bits and written in 8 or the
  /// other way round, on the way out and in.
  Bytes quantised(Dtype wire) const {
    if (wire_bytes(wire) >= 2.0) return {};
    const double per_element = 2.0 * (2.0 + wire_bytes(wire));
    const Bytes sent = traffic_.sent_forward + traffic_.node_forward + traffic_.scattered;
    return per_element * sent / wire_bytes(plan_.forward_comm_dtype);
  }

  /// Gradients of replicated tables travel with the dense ones, and hide as they do.
  void reduce_replicas() {
    const auto before = program_.operations.size();
    exchange(OperationKind::all_reduce, Stream::embedding_world, traffic_.reduced);
    if (program_.operations.size() > before) {
      program_.operations.back().count *= 1.0 - stack_.data_overlap;
    }
  }

  /// Once in some steps: shares of one in each.
  void average() {
    const auto before = program_.operations.size();
    add(OperationKind::host_copy, Stream::compute, StepPart::embedding_host,
        traffic_.averaged_host);
    exchange(OperationKind::all_reduce, Stream::embedding_copies, traffic_.averaged);
    for (auto i = before; i < program_.operations.size(); ++i) {
      program_.operations[i].count /= real(plan_.embedding_sync_interval);
    }
  }

  /// Between nodes the software may need longer than the network.
  void exchange(OperationKind kind, Stream stream, Bytes bytes) {
    const auto before = program_.operations.size();
    add(kind, stream, StepPart::embedding_communication, bytes);
    if (program_.operations.size() > before && nodes_of(program_.group_of(stream)) > 1) {
      program_.operations.back().count *= stack_.exchange_factor;
    }
  }

  void add(OperationKind kind, Stream stream, StepPart part, Bytes bytes) {
    if (bytes.value > 0.0) {
      program_.operations.push_back({.kind = kind, .stream = stream, .part = part, .bytes = bytes});
    }
  }

  void pause(Stream stream, StepPart part, Seconds time) {
    if (time.value > 0.0) {
      program_.operations.push_back(
          {.kind = OperationKind::pause, .stream = stream, .part = part, .time = time});
    }
  }

  const Recommendation& model_;
  const Plan& plan_;
  const Stack& stack_;
  RecommendationProgram& program_;
  const EmbeddingTraffic& traffic_;
};

}  // namespace

EmbeddingTraffic embedding_traffic(const Plan& plan, const TableSharding& sharding,
                                   const RecommendationProgram& program) {
  EmbeddingTraffic shared;    // of tables that every rank has a part of
  EmbeddingTraffic received;  // a rank's own samples, the same for all
  for (std::size_t i = 0; i < sharding.shards.size(); ++i) {
    const TableShards& shards = sharding.shards[i];
    const EmbeddingVolume& volume = program.volumes[i];
    const double count = real(shards.count);
    received.sent_forward += count * volume.received_forward;
    received.sent_backward += count * volume.received_backward;
    if (!is_placed(shards)) {
      add(shared, count, shards, plan, volume);
    } else {
      received.ids +=
          Bytes{volume.asked * count * id_bytes * shards.pooling * real(plan.batch_per_gpu)};
    }
  }
  EmbeddingTraffic most = shared;
  for (const RankClass& ranks : sharding.classes) {
    EmbeddingTraffic sum = shared;
    const auto held = sharding.held_by(ranks);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (held[i] > 0) add(sum, real(held[i]), sharding.shards[i], plan, program.volumes[i]);
    }
    for (const auto kind : kinds) most.*kind = max(most.*kind, sum.*kind);
  }
  most.sent_forward = max(most.sent_forward, received.sent_forward);
  most.sent_backward = max(most.sent_backward, received.sent_backward);
  most.ids = max(most.ids, shared.ids + received.ids);
  return most;
}

void write_embeddings(const Recommendation& model, const Plan& plan, const Stack& stack,
                      RecommendationProgram& program) {
  EmbeddingWriter(model, plan, stack, program).write();
}

}  // namespace cubicbench::sim
