#include "sim/engine/placed_tables.h"

#include <algorithm>

#include "sim/plan/plan_key.h"
#include "sim/plan/validity.h"

namespace cubicbench::sim {
namespace {

/// Leaves the planner's scratch where it is.
void copy_placed(const TableSharding& from, TableSharding& to) {
  to.shards = from.shards;
  to.classes = from.classes;
  to.held = from.held;
  to.copies = from.copies;
  to.ranks = from.ranks;
  to.node_ranks = from.node_ranks;
}

/// Of shardings of one key, whose copies and ranks are the same.
bool is_same(const TableSharding& a, const TableSharding& b) {
  return a.shards == b.shards && a.classes == b.classes && a.held == b.held;
}

}  // namespace

ShardingKey sharding_key(const Plan& plan) {
  return {
      two_settings(plan.embedding_groups, plan.embedding_cache_thousandths),
      two_settings(plan.embedding_replicate_below_gib_thousandths, 0),
      packed_choices(plan.embedding_plan, plan.embedding_kernel, plan.embedding_dtype,
                     plan.embedding_optimizer, plan.forward_comm_dtype, plan.backward_comm_dtype)};
}

PlacedTables::Placing PlacedTables::of(const Plan& plan, Bytes resident) {
  Placings& placings = placings_.get(sharding_key(plan), [&] {
    return Placings{.refused = bool(check_tables(plan, cluster_)), .all = {}, .ranges = {}};
  });
  if (placings.refused) return {};
  if (!placings.latest.has(resident)) placings.latest = range_of(placings, plan, resident);
  const Placings::Range& range = placings.latest;
  return {.number = range.number, .tables = &placings.all[range.row].tables};
}

PlacedTables::Placings::Range PlacedTables::range_of(Placings& placings, const Plan& plan,
                                                     Bytes resident) {
  const auto has = [&](const Placings::Range& range) { return range.has(resident); };
  const auto known = std::ranges::find_if(placings.ranges, has);
  if (known != placings.ranges.end()) return *known;
  if (placings.ranges.size() == ranges_max) placings = {};
  return placings.ranges.emplace_back(planned(placings, plan, resident));
}

PlacedTables::Placings::Range PlacedTables::planned(Placings& placings, const Plan& plan,
                                                    Bytes resident) {
  // Far beyond what rounding makes of sums of bytes.
  constexpr Bytes margin{1024.0};
  shard_tables(model_, plan, cluster_, resident, planned_);
  const auto [less, more] = planned_.slack;
  const std::size_t row = row_of_planned(placings);
  return {.least = min(resident, resident - Bytes{more} + margin),
          .most = max(resident, resident + Bytes{less} - margin),
          .row = row,
          .number = placings.all[row].number};
}

std::size_t PlacedTables::row_of_planned(Placings& placings) {
  std::size_t row = 0;
  while (row < placings.all.size() && !is_same(placings.all[row].tables, planned_)) ++row;
  if (row == placings.all.size()) {
    placings.all.push_back({.number = ++numbers_, .tables = {}});
    copy_placed(planned_, placings.all.back().tables);
  }
  return row;
}

}  // namespace cubicbench::sim
