#include "sim/engine/event/expert_legs.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/engine/event/transfer_time.h"

namespace cubicbench::sim {
namespace {

Role role_of(Stream stream) {
  switch (stream) {
    case Stream::expert:
      return Role::expert;
    case Stream::expert_node:
      return Role::expert_node;
    case Stream::expert_across:
      return Role::expert_across;
    case Stream::expert_tensor:
      return Role::expert_tensor;
    default:
      break;
  }
  SIM_ASSERT(false, static_cast<int>(stream));
  return Role::expert;
}

const Group& group_of(Role role, const DeviceMesh& mesh) {
  switch (role) {
    case Role::expert_node:
      return mesh.expert_node;
    case Role::expert_across:
      return mesh.expert_across;
    case Role::expert_tensor:
      return mesh.expert_tensor;
    default:
      return mesh.expert;
  }
}

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

const char* name_of(Role role, bool back) {
  switch (role) {
    case Role::expert_node:
      return back ? "combine on the node" : "dispatch on the node";
    case Role::expert_across:
      return back ? "combine between nodes" : "dispatch between nodes";
    case Role::expert_tensor:
      return "tokens of a shared expert";
    default:
      return back ? "combine" : "dispatch";
  }
}

bool leads_to_experts(const ExpertLeg& leg) {
  return leg.transfers.front().role != Role::expert_tensor;
}

/// Whether traffic of `role` runs beside that of `leg`.
bool joins(Role role, const ExpertLeg& leg, const Plan& plan) {
  return plan.expert_dispatch == ExpertDispatch::deepep && role != Role::expert_tensor &&
         std::ranges::none_of(leg.transfers, [&](const RoleTransfer& other) {
           return other.role == role || other.role == Role::expert_tensor;
         });
}

/// The first half of the legs to other experts leads there, the second half back.
void name_legs(std::vector<ExpertLeg>& legs) {
  const auto ways = std::ranges::count_if(legs, leads_to_experts);
  std::ptrdiff_t way = 0;
  for (ExpertLeg& leg : legs) {
    for (RoleTransfer& one : leg.transfers) one.name = name_of(one.role, 2 * way >= ways);
    if (leads_to_experts(leg)) ++way;
  }
}

}  // namespace

bool carries_tokens(Stream stream) {
  return stream == Stream::expert || stream == Stream::expert_node ||
         stream == Stream::expert_across || stream == Stream::expert_tensor;
}

void add_tokens(const Operation& op, const BlockPlace& on, BlockTimes& times) {
  const Role role = role_of(op.stream);
  const Transfer tokens = transfer(collective_of(op.kind), op.bytes, op.count,
                                   group_of(role, on.mesh), on.cluster.network);
  if (tokens.alone() == SimTime{}) return;
  ExpertTimes& experts = times.experts;
  const bool kernels_between = experts.legs.empty() || experts.after > SimTime{};
  if (kernels_between || !joins(role, experts.legs.back(), on.plan)) {
    experts.legs.push_back({.before = experts.after});
    experts.after = {};
  }
  experts.legs.back().transfers.push_back({.role = role, .transfer = tokens});
}

void finish_legs(double hidden, BlockTimes& times) {
  ExpertTimes& experts = times.experts;
  name_legs(experts.legs);
  if (hidden <= 0.0 || experts.legs.empty()) return;
  for (KernelTime& kernel : times.kernel_list) kernel.leg = 0;
  experts.after = {};
  experts.beside = std::move(experts.legs);
  experts.legs.clear();
  for (ExpertLeg& beside : experts.beside) {
    beside.before = {};
    ExpertLeg rest;
    for (RoleTransfer& one : beside.transfers) {
      const Transfer whole = one.transfer;
      one.transfer = part_of(whole, hidden);
      const Transfer after = rest_of(whole, one.transfer);
      if (after.alone() > SimTime{}) rest.transfers.push_back({one.name, one.role, after});
    }
    if (!rest.transfers.empty()) experts.legs.push_back(rest);
  }
}

ExpertTimes part_of(const ExpertTimes& whole, double share) {
  ExpertTimes part = whole;
  const auto shorten = [&](std::vector<ExpertLeg>& legs) {
    for (ExpertLeg& leg : legs) {
      leg.before = scaled(leg.before, share);
      for (RoleTransfer& one : leg.transfers) one.transfer = part_of(one.transfer, share);
    }
  };
  shorten(part.beside);
  shorten(part.legs);
  part.after = scaled(whole.after, share);
  return part;
}

}  // namespace cubicbench::sim
