#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/base/check.h"
#include "sim/engine/event/block_times.h"

namespace cubicbench::sim {
namespace {

Role role_of(Stream stream) {
  SIM_ASSERT(carries_tokens(stream), static_cast<int>(stream));
  const auto place = static_cast<std::size_t>(stream) - static_cast<std::size_t>(Stream::expert);
  return static_cast<Role>(slot(Role::expert) + place);  // in the same order
}

const char* name_of(Role role, bool back) {
  constexpr std::array<const char*, 4> there{"dispatch", "dispatch on the node",
                                             "dispatch between nodes", "tokens of a shared expert"};
  constexpr std::array<const char*, 4> home{"combine", "combine on the node",
                                            "combine between nodes", "sums of a shared expert"};
  return (back ? home : there)[slot(role) - slot(Role::expert)];
}

/// Tokens' ways there and back.
struct Ways {
  std::vector<RoleTransfer> there;
  std::vector<RoleTransfer> back;
};

Ways ways_of(std::span<const Operation> operations, const BlockPlace& on) {
  const auto is_exchange = [](const Operation& op) {
    return op.kind == OperationKind::all_to_all && carries_tokens(op.stream);
  };
  const auto exchanges = std::ranges::count_if(operations, is_exchange);
  SIM_ASSERT(exchanges % 2 == 0, exchanges);
  Ways ways;
  std::ptrdiff_t passed = 0;
  for (const Operation& op : operations) {
    if (!carries_tokens(op.stream)) continue;
    const Role role = role_of(op.stream);
    const Transfer tokens = transfer(op, group_of(on.mesh, op.stream), on.cluster.network);
    const bool back = is_exchange(op) && 2 * passed++ >= exchanges;
    if (tokens.alone() == SimTime{}) continue;
    const Transfer first = is_exchange(op) ? tokens : part_of(tokens, 0.5);
    if (!back) ways.there.push_back({name_of(role, false), role, first});
    if (back || !is_exchange(op)) {
      const Transfer last = back ? tokens : rest_of(tokens, first);
      ways.back.insert(ways.back.begin(), {name_of(role, true), role, last});
    }
  }
  return ways;
}

/// Whether traffic of `role` runs beside that of `leg`.
bool joins(Role role, const ExpertLeg& leg, const Plan& plan) {
  const auto is_step = [](Role of) { return of == Role::expert_node || of == Role::expert_across; };
  return plan.expert_dispatch == ExpertDispatch::deepep && is_step(role) &&
         leg.transfers.size() == 1 && is_step(leg.transfers.front().role) &&
         leg.transfers.front().role != role;
}

void add_way(const std::vector<RoleTransfer>& way, const Plan& plan, std::vector<ExpertLeg>& legs) {
  const std::size_t first = legs.size();
  for (const RoleTransfer& one : way) {
    if (legs.size() == first || !joins(one.role, legs.back(), plan)) legs.emplace_back();
    legs.back().transfers.push_back(one);
  }
}

/// Lets `share` of the tokens run beside the kernels, all of which come before the legs.
void hide(double share, ExpertTimes& experts) {
  std::vector<ExpertLeg> rest;
  for (const ExpertLeg& leg : experts.legs) {
    if (leg.transfers.front().role == Role::expert_tensor) {
      rest.push_back(leg);
      continue;
    }
    ExpertLeg& beside = experts.beside.emplace_back();
    ExpertLeg after;
    for (const RoleTransfer& one : leg.transfers) {
      beside.transfers.push_back({one.name, one.role, part_of(one.transfer, share)});
      const Transfer bare = rest_of(one.transfer, beside.transfers.back().transfer);
      if (bare.alone() > SimTime{}) after.transfers.push_back({one.name, one.role, bare});
    }
    if (!after.transfers.empty()) rest.push_back(after);
  }
  experts.legs = std::move(rest);
}

}  // namespace

bool computes_experts(const Operation& op) {
  return op.kind == OperationKind::gemm && op.gemm.batch > 1.0;
}

void add_legs(std::span<const Operation> operations, SimTime experts, double hidden,
              const BlockPlace& on, BlockTimes& times) {
  const Ways ways = ways_of(operations, on);
  std::vector<ExpertLeg>& legs = times.experts.legs;
  add_way(ways.there, on.plan, legs);
  const std::size_t there = legs.size();
  add_way(ways.back, on.plan, legs);
  const bool overlaps = hidden > 0.0;
  for (KernelTime& kernel : times.kernel_list) {
    if (kernel.leg > 0) kernel.leg = static_cast<std::uint8_t>(overlaps ? 0 : there);
  }
  if (overlaps) return hide(hidden, times.experts);
  if (there < legs.size()) legs[there].before = experts;
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
  return part;
}

}  // namespace cubicbench::sim
