#include "sim/engine/placed_tables.h"

#include <algorithm>

#include "sim/plan/plan_key.h"

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

const PlacedTables::Placing& PlacedTables::of(const Plan& plan, Bytes resident) {
  Placings& placings = placings_.get(sharding_key(plan), [] { return Placings{}; });
  const auto known = std::ranges::find(placings.residents, resident, &Placings::Resident::bytes);
  if (known != placings.residents.end()) return placings.all[known->placing];
  if (placings.residents.size() == residents_max) placings = {};
  shard_tables(model_, plan, cluster_, resident, planned_);
  const std::size_t row = row_of_planned(placings);
  placings.residents.push_back({resident, row});
  return placings.all[row];
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
