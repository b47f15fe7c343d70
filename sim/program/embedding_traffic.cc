#include "sim/program/embedding_traffic.h"

#include <algorithm>

#include "sim/base/real.h"

namespace cubicbench::sim {
namespace {

void add(EmbeddingTraffic& sum, double count, const TableShards& shards, const Plan& plan,
         const EmbeddingVolume& volume) {
  sum.lookup += count * lookup_traffic(shards, plan, volume).value;
  sum.update += count * update_traffic(shards, volume).value;
  sum.fetched += count * volume.fetched.value;
  sum.exchanged_forward += count * volume.sent_forward.value;
  sum.exchanged_backward += count * volume.sent_backward.value;
  sum.node_forward += count * volume.node_forward.value;
  sum.node_backward += count * volume.node_backward.value;
  sum.scattered += count * volume.scattered.value;
  sum.gathered += count * volume.gathered.value;
  sum.copied += count * volume.copied.value;
  sum.reduced += count * volume.reduced.value;
  sum.averaged += count * volume.averaged.value;
  sum.averaged_host += count * volume.averaged_host.value;
  if (shards.layout != TableLayout::replicated) sum.ids += count * volume.ids.value;
}

/// The most over ranks, kind by kind.
void take_busier(EmbeddingTraffic& most, const EmbeddingTraffic& one) {
  for (double EmbeddingTraffic::*kind :
       {&EmbeddingTraffic::lookup, &EmbeddingTraffic::update, &EmbeddingTraffic::fetched,
        &EmbeddingTraffic::exchanged_forward, &EmbeddingTraffic::exchanged_backward,
        &EmbeddingTraffic::node_forward, &EmbeddingTraffic::node_backward,
        &EmbeddingTraffic::averaged, &EmbeddingTraffic::averaged_host, &EmbeddingTraffic::ids}) {
    most.*kind = std::max(most.*kind, one.*kind);
  }
}

}  // namespace

EmbeddingTraffic embedding_traffic(const RecommendationProgram& program, const Plan& plan) {
  const TableSharding& sharding = program.sharding;
  EmbeddingTraffic shared;    // of tables that every rank has a part of
  EmbeddingTraffic received;  // a rank's own samples, the same for all
  for (std::size_t i = 0; i < sharding.shards.size(); ++i) {
    const TableShards& shards = sharding.shards[i];
    const EmbeddingVolume& volume = program.volumes[i];
    const double count = real(shards.count);
    received.exchanged_forward += count * volume.received_forward.value;
    received.exchanged_backward += count * volume.received_backward.value;
    if (!is_placed(shards)) {
      add(shared, count, shards, plan, volume);
    } else {
      received.ids += count * id_bytes * shards.pooling * real(plan.batch_per_gpu);
    }
  }
  EmbeddingTraffic most = shared;
  for (const RankClass& ranks : sharding.classes) {
    EmbeddingTraffic sum = shared;
    const auto held = sharding.held_by(ranks);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (held[i] > 0) add(sum, real(held[i]), sharding.shards[i], plan, program.volumes[i]);
    }
    take_busier(most, sum);
  }
  most.exchanged_forward = std::max(most.exchanged_forward, received.exchanged_forward);
  most.exchanged_backward = std::max(most.exchanged_backward, received.exchanged_backward);
  most.ids = std::max(most.ids, shared.ids + received.ids);
  return most;
}

}  // namespace cubicbench::sim
