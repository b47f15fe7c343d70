#include "sim/engine/event/transfer_time.h"

namespace cubicbench::sim {
namespace {

Collective collective_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::all_reduce:
      return Collective::all_reduce;
    case OperationKind::all_to_all:
      return Collective::all_to_all;
    default:
      return Collective::all_gather;
  }
}

}  // namespace

Transfer transfer(Collective op, Bytes bytes, double times, const Group& group,
                  const Network& network, Seconds wait) {
  if (group.ranks == 1 || bytes.value <= 0.0 || times <= 0.0) return {};
  const CollectiveCost cost = collective_cost(op, bytes, group, network);
  Transfer all{.op = op, .algorithm = cost.algorithm, .bytes = times * bytes};
  all.latency = to_sim_time(times * cost.start + wait);
  all.busy = to_sim_time(times * cost.time + wait) - all.latency;
  return all;
}

Transfer transfer(const Operation& op, const Group& group, const Network& network, Seconds wait) {
  return transfer(collective_of(op.kind), op.bytes, op.count, group, network, wait);
}

Transfer part_of(const Transfer& whole, double share) {
  Transfer part = whole;
  part.bytes = share * whole.bytes;
  part.latency = scaled(whole.latency, share);
  part.busy = scaled(whole.alone(), share) - part.latency;
  return part;
}

Transfer rest_of(const Transfer& whole, const Transfer& part) {
  Transfer rest = whole;
  rest.bytes = whole.bytes - part.bytes;
  rest.latency = whole.latency - part.latency;
  rest.busy = whole.busy - part.busy;
  return rest;
}

}  // namespace cubicbench::sim
