#include "sim/plan/uniform_tables.h"

#include <algorithm>
#include <array>

#include "sim/base/real.h"
#include "sim/plan/table_balance.h"
#include "sim/plan/table_placement.h"
#include "sim/plan/table_planner.h"

namespace cubicbench::sim {
namespace {

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
  Rating rating() const {
    double read = 0.0;
    double wire = 0.0;
    double bytes = 0.0;
    for (const RankClass& ranks : sharding_.classes) {
      read = std::max(read, ranks.read);
      wire = std::max(wire, ranks.load - ranks.read);
      bytes = std::max(bytes, ranks.bytes);
    }
    return {.over = std::max(0.0, bytes - placed_room(plan_, room_, sharding_)),
            .cost = balance_of(sharding_).shared + read + wire};
  }
};

}  // namespace

void prefer_uniform(const Recommendation& model, const Plan& plan, const ShardRates& rates,
                    double room, TableSharding& sharding) {
  Proposer(model, plan, rates, room, sharding).run();
}

}  // namespace cubicbench::sim
