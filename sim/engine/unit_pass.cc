#include "sim/engine/unit_pass.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// Operations of one stream, in order, by the seconds that they take at full speed.
class Stream {
 public:
  Stream() {}  // NOLINT: leaves what nobody reads unwritten, for speed

  void add(double work) {
    SIM_ASSERT(added_ < work_.size(), added_);
    work_[added_++] = work;
  }
  bool runs() const { return done_ < added_; }
  std::size_t added() const { return added_; }
  std::size_t done() const { return done_; }
  double left() const { return work_[done_]; }
  /// Does so much of the one under way. Returns whether that is over.
  bool advance(double work) {
    constexpr double rounding = 1e-15;
    work_[done_] -= work;
    if (work_[done_] > rounding) return false;
    ++done_;
    return true;
  }

 private:
  std::array<double, 256> work_;  ///< [0, added_) is written
  std::size_t added_ = 0;
  std::size_t done_ = 0;
};

/// Of what happens at the places of a pass what changes its time: at the last one, or at others.
class TimedEvents {
 public:
  TimedEvents(const WeightEvents& events, bool at_last) {
    for (const WeightEvent& event : events) {
      const bool is_timed =
          event.action != WeightAction::nothing && event.action != WeightAction::free;
      const bool is_there = event.action != WeightAction::reduce_ends || at_last;
      if (is_there && (is_timed || event.waits)) events_[count_++] = event;
    }
  }
  std::span<const WeightEvent> all() const { return std::span(events_).first(count_); }

 private:
  WeightEvents events_;  ///< the first `count_` are written
  std::size_t count_ = 0;
};

class Pass {
 public:
  explicit Pass(double x) : slow_(1.0 / (1.0 + x)) {}

  double now() const { return now_; }
  bool shards_run() const { return shards_.runs(); }
  bool any_runs() const { return shards_.runs() || copies_.runs(); }

  /// A gather or a scatter. Returns the operations until it is over.
  std::size_t issue(Seconds time, Seconds copy = {}) {
    shards_.add(time.value);
    copy_after_[shards_.added() - 1] = copy.value;
    return shards_.added();
  }
  void compute(Seconds time) {
    constexpr double rounding = 1e-15;
    double left = time.value;
    while (left > 0.0) {
      if (!any_runs()) {
        now_ += left;
        return;
      }
      left -= step(left, slow_);
      if (left < rounding) return;
    }
  }
  void await(std::size_t operations) {
    while (shards_.done() < operations) idle();
  }
  void await_shards() { await(shards_.added()); }
  /// To the next end of an operation, with nothing to compute.
  void idle() { step(1e30, 1.0); }

 private:
  double step(double most, double speed);

  double slow_;
  double now_ = 0.0;
  Stream shards_;  ///< gathers and scatters
  Stream copies_;
  std::array<double, 256> copy_after_;  ///< what follows an operation of `shards_`
};

/// Both streams go on at `speed` to the next end of an operation, or until `most` of each is done.
/// Returns what is.
inline double Pass::step(double most, double speed) {
  const bool copies = copies_.runs();
  double work = most;
  if (shards_.runs()) work = std::min(work, shards_.left());
  if (copies) work = std::min(work, copies_.left());
  const double passed = work / speed;
  now_ += passed;
  work = passed * speed;  // rounded as the time is
  if (copies) copies_.advance(work);
  if (shards_.runs() && shards_.advance(work)) {
    const double copy = copy_after_[shards_.done() - 1];
    if (copy > 0.0) copies_.add(copy);
  }
  return work;
}

/// Plays what happens at places of a pass.
class PassPlayer {
 public:
  PassPlayer(const UnitPass& pass, double x)
      : p_(pass), units_(static_cast<std::int64_t>(pass.units + 0.5)), pass_(x) {}

  Pass& pass() { return pass_; }
  std::int64_t units() const { return units_; }
  const Unit& at(std::int64_t place) const { return place == 0 ? p_.last : p_.unit; }

  void play(const TimedEvents& events, std::int64_t place) {
    for (const WeightEvent& event : events.all()) {
      if (!happens(event, place, units_) || place + event.ahead >= units_) continue;
      act(event, place + event.ahead);
      if (event.waits) pass_.await_shards();
    }
  }

 private:
  void act(const WeightEvent& event, std::int64_t of) {
    std::uint16_t& ready = gathered_[static_cast<std::size_t>(of)];
    switch (event.action) {
      case WeightAction::gather:
        if (ready == 0) ready = static_cast<std::uint16_t>(pass_.issue(at(of).gather));
        break;
      case WeightAction::await:
        pass_.await(ready);
        break;
      case WeightAction::reduce:
        pass_.issue(at(of).scatter, at(of).copy);
        break;
      case WeightAction::reduce_ends:
        if (p_.end_scatter.value > 0.0) pass_.issue(p_.end_scatter, p_.end_copy);
        break;
      case WeightAction::nothing:
      case WeightAction::free:
        break;
    }
  }

  const UnitPass& p_;
  std::int64_t units_;
  Pass pass_;
  /// Operations until the unit of a place is gathered; 0 where its gather is not issued.
  std::array<std::uint16_t, static_cast<std::size_t>(unit_queue_max)> gathered_{};
};

}  // namespace

PassCost played_pass(const UnitPass& p, const UnitOrder& order, double x) {
  PassPlayer player(p, x);
  Pass& pass = player.pass();
  const std::int64_t last = player.units() - 1;
  const TimedEvents before(order.before, false);
  const TimedEvents behind(order.behind, false);
  const TimedEvents before_last(order.before, true);
  const TimedEvents behind_last(order.behind, true);
  Seconds computed;
  for (std::int64_t place = -1; place <= last; ++place) {
    const Seconds compute = place < 0 ? p.head : player.at(place).compute;
    player.play(place < last ? before : before_last, place);
    pass.compute(compute);
    computed += compute;
    player.play(place < last ? behind : behind_last, place);
  }
  pass.compute(p.tail);
  PassCost cost{.pass = Seconds{pass.now()} - computed - p.tail};
  const double end = pass.now();
  while (pass.shards_run()) pass.idle();
  cost.scattering = Seconds{pass.now() - end};
  while (pass.any_runs()) pass.idle();
  cost.behind = Seconds{pass.now() - end};
  return cost;
}

}  // namespace cubicbench::sim
