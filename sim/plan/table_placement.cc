#include <algorithm>
#include <numeric>

#include "sim/base/units.h"
#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {
namespace {

/// Classes in the order in which they are filled.
bool fills_before(const RankClass& a, const RankClass& b) {
  return a.load != b.load ? a.load < b.load : a.first < b.first;
}

class Placer {
 public:
  Placer(const Plan& plan, double room, TableSharding& sharding)
      : plan_(plan),
        room_(room),
        sharding_(sharding),
        classes_(sharding.classes),
        queue_(sharding.queue) {}

  void run() {
    sort_by_cost();
    sharding_.held.assign(sharding_.shards.size(), 0);
    // Nodes first, each as if it were one rank.
    classes_.assign(1, {.first = 0, .ranks = sharding_.ranks / sharding_.node_ranks});
    queue_.assign(1, 0);
    place_all(TableLayout::by_node_rows);
    for (RankClass& nodes : classes_) {
      nodes.first *= sharding_.node_ranks;
      nodes.ranks *= sharding_.node_ranks;
    }
    place_all(TableLayout::whole);
    sort_classes();
  }

 private:
  void sort_by_cost() {
    std::vector<std::uint32_t>& order = sharding_.order;
    order.resize(sharding_.shards.size());
    std::iota(order.begin(), order.end(), 0u);
    const std::vector<double>& costs = sharding_.costs;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return costs[a] != costs[b] ? costs[a] > costs[b] : a < b;
    });
  }

  void sort_classes() {
    std::vector<RankClass>& sorted = sharding_.sorted;
    sorted.clear();
    for (const std::uint32_t row : queue_) sorted.push_back(classes_[row]);
    classes_.swap(sorted);
  }

  void place_all(TableLayout layout) {
    for (const std::uint32_t group : sharding_.order) {
      if (sharding_.shards[group].layout == layout) place(group);
    }
  }

  /// Gives the shards of a group to the ranks, one after the other.
  void place(std::uint32_t group) {
    const TableShards& shards = sharding_.shards[group];
    const double cost = sharding_.costs[group];
    const double bytes = device_bytes(shards, plan_);
    std::int64_t count = shards.count;
    while (count > 0) {
      const std::size_t at = first_with_room(bytes);
      const std::int64_t each = count_each(at, count, cost, bytes);
      split(at, std::min(queued(at).ranks, count));
      RankClass& filled = queued(at);
      sharding_.held[filled.held * sharding_.shards.size() + group] +=
          static_cast<std::int32_t>(each);
      filled.load += real(each) * cost;
      filled.read += real(each) * sharding_.costs_read[group];
      filled.bytes += real(each) * bytes;
      count -= each * filled.ranks;
      sink(at);
    }
  }

  RankClass& queued(std::size_t at) { return classes_[queue_[at]]; }
  const RankClass& queued(std::size_t at) const { return classes_[queue_[at]]; }

  /// The least loaded class that a shard fits in, else the emptiest.
  std::size_t first_with_room(double bytes) {
    std::size_t emptiest = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      if (sharding_.slack.fits(queued(i).bytes + bytes, room_)) return i;
      if (queued(i).bytes < queued(emptiest).bytes) emptiest = i;
    }
    return emptiest;
  }

  /// As many of `count` for every rank of the class as leave it where it is and have room. Most
  /// often one, which is told without a division.
  std::int64_t count_each(std::size_t at, std::int64_t count, double cost, double bytes) {
    const RankClass& filled = queued(at);
    if (count < 2 * filled.ranks) return 1;
    const bool has_next = at + 1 < queue_.size();
    const double gap = has_next ? queued(at + 1).load - filled.load : 0.0;
    if (has_next && gap < 2.0 * cost) return 1;
    double each = real(count / filled.ranks);
    if (has_next && cost > 0.0) each = std::min(each, gap / cost);
    const bool is_full = bytes > 0.0 && (room_ - filled.bytes) / bytes < each;
    if (is_full) each = (room_ - filled.bytes) / bytes;
    const std::int64_t most = std::max<std::int64_t>(1, static_cast<std::int64_t>(each));
    if (most > 1) sharding_.slack.fits(filled.bytes + real(most) * bytes, room_);
    if (is_full) sharding_.slack.fits(filled.bytes + real(most + 1) * bytes, room_);
    return most;
  }

  /// Splits off the first `ranks` ranks of a class.
  void split(std::size_t at, std::int64_t ranks) {
    RankClass rest = queued(at);
    if (rest.ranks == ranks) return;
    const std::size_t groups = sharding_.shards.size();
    std::vector<std::int32_t>& held = sharding_.held;
    const auto row = static_cast<std::uint32_t>(held.size() / groups);
    held.resize(held.size() + groups);
    std::copy_n(held.begin() + static_cast<std::ptrdiff_t>(rest.held * groups), groups,
                held.end() - static_cast<std::ptrdiff_t>(groups));
    rest.held = row;
    rest.first += ranks;
    rest.ranks -= ranks;
    queued(at).ranks = ranks;
    queue_.insert(queue_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  static_cast<std::uint32_t>(classes_.size()));
    classes_.push_back(rest);
  }

  /// Moves a class to its place after its load has grown.
  void sink(std::size_t at) {
    const std::uint32_t grown = queue_[at];
    for (; at + 1 < queue_.size() && fills_before(queued(at + 1), classes_[grown]); ++at) {
      queue_[at] = queue_[at + 1];
    }
    queue_[at] = grown;
  }

  const Plan& plan_;
  double room_;
  TableSharding& sharding_;
  std::vector<RankClass>& classes_;
  std::vector<std::uint32_t>& queue_;  ///< rows of them in the order in which they are filled
};

}  // namespace

void place_tables(const Plan& plan, double room, TableSharding& sharding) {
  Placer(plan, room, sharding).run();
}

double placed_room(const Plan& plan, double room, const TableSharding& sharding) {
  for (const TableShards& shards : sharding.shards) {
    if (shards.layout == TableLayout::by_rows) {
      room -= real(shards.count) * device_bytes(shards, plan);
    }
  }
  return room;
}

}  // namespace cubicbench::sim
