#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/base/ids.h"
#include "sim/network/topology.h"

namespace cubicbench::sim {

enum class FlowSetId : std::uint32_t {};

/// What a set of flows puts on one bundle of cables, in 1/256 of the rate of its largest flow.
struct LinkUse {
  BundleId bundle{};
  std::int64_t weight = 256;
};
inline constexpr std::int64_t link_weight_one = 256;

/// Most bytes per second of a bundle or flow, 1.8e16: between two rounds of sharing a bundle may
/// seem to carry twice what it can.
inline constexpr std::int64_t link_rate_max =
    std::numeric_limits<std::int64_t>::max() / (2 * link_weight_one);

/// Rates of flow sets that share bundles of cables max-min fairly, kept up to date while sets start
/// and stop.
///
/// A flow set is a collective or a message: flows with a shared fate, whose rates keep their
/// ratios. Its rate, in bytes per second, is that of its largest flow. Progressive filling: the
/// rates of all active sets rise together; a set stops at its cap, and all rising sets of a bundle
/// stop when it is full, at
///
///   floor(256 (capacity - used by sets that stopped before) / weights of rising sets),
///
/// yet at least 1 B/s, so that every set ends: the one case where a bundle carries more than it
/// can, by less than the sum of its weights / 256. A cap is reached before a bundle is full that is
/// at the same level, and bundles that are full at the same level are so at once. So rates are a
/// function of which sets are active alone: not of their order or history, nor of whether k equal
/// sets of weight w or one of weight k w stand on a bundle.
///
/// A bundle whose active sets fit it all at their caps never holds anyone up. Only the others, the
/// contended ones, are looked at. When sets start or stop, rates are shared anew among as few sets
/// as it takes: first those that started, then those that a full bundle proves to be moved by that,
/// until nobody is. Allocates nothing once warm.
class LinkSharing {
 public:
  /// Bytes per second that a bundle carries, 1 to link_rate_max each.
  explicit LinkSharing(const IdVector<BundleId, std::int64_t>& capacities);

  /// A set that is known from now on, and not active. Uses of one bundle are summed (to less than
  /// 2^31), those of weight zero dropped. `cap`: what it runs at alone, > 0.
  FlowSetId add(std::span<const LinkUse> uses, std::int64_t cap);

  /// Of a set that is not active: the next collective of the same communicator.
  void set_cap(FlowSetId set, std::int64_t cap);

  /// Of a set that is not active, and one that is. Rates are old until settle().
  void start(FlowSetId set);
  void stop(FlowSetId set);

  /// Shares anew after any number of starts and stops. The active sets that started since the last
  /// call or whose rate changed, ascending; valid until the next call.
  std::span<const FlowSetId> settle();

  /// Bytes per second of the largest flow as of the last settle(); 0 when not active.
  std::int64_t rate(FlowSetId set) const { return sets_[set].rate; }
  bool active(FlowSetId set) const { return sets_[set].active; }

 private:
  /// Wide enough for a sum of caps times weights.
  __extension__ typedef __int128 Wide;

  struct Use {
    BundleId bundle{};
    std::int32_t weight = 0;
    std::uint32_t place = 0;  ///< among the members of the bundle, while active
  };
  struct Set {
    std::size_t first_use = 0;
    std::size_t last_use = 0;  ///< one past
    std::int64_t cap = 0;
    std::int64_t rate = 0;
    bool active = false;
    bool started = false;  ///< since the last settle()
    bool open = false;     ///< to be shared anew
    bool rising = false;
  };
  struct Member {
    FlowSetId set{};
    std::uint32_t use = 0;
    std::int32_t weight = 0;  ///< of that use
  };
  /// Loads in 1/256 B/s.
  struct Bundle {
    Wide demand = 0;              ///< sum of cap * weight of members
    std::int64_t limit = 0;       ///< 256 capacity
    std::int64_t used = 0;        ///< sum of rate * weight of members
    std::int64_t weight = 0;      ///< sum over members
    std::vector<Member> members;  ///< active sets, in no order that counts
  };
  /// Of a bundle that is looked at while rates rise.
  struct Filling {
    std::int64_t free = 0;        ///< less what settled sets and those that have stopped use
    std::int64_t rising = 0;      ///< sum of weights of rising sets
    std::int64_t equal = 0;       ///< rate if all its sets had the same
    std::int64_t stopped_at = 0;  ///< rate at which it stopped rising sets; 0: it did not
    std::int64_t full_at = 0;     ///< as in full_at_, of the rates as they are now
    std::int64_t highest = 0;     ///< rate of a member, where it is nearly full

    /// Where it is full. At the least at an equal share: what settled sets have above that, they
    /// will have to give up.
    std::int64_t level() const { return std::max(free / rising, equal); }
    bool overfull() const { return free < 0 && highest > 1; }
  };
  struct Level {
    std::int64_t rate = 0;
    BundleId bundle{};

    static bool higher(const Level& a, const Level& b) { return a.rate > b.rate; }
  };

  std::span<Use> uses_of(const Set& set);

  void open(FlowSetId set);
  void open_joined();
  void look_at(BundleId bundle);
  void close();

  void fill();
  void begin_filling();
  void reset_filling(BundleId bundle);
  bool lowest_is_current();
  void stop_lowest_bundles();
  void stop_rising(FlowSetId set, std::int64_t rate);

  void find_full();
  std::int64_t rate_when_full(const Bundle& bundle, Filling& filling);
  bool open_moved();
  void open_above(BundleId bundle, std::int64_t rate);
  void open_released(BundleId bundle);
  bool held_up(const Set& set);

  std::vector<Use> uses_;
  IdVector<FlowSetId, Set> sets_;
  IdVector<BundleId, Bundle> bundles_;
  IdVector<BundleId, std::uint8_t> contended_;
  /// Rate at which a bundle holds up all sets that would be faster; 0: it has room.
  IdVector<BundleId, std::int64_t> full_at_;

  std::vector<FlowSetId> started_;
  /// To be looked at by the next settle(), then by the one under way: those that lost a set, and
  /// contended ones of open sets.
  std::vector<BundleId> looked_at_;
  IdVector<BundleId, std::uint8_t> is_looked_at_;

  // Of the sharing under way; kept for their memory.
  IdVector<BundleId, Filling> filling_;
  std::vector<FlowSetId> open_;
  std::vector<std::int64_t> rates_before_;  ///< of the open ones
  std::vector<FlowSetId> by_cap_;
  std::vector<Level> levels_;  ///< a heap, the lowest on top; may lag behind, never lead
  std::vector<BundleId> full_;
  std::vector<const Member*> fastest_;
  std::vector<LinkUse> added_;
  std::vector<FlowSetId> changed_;
};

}  // namespace cubicbench::sim
