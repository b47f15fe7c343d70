#include "sim/engine/event/weight_script.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/units.h"
#include "sim/engine/event/block_times.h"

namespace cubicbench::sim {
namespace {

/// What ranks of a group between nodes wait for each other in `collectives` of them, of `halves`
/// each: an all-reduce is a scatter and a gather [docs/models.md, Eq. C-5 and N-1].
Seconds waits(const Group& group, double halves, double collectives, const Cluster& cluster,
              const Stack& stack) {
  if (group.ranks == group.ranks_per_node) return {};
  const double n = real(group.ranks);
  return (collectives * n) * (stack.latency_per_rank + halves * cluster.state.collective_wait);
}

std::size_t slot(AsyncStream stream) { return static_cast<std::size_t>(stream); }

}  // namespace

WeightScript::WeightScript(const WeightPlan& plan, const Cluster& cluster, const Stack& stack,
                           StepScript& step, StageScript& script)
    : plan_(plan), cluster_(cluster), stack_(stack), step_(step), script_(script) {}

Transfer WeightScript::gather_of(double parameters, const Group& group) const {
  return transfer(Collective::all_gather,
                  Bytes{parameters * plan_.traffic.gather_bytes_per_parameter}, 1.0, group,
                  cluster_.network, waits(group, 1.0, 1.0, cluster_, stack_));
}

WeightScript::Reduction WeightScript::reduction_of(double parameters) const {
  const WeightTraffic& w = plan_.traffic;
  const Bytes payload{parameters * w.reduce_bytes_per_parameter};
  // Without units every layer's gradients are a collective of their own as they are ready.
  const double collectives = w.in_units ? 1.0 : plan_.weights.layers;
  const auto reduced = [&](Bytes bytes, const Group& group) {
    return transfer(Collective::all_reduce, bytes, 1.0, group, cluster_.network,
                    waits(group, 2.0, collectives, cluster_, stack_));
  };
  if (!w.reduce_scatters) return {reduced(payload, plan_.groups.replica), {}};
  const Group& shard = plan_.groups.shard;
  return {transfer(Collective::reduce_scatter, payload, 1.0, shard, cluster_.network,
                   waits(shard, 1.0, collectives, cluster_, stack_)),
          reduced(payload / real(shard.ranks), plan_.groups.replicate)};
}

std::int64_t WeightScript::units_in(const LayerPieces& pieces) const {
  return (static_cast<std::int64_t>(pieces.size()) + plan_.wrap - 1) / plan_.wrap;
}

double WeightScript::unit_parameters(const LayerPieces& pieces, std::int64_t unit) const {
  const auto first = static_cast<std::size_t>(unit * plan_.wrap);
  const std::size_t end = std::min(first + static_cast<std::size_t>(plan_.wrap), pieces.size());
  double layers = 0.0;
  for (std::size_t i = first; i < end; ++i) layers += pieces[i];
  return layers * plan_.layer_parameters;
}

bool WeightScript::ends_unit(std::int64_t piece) const {
  return piece + 1 == static_cast<std::int64_t>(pieces().size()) || begins_unit(piece + 1);
}

std::int32_t WeightScript::issue(AsyncStream stream, const char* name, Role role,
                                 const Transfer& transfer, bool has_next) {
  auto& operations = script_.streams[slot(stream)];
  std::size_t row = step_.transfers.size();
  if (row == 0 || !(step_.transfers.back() == transfer)) {
    step_.transfers.push_back(transfer);
  } else {
    --row;
  }
  operations.push_back({.name = name,
                        .role = role,
                        .slows = plan_.traffic.in_units,
                        .transfer = static_cast<std::uint32_t>(row),
                        .then = has_next ? static_cast<std::int8_t>(AsyncStream::copies)
                                         : static_cast<std::int8_t>(-1)});
  if (stream == AsyncStream::weights) {
    script_.actions.push_back(
        {.kind = ActionKind::issue, .which = static_cast<std::uint8_t>(stream)});
  }
  return static_cast<std::int32_t>(operations.size());
}

void WeightScript::await(AsyncStream stream, std::int32_t operations) {
  if (operations > 0) {
    script_.actions.push_back({.kind = ActionKind::await,
                               .which = static_cast<std::uint8_t>(stream),
                               .index = operations});
  }
}

void WeightScript::await_weights() {
  await(AsyncStream::weights,
        static_cast<std::int32_t>(script_.streams[slot(AsyncStream::weights)].size()));
}

void WeightScript::await_all() {
  for (const AsyncStream stream : {AsyncStream::weights, AsyncStream::copies}) {
    await(stream, static_cast<std::int32_t>(script_.streams[slot(stream)].size()));
  }
}

void WeightScript::gather_unit(std::int64_t unit, bool again) {
  const bool over_reshard = again && plan_.traffic.backward_over_reshard_group;
  const Group& group = over_reshard ? plan_.groups.reshard : plan_.groups.shard;
  ready_[static_cast<std::size_t>(unit)] = issue(
      AsyncStream::weights, "all_gather", over_reshard ? plan_.roles.reshard : plan_.roles.shard,
      gather_of(unit_parameters(pieces(), unit), group));
}

void WeightScript::gather_ends() {
  if (plan_.weights.end_parameters > 0.0) {
    ends_ready_ = issue(AsyncStream::weights, "all_gather", plan_.roles.shard,
                        gather_of(plan_.weights.end_parameters, plan_.groups.shard));
  }
}

void WeightScript::reduce(const Reduction& reduction) {
  const bool scatters = plan_.traffic.reduce_scatters;
  const bool copies = scatters && plan_.groups.replicate.ranks > 1;
  issue(AsyncStream::weights, scatters ? "reduce_scatter" : "all_reduce",
        scatters ? plan_.roles.shard : plan_.roles.replica, reduction.inside, copies);
  if (copies) issue(AsyncStream::copies, "all_reduce", plan_.roles.replicate, reduction.across);
}

void StageWeights::begin_step() {
  for (WeightScript& script : scripts_) script.gather_bare();
  for (WeightScript& script : scripts_) script.gather_beside();
  const WeightScript& first = scripts_.front();
  for (std::size_t chunk = 0; chunk < first.plan_.chunks.size(); ++chunk) {
    const auto number = static_cast<std::int64_t>(chunk);
    const std::int64_t units = first.units_in(first.plan_.chunks[chunk]);
    for (std::int64_t unit = 0; unit < units; ++unit) {
      for (WeightScript& script : scripts_) script.gather_once(number, unit);
    }
    for (WeightScript& script : scripts_) script.gather_ends_once(number);
  }
}

/// Without units, what nothing hides.
void WeightScript::gather_bare() {
  const WeightTraffic& w = plan_.traffic;
  if (!w.gather_once || w.in_units) return;
  const Transfer all = gather_of(plan_.weights.parameters, plan_.groups.shard);
  const Transfer bare = rest_of(all, part_of(all, stack_.zero1_overlap));
  await(AsyncStream::weights, issue(AsyncStream::weights, "all_gather", plan_.roles.shard, bare));
}

void WeightScript::gather_beside() {
  const WeightTraffic& w = plan_.traffic;
  if (!w.gather_once || w.in_units) return;
  const Transfer all = gather_of(plan_.weights.parameters, plan_.groups.shard);
  ends_ready_ = issue(AsyncStream::weights, "all_gather", plan_.roles.shard,
                      part_of(all, stack_.zero1_overlap));
}

void WeightScript::gather_once(std::int64_t chunk, std::int64_t unit) {
  const WeightTraffic& w = plan_.traffic;
  if (!w.gather_once || !w.in_units) return;
  const auto index = static_cast<std::size_t>(chunk);
  once_ready_.resize(plan_.chunks.size());
  once_ready_[index].push_back(
      issue(AsyncStream::weights, "all_gather", plan_.roles.shard,
            gather_of(unit_parameters(plan_.chunks[index], unit), plan_.groups.shard)));
}

void WeightScript::gather_ends_once(std::int64_t chunk) {
  const WeightTraffic& w = plan_.traffic;
  if (w.gather_once && w.in_units && chunk == plan_.ends_chunk) gather_ends();
}

void WeightScript::begin_forward(const ChunkPass& pass) {
  pass_ = pass;
  ready_.assign(static_cast<std::size_t>(units()), 0);
  if (plan_.traffic.gather_forward && units() > 0) gather_unit(0, false);
}

void WeightScript::before_forward(std::int64_t piece) {
  const WeightTraffic& w = plan_.traffic;
  if (!w.in_units) return;
  if (!w.gather_forward) {
    if (pass_.opens && !once_ready_.empty()) {
      const auto& ready = once_ready_[static_cast<std::size_t>(pass_.chunk)];
      await(AsyncStream::weights, ready[static_cast<std::size_t>(unit_of(piece))]);
    }
    return;
  }
  if (!begins_unit(piece)) return;
  const std::int64_t unit = unit_of(piece);
  const std::int32_t ready = ready_[static_cast<std::size_t>(unit)];
  await(AsyncStream::weights, ready);
  if (unit + 1 < units()) {
    gather_unit(unit + 1, false);
    return;
  }
  if (pass_.with_ends) gather_ends();
  if (w.gather_backward && w.backward_gather_hides && !plan_.pipelined) {
    gather_unit(unit, true);  // what the backward pass begins with
    prefetched_ = true;
  }
}

void WeightScript::end_forward() {
  const WeightTraffic& w = plan_.traffic;
  const bool of_pass = w.gather_forward && pass_.with_ends;
  const bool of_step =
      w.gather_once && pass_.opens && (w.in_units ? pass_.with_ends : pass_.closes);
  if (of_pass || of_step) await(AsyncStream::weights, ends_ready_);
}

void WeightScript::begin_backward(const ChunkPass& pass) {
  const WeightTraffic& w = plan_.traffic;
  const std::int32_t under_way = prefetched_ && !ready_.empty() ? ready_.back() : 0;
  pass_ = pass;
  ready_.assign(static_cast<std::size_t>(units()), 0);
  if (w.gather_backward && w.backward_gather_hides && units() > 0) {
    if (prefetched_) {
      ready_.back() = under_way;
    } else {
      gather_unit(units() - 1, true);
    }
  }
  prefetched_ = false;
  if (!w.in_units && pass.reduces && (pass.opens || w.reduce_each_micro_batch)) {
    reduce(buckets().beside);
  }
}

/// Gradients of the whole stage once a step; of every micro-batch, those of each chunk behind its
/// pass.
WeightScript::Buckets WeightScript::buckets() const {
  const WeightTraffic& w = plan_.traffic;
  const double hidden = w.reduce_scatters ? stack_.zero1_overlap : stack_.data_overlap;
  Reduction all = reduction_of(plan_.weights.parameters);
  if (w.reduce_each_micro_batch) {
    const double chunk = 1.0 / real(static_cast<std::int64_t>(plan_.chunks.size()));
    all = {part_of(all.inside, chunk), part_of(all.across, chunk)};
  }
  const Reduction beside{part_of(all.inside, hidden), part_of(all.across, hidden)};
  return {.beside = beside,
          .bare = {rest_of(all.inside, beside.inside), rest_of(all.across, beside.across)}};
}

void WeightScript::before_backward(std::int64_t piece) {
  const WeightTraffic& w = plan_.traffic;
  if (!w.in_units || !ends_unit(piece)) return;
  const std::int64_t unit = unit_of(piece);
  if (w.gather_backward) {
    if (ready_[static_cast<std::size_t>(unit)] == 0) gather_unit(unit, true);
    await(AsyncStream::weights, ready_[static_cast<std::size_t>(unit)]);
    if (w.backward_gather_hides && unit > 0) gather_unit(unit - 1, true);
  }
  if (unit == 0 && pass_.with_ends && pass_.reduces && plan_.weights.end_parameters > 0.0) {
    reduce(reduction_of(plan_.weights.end_parameters));
    if (!w.reduce_hides) await_weights();
  }
}

void StageWeights::after_backward(std::int64_t piece) {
  for (WeightScript& script : scripts_) script.gather_next(piece);
  for (WeightScript& script : scripts_) script.reduce_unit(piece);
}

/// After the gradient (backward_prefetch = post), and yet before its reduction is launched.
void WeightScript::gather_next(std::int64_t piece) {
  const WeightTraffic& w = plan_.traffic;
  if (!w.in_units || !begins_unit(piece)) return;
  const std::int64_t unit = unit_of(piece);
  const bool gathers_now = w.gather_backward && !w.backward_gather_hides && w.reduce_hides;
  if (gathers_now && unit > 0) gather_unit(unit - 1, true);
}

void WeightScript::reduce_unit(std::int64_t piece) {
  const WeightTraffic& w = plan_.traffic;
  if (!w.in_units || !begins_unit(piece) || !pass_.reduces) return;
  reduce(reduction_of(unit_parameters(pieces(), unit_of(piece))));
  if (!w.reduce_hides) await_weights();
}

/// FSDP has all reductions behind it when a backward pass returns. Those of accumulated gradients
/// go on beside the passes of other chunks, until the step's end.
void WeightScript::end_backward() {
  const WeightTraffic& w = plan_.traffic;
  if (w.in_units && w.reduce_each_micro_batch) await_all();
}

void StageWeights::after_backward_pass() {
  WeightScript& first = scripts_.front();
  const WeightTraffic& w = first.plan_.traffic;
  const bool of_chunk = !w.in_units && w.reduce_each_micro_batch;
  if (!first.pass_.reduces || !(first.pass_.closes || of_chunk)) return;
  first.await_all();
  if (w.in_units) return;
  for (WeightScript& script : scripts_) script.reduce(script.buckets().bare);
  first.await_all();
}

}  // namespace cubicbench::sim
