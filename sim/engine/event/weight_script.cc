#include "sim/engine/event/weight_script.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/engine/event/block_times.h"

namespace cubicbench::sim {
namespace {

/// What ranks of a group between nodes wait for each other in `collectives` of them, of `halves`
/// each: an all-reduce is a scatter and a gather [docs/models.md, Eq. C-5 and N-1].
Seconds waits(const Group& group, double halves, double collectives, const Cluster& cluster,
              const Stack& stack) {
  if (group.ranks == group.ranks_per_node) return {};
  return (collectives * real(group.ranks)) *
         (stack.latency_per_rank + halves * cluster.state.collective_wait);
}

std::size_t slot(AsyncStream stream) { return static_cast<std::size_t>(stream); }

double unit_parameters(const WeightPlan& plan, std::int64_t chunk, std::int64_t unit) {
  const LayerPieces& pieces = plan.chunks[static_cast<std::size_t>(chunk)];
  const auto first = static_cast<std::size_t>(unit * plan.wrap);
  const std::size_t end = std::min(first + static_cast<std::size_t>(plan.wrap), pieces.size());
  double layers = 0.0;
  for (std::size_t i = first; i < end; ++i) layers += pieces[i];
  return layers * plan.layer_parameters;
}

/// Weights that take as many bytes in a gather, were none of them frozen.
double gathered_parameters(const WeightPlan& plan, std::int64_t chunk, std::int64_t unit) {
  const WeightTraffic& traffic = plan.traffic;
  return layer_gather_bytes(traffic, plan.weights) / traffic.gather_bytes_per_parameter *
         unit_parameters(plan, chunk, unit);
}

}  // namespace

StageWeights::StageWeights(const std::vector<WeightPlan>& plans, const Cluster& cluster,
                           const Stack& stack, StepScript& step, StageScript& script)
    : cluster_(cluster),
      stack_(stack),
      step_(step),
      script_(script),
      schedule_(plans.front().traffic.schedule),
      in_units_(plans.front().traffic.in_units),
      wrap_(plans.front().wrap) {
  for (const WeightPlan& plan : plans) {
    weights_.push_back(
        {.plan = plan, .once_ready = std::vector<std::vector<std::int32_t>>(plan.chunks.size())});
  }
}

Transfer StageWeights::gather_of(double parameters, const Group& group,
                                 const WeightPlan& plan) const {
  return transfer(Collective::all_gather,
                  Bytes{parameters * plan.traffic.gather_bytes_per_parameter}, 1.0, group,
                  cluster_.network, waits(group, 1.0, 1.0, cluster_, stack_));
}

StageWeights::Reduction StageWeights::reduction_of(double parameters,
                                                   const WeightPlan& plan) const {
  const Bytes payload{parameters * plan.traffic.reduce_bytes_per_parameter};
  // Without units every layer's gradients are a collective of their own as they are ready.
  const double collectives = in_units_ ? 1.0 : plan.weights.layers;
  const auto reduced = [&](Bytes bytes, const Group& group) {
    return transfer(Collective::all_reduce, bytes, 1.0, group, cluster_.network,
                    waits(group, 2.0, collectives, cluster_, stack_));
  };
  if (!plan.traffic.reduce_scatters) return {reduced(payload, plan.groups.replica), {}};
  const Group& shard = plan.groups.shard;
  return {transfer(Collective::reduce_scatter, payload, 1.0, shard, cluster_.network,
                   waits(shard, 1.0, collectives, cluster_, stack_)),
          reduced(payload / real(shard.ranks), plan.groups.replicate)};
}

/// Of collectives over all weights of a stage, what may run beside its passes: by `share` of the
/// stack, or by the law all but the last chunk's, or without chunks but the last layer's
/// [docs/models.md, Eq. D-8].
double StageWeights::hidden_share(double share, const WeightPlan& plan) const {
  if (!counts_kernels(stack_) || share == 0.0) return share;
  const std::size_t chunks = plan.chunks.size();
  return 1.0 -
         1.0 / (chunks > 1 ? static_cast<double>(chunks) : std::max(plan.weights.layers, 1.0));
}

/// Gradients of a chunk are reduced when its last pass is over, beside those of the other chunks.
bool StageWeights::reduces_by_chunk(const WeightPlan& plan) const {
  const double share = plan.traffic.reduce_scatters ? stack_.zero1_overlap : stack_.data_overlap;
  return counts_kernels(stack_) && share > 0.0 && plan.chunks.size() > 1 && !in_units_ &&
         !schedule_.reduces_each_micro_batch();
}

/// Of bucketed gradients, what runs beside a backward pass or what after it: of the whole stage
/// once a step; of every micro-batch, of each chunk behind its pass.
StageWeights::Reduction StageWeights::buckets(bool bare, const WeightPlan& plan) const {
  const bool scatters = plan.traffic.reduce_scatters;
  const double hidden = hidden_share(scatters ? stack_.zero1_overlap : stack_.data_overlap, plan);
  const double chunks = real(static_cast<std::int64_t>(plan.chunks.size()));
  const auto part = [&](Transfer all) {
    if (schedule_.reduces_each_micro_batch()) all = part_of(all, 1.0 / chunks);
    const Transfer beside = part_of(all, hidden);
    return bare ? rest_of(all, beside) : beside;
  };
  const Reduction all = reduction_of(trained_parameters(plan.weights), plan);
  return {part(all.inside), part(all.across)};
}

std::int32_t StageWeights::issue(AsyncStream stream, const char* name, Role role,
                                 const Transfer& transfer, bool has_next) {
  auto& rows = step_.transfers;
  if (rows.empty() || !(rows.back() == transfer)) rows.push_back(transfer);
  auto& operations = script_.streams[slot(stream)];
  operations.push_back({.name = name,
                        .role = role,
                        .slows = in_units_ || counts_kernels(stack_),
                        .transfer = static_cast<std::uint32_t>(rows.size() - 1),
                        .then = has_next ? static_cast<std::int8_t>(AsyncStream::copies)
                                         : static_cast<std::int8_t>(-1)});
  if (stream == AsyncStream::weights) {
    script_.actions.push_back(
        {.kind = ActionKind::issue, .which = static_cast<std::uint8_t>(stream)});
  }
  return static_cast<std::int32_t>(operations.size());
}

std::int32_t StageWeights::gather(double parameters, const WeightPlan& plan, bool over_reshard) {
  const Group& group = over_reshard ? plan.groups.reshard : plan.groups.shard;
  return issue(AsyncStream::weights, "all_gather",
               over_reshard ? plan.roles.reshard : plan.roles.shard,
               gather_of(parameters, group, plan));
}

void StageWeights::reduce(const Reduction& reduction, const WeightPlan& plan) {
  const bool scatters = plan.traffic.reduce_scatters;
  const bool copies = scatters && plan.groups.replicate.ranks > 1;
  issue(AsyncStream::weights, scatters ? "reduce_scatter" : "all_reduce",
        scatters ? plan.roles.shard : plan.roles.replica, reduction.inside, copies);
  if (copies) issue(AsyncStream::copies, "all_reduce", plan.roles.replicate, reduction.across);
}

void StageWeights::reduce(double parameters, bool waits, const WeightPlan& plan) {
  if (!pass_.reduces) return;
  reduce(reduction_of(parameters, plan), plan);
  if (waits) await_issued(AsyncStream::weights);
}

void StageWeights::await(AsyncStream stream, std::int32_t operations) {
  if (operations > 0) {
    script_.actions.push_back({.kind = ActionKind::await,
                               .which = static_cast<std::uint8_t>(stream),
                               .index = operations});
  }
}

void StageWeights::await_issued(AsyncStream stream) {
  await(stream, static_cast<std::int32_t>(script_.streams[slot(stream)].size()));
}

void StageWeights::await_all() {
  await_issued(AsyncStream::weights);
  await_issued(AsyncStream::copies);
}

void StageWeights::begin_step() {
  if (!schedule_.gathers_once()) return;
  if (!in_units_) {
    gather_buckets(true);
    return gather_buckets(false);
  }
  const auto chunks = static_cast<std::int64_t>(weights_.front().plan.chunks.size());
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    for (std::int64_t unit = 0; unit < units_in(chunk); ++unit) {
      for (Weights& weights : weights_) {
        weights.once_ready[static_cast<std::size_t>(chunk)].push_back(
            gather(gathered_parameters(weights.plan, chunk, unit), weights.plan));
      }
    }
    for (Weights& weights : weights_) {
      if (chunk == weights.plan.ends_chunk) gather_ends(weights);
    }
  }
}

/// What nothing hides, or the rest.
void StageWeights::gather_buckets(bool bare) {
  for (Weights& weights : weights_) {
    const WeightPlan& plan = weights.plan;
    const Transfer all = gather_of(trained_parameters(plan.weights), plan.groups.shard, plan);
    const Transfer beside = part_of(all, hidden_share(stack_.zero1_overlap, plan));
    weights.ends_ready = issue(AsyncStream::weights, "all_gather", plan.roles.shard,
                               bare ? rest_of(all, beside) : beside);
    if (bare) await(AsyncStream::weights, weights.ends_ready);
  }
}

void StageWeights::gather_ends(Weights& weights) {
  const double parameters = weights.plan.weights.end_parameters;
  if (parameters > 0.0) weights.ends_ready = gather(parameters, weights.plan);
}

/// Behind the units of a forward pass come the weights outside the layers, then what a backward
/// pass that follows at once begins with.
void StageWeights::gather_at(std::int64_t place, Weights& weights) {
  const WeightPlan& plan = weights.plan;
  const auto gather_unit = [&](std::int64_t unit, bool again) {
    std::int32_t& ready = weights.ready[static_cast<std::size_t>(unit)];
    ready = gather(gathered_parameters(plan, pass_.chunk, unit), plan,
                   again && plan.traffic.backward_over_reshard_group);
  };
  if (place < units()) {
    const bool is_under_way = weights.ready[static_cast<std::size_t>(unit_at(place))] != 0;
    if (!is_under_way) gather_unit(unit_at(place), back_);
    return;
  }
  if (back_) return;
  if (pass_.with_ends) gather_ends(weights);
  if (schedule_.backward.gathers_under_compute() && !plan.pipelined) {
    gather_unit(units() - 1, true);
    prefetched_ = true;
  }
}

void StageWeights::play(const WeightEvents& events, std::int64_t place, Weights& weights) {
  for (const WeightEvent& event : events) play(event, place, weights);
}

void StageWeights::play(const WeightEvent& event, std::int64_t place, Weights& weights) {
  const WeightPlan& plan = weights.plan;
  if (!in_units_ || !happens(event, place, units())) return;
  switch (event.action) {
    case WeightAction::gather:
      return gather_at(place + event.ahead, weights);
    case WeightAction::await:
      return await(AsyncStream::weights, weights.ready[static_cast<std::size_t>(unit_at(place))]);
    case WeightAction::reduce:
      return reduce(plan.weights.unit_trained * unit_parameters(plan, pass_.chunk, unit_at(place)),
                    event.waits, plan);
    case WeightAction::reduce_ends:
      if (pass_.with_ends && plan.weights.end_parameters > 0.0 && plan.weights.ends_trained > 0.0) {
        reduce(plan.weights.end_parameters, event.waits, plan);
      }
      return;
    default:
      return;
  }
}

void StageWeights::begin_forward(const ChunkPass& pass) {
  pass_ = pass;
  back_ = false;
  for (Weights& weights : weights_) {
    const auto& once = weights.once_ready[static_cast<std::size_t>(pass.chunk)];
    weights.ready.assign(static_cast<std::size_t>(units()), 0);
    if (pass.opens && !once.empty()) weights.ready = once;
    play(order().before, -1, weights);
  }
}

void StageWeights::before(std::int64_t piece) {
  if (!(back_ ? ends_unit(piece) : begins_unit(piece))) return;
  const std::int64_t place = place_of(piece);
  for (Weights& weights : weights_) {
    if (place == 0) play(order().behind, -1, weights);
    play(order().before, place, weights);
  }
}

void StageWeights::end_forward() {
  const bool of_pass = schedule_.forward.gathers() && pass_.with_ends;
  const bool of_step =
      schedule_.gathers_once() && pass_.opens && (in_units_ ? pass_.with_ends : pass_.closes);
  if (!of_pass && !of_step) return;
  for (const Weights& weights : weights_) await(AsyncStream::weights, weights.ends_ready);
}

void StageWeights::begin_backward(const ChunkPass& pass) {
  pass_ = pass;
  back_ = true;
  for (Weights& weights : weights_) {
    const bool has_first = prefetched_ && !weights.ready.empty();
    const std::int32_t first = has_first ? weights.ready.back() : 0;
    weights.ready.assign(static_cast<std::size_t>(units()), 0);
    if (!weights.ready.empty()) weights.ready.back() = first;
    play(order().before, -1, weights);
  }
  prefetched_ = false;
  if (in_units_ || !pass.reduces) return;
  if (!pass.opens && !schedule_.reduces_each_micro_batch()) return;
  for (const Weights& weights : weights_) {
    if (reduces_by_chunk(weights.plan)) continue;
    reduce(buckets(false, weights.plan), weights.plan);
  }
}

void StageWeights::after_backward(std::int64_t piece) {
  if (!begins_unit(piece)) return;
  for (const WeightEvent& event : schedule_.backward.behind) {
    for (Weights& weights : weights_) play(event, place_of(piece), weights);
  }
}

/// FSDP has all reductions behind it when a backward pass returns. Those of accumulated gradients
/// go on beside the passes of other chunks, until the step's end.
void StageWeights::end_backward() {
  if (pass_.reduces && schedule_.awaited == ReductionsAwaited::in_each_pass) await_all();
}

void StageWeights::after_backward_pass() {
  const bool of_chunk = schedule_.awaited == ReductionsAwaited::behind_each_pass;
  if (pass_.reduces && !pass_.closes && reduces_by_chunk(weights_.front().plan)) {
    for (const Weights& weights : weights_) reduce(buckets(true, weights.plan), weights.plan);
  }
  if (!pass_.reduces || !(pass_.closes || of_chunk)) return;
  await_all();
  if (in_units_) return;
  for (const Weights& weights : weights_) reduce(buckets(true, weights.plan), weights.plan);
  await_all();
}

}  // namespace cubicbench::sim
