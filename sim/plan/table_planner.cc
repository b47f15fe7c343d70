#include "sim/plan/table_planner.h"

#include <algorithm>
#include <array>

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

/// As many equal shards of at least the minimum width as divide the row.
std::int64_t columns_of(std::int64_t dim) {
  std::int64_t columns = std::max<std::int64_t>(1, dim / column_shard_width_min);
  while (dim % columns != 0) --columns;
  return columns;
}

/// A group that is cut already, cut anew: how often its cache misses does not depend on the cut.
TableShards cut_anew(const TableShards& before, const TableGroup& group, const Cut& cut,
                     const Plan& plan, const TableSharding& sharding) {
  TableShards shards{.layout = cut.layout,
                     .count = group.tables * cut.parts,
                     .parts = cut.parts,
                     .rows = group.rows,
                     .width = group.dim,
                     .pooling = group.pooling / real(cut.parts),
                     .element_bytes = element_bytes(group, plan),
                     .pooled = group.pooled,
                     .kernel = plan.embedding_kernel,
                     .access = {.rows = real(group.rows), .skew = group.skew},
                     .misses = before.misses};
  if (cut.layout == TableLayout::replicated) shards.kernel = EmbeddingKernel::fused;
  // A replica has all rows.
  const bool is_cut = cut.layout != TableLayout::replicated;
  const std::int64_t pieces = is_cut ? shard_ranks(cut.layout, sharding) * cut.parts : 1;
  shards.rows = (group.rows + pieces - 1) / pieces;
  if (cut.by_columns) {
    shards.columns = columns_of(group.dim);
    shards.width = group.dim / shards.columns;
    shards.count *= shards.columns;
  }
  return shards;
}

/// What plans tables: the model, how its shards are weighed, and the sharding that is changed.
class TablePlanWriter {
 public:
  TablePlanWriter(const Recommendation& model, const Plan& plan, const ShardRates& rates,
                  double room, TableSharding& sharding)
      : model_(model), plan_(plan), rates_(rates), room_(room), sharding_(sharding) {}

 protected:
  /// Cuts a group anew and weighs its shards.
  void cut_group(std::size_t i, const Cut& cut) {
    TableShards& shards = sharding_.shards[i];
    shards = cut_anew(shards, model_.tables[i], cut, plan_, sharding_);
    weigh(i, plan_, rates_, sharding_);
  }

  const Recommendation& model_;
  const Plan& plan_;
  const ShardRates& rates_;
  double room_;
  TableSharding& sharding_;
};

/// In the order in which they are preferred where they cost the same.
constexpr std::array<Cut, 11> cuts{{{.layout = TableLayout::whole},
                                    {.layout = TableLayout::whole, .by_columns = true},
                                    {.layout = TableLayout::whole, .parts = 2},
                                    {.layout = TableLayout::whole, .parts = 4},
                                    {.layout = TableLayout::whole, .parts = 8},
                                    {.layout = TableLayout::by_node_rows},
                                    {.layout = TableLayout::by_node_rows, .by_columns = true},
                                    {.layout = TableLayout::by_node_rows, .parts = 2},
                                    {.layout = TableLayout::by_node_rows, .parts = 4},
                                    {.layout = TableLayout::by_node_rows, .parts = 8},
                                    {.layout = TableLayout::by_rows}}};

constexpr std::uint32_t over_all_ranks = cuts.size() - 1;

class Planner : TablePlanWriter {
 public:
  using TablePlanWriter::TablePlanWriter;

  void run() {
    sharding_.order.assign(model_.tables.size(), 0);  // the cut of each group
    for (std::size_t i = 0; i < model_.tables.size(); ++i) {
      if (sharding_.shards[i].layout == TableLayout::replicated) continue;
      std::uint32_t cut = 0;
      take(i, cut);
      while (!fits(i) && cut + 1 < cuts.size())
        if (is_possible(cuts[++cut])) take(i, cut);
    }
    TableBalance now = balance_of(sharding_);
    double least = now.least(ranks());
    std::vector<std::uint32_t>& best = sharding_.best_cuts;
    best = sharding_.order;
    while (cut_heaviest(now)) {
      now = balance_of(sharding_);
      if (now.least(ranks()) < least) {
        least = now.least(ranks());
        best = sharding_.order;
      }
    }
    for (std::size_t i = 0; i < best.size(); ++i) {
      if (best[i] != sharding_.order[i]) take(i, best[i]);
    }
    while (spread_heaviest()) {
    }
  }

 private:
  bool fits(std::size_t i) {
    return sharding_.slack.fits(device_bytes(sharding_.shards[i], plan_), room_);
  }

  void take(std::size_t i, std::uint32_t cut) {
    cut_group(i, cuts[cut]);
    sharding_.order[i] = cut;
  }

  /// There are ranks or nodes enough.
  bool is_possible(const Cut& cut) const {
    const std::int64_t places =
        cut.layout == TableLayout::whole ? sharding_.ranks : sharding_.ranks / sharding_.node_ranks;
    return cut.parts <= places;
  }

  double ranks() const { return real(sharding_.ranks); }
  double read_of(std::size_t i) const { return sharding_.costs_read[i]; }
  double wire_of(std::size_t i) const { return sharding_.costs[i] - read_of(i); }

  /// What one shard of a group exceeds fair shares by.
  double excess(std::size_t i, const TableBalance& sum) const {
    return std::max(0.0, read_of(i) - sum.read / ranks()) +
           std::max(0.0, wire_of(i) - sum.wire / ranks());
  }

  /// The group whose shards exceed them most; 0 where none is placed.
  std::size_t heaviest(const TableBalance& sum) const {
    double most = -1.0;
    std::size_t group = 0;
    for (std::size_t i = 0; i < sharding_.shards.size(); ++i) {
      if (!is_placed(sharding_.shards[i]) || excess(i, sum) <= most) continue;
      most = excess(i, sum);
      group = i;
    }
    return group;
  }

  /// What it would cost if this were the heaviest left.
  double worst_with(std::size_t i, TableBalance others) const {
    add_group(i, 1.0, sharding_, others);
    const bool placed = is_placed(sharding_.shards[i]);
    others.largest_read = placed ? read_of(i) : 0.0;
    others.largest_wire = placed ? wire_of(i) : 0.0;
    return others.least(ranks());
  }

  /// Cuts the group with the heaviest shard to what would be best if that were the heaviest left:
  /// others that weigh as much are cut after it. False when nothing is left to gain.
  bool cut_heaviest(const TableBalance& now) {
    const std::size_t i = heaviest(now);
    if (!is_placed(sharding_.shards[i]) || excess(i, now) <= 0.0) return false;
    const std::uint32_t before = sharding_.order[i];
    std::uint32_t best = before;
    TableBalance others = now;
    add_group(i, -1.0, sharding_, others);
    double least = worst_with(i, others);
    for (std::uint32_t cut = before + 1; cut < over_all_ranks; ++cut) {
      if (!is_possible(cuts[cut])) continue;
      take(i, cut);
      const double worst = worst_with(i, others);
      if (worst < least) {
        least = worst;
        best = cut;
      }
    }
    take(i, best);
    return best != before;
  }

  /// Cuts that group by rows over all ranks, where all ranks together then pay less.
  bool spread_heaviest() {
    const TableBalance now = balance_of(sharding_);
    const std::size_t i = heaviest(now);
    if (!is_placed(sharding_.shards[i])) return false;
    const std::uint32_t before = sharding_.order[i];
    take(i, over_all_ranks);
    if (balance_of(sharding_).least(ranks()) < now.least(ranks())) return true;
    take(i, before);
    return false;
  }
};

constexpr std::array<Cut, 5> proposals{{{.layout = TableLayout::whole},
                                        {.layout = TableLayout::whole, .by_columns = true},
                                        {.layout = TableLayout::by_node_rows},
                                        {.layout = TableLayout::by_node_rows, .by_columns = true},
                                        {.layout = TableLayout::by_rows}}};

/// Of tables that are not pooled, as in pinned plans.
constexpr Cut by_rows{.layout = TableLayout::by_rows};

struct Rating {
  double over = 0.0;  ///< bytes that the fullest rank has no room for
  double cost = 0.0;  ///< seconds a sample

  bool operator<(const Rating& other) const {
    return over != other.over ? over < other.over : cost < other.cost;
  }
};

class Proposer : TablePlanWriter {
 public:
  using TablePlanWriter::TablePlanWriter;

  void run() {
    std::vector<TableShards>& best = sharding_.best_shards;
    best = sharding_.shards;
    Rating least = rating();
    bool is_best = true;  // what is placed
    for (const Cut& cut : proposals) {
      propose(cut);
      is_best = false;
      if (least.over == 0.0 && balance_of(sharding_).least(real(sharding_.ranks)) >= least.cost)
        continue;
      place();
      const Rating now = rating();
      if (!(now < least)) continue;
      least = now;
      best = sharding_.shards;
      is_best = true;
    }
    if (is_best) return;
    sharding_.shards = best;
    for (std::size_t i = 0; i < best.size(); ++i) weigh(i, plan_, rates_, sharding_);
    place();
  }

 private:
  void propose(const Cut& cut) {
    for (std::size_t i = 0; i < sharding_.shards.size(); ++i) {
      if (sharding_.shards[i].layout == TableLayout::replicated) continue;
      cut_group(i, model_.tables[i].pooled ? cut : by_rows);
    }
  }

  void place() { place_tables(plan_, placed_room(plan_, room_, sharding_), sharding_); }

  /// Of what is placed. Lookups and exchanges have fullest ranks of their own.
  Rating rating() {
    double read = 0.0;
    double wire = 0.0;
    double bytes = 0.0;
    for (const RankClass& ranks : sharding_.classes) {
      read = std::max(read, ranks.read);
      wire = std::max(wire, ranks.load - ranks.read);
      bytes = std::max(bytes, ranks.bytes);
    }
    const double room = placed_room(plan_, room_, sharding_);
    if (!sharding_.slack.fits(bytes, room)) sharding_.slack.depends_on_all();
    return {.over = std::max(0.0, bytes - room),
            .cost = balance_of(sharding_).shared + read + wire};
  }
};

}  // namespace

TableShards shards_of(const TableGroup& group, const Cut& cut, const Plan& plan,
                      const TableSharding& sharding) {
  TableShards shards = cut_anew({}, group, cut, plan, sharding);
  if (shards.kernel == EmbeddingKernel::uvm_caching) {
    shards.misses = 1.0 - hit_share(shards.access, device_share(shards, plan) * shards.access.rows);
  }
  return shards;
}

void plan_tables(const Recommendation& model, const Plan& plan, const ShardRates& rates,
                 double room, TableSharding& sharding) {
  Planner(model, plan, rates, room, sharding).run();
}

void prefer_uniform(const Recommendation& model, const Plan& plan, const ShardRates& rates,
                    double room, TableSharding& sharding) {
  Proposer(model, plan, rates, room, sharding).run();
}

}  // namespace cubicbench::sim
