#include "sim/engine/unit_pass.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

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
  void advance(double work) { work_[done_] -= work; }
  /// Whether the one under way is over.
  bool finishes() {
    constexpr double rounding = 1e-15;
    if (!runs() || work_[done_] > rounding) return false;
    ++done_;
    return true;
  }

 private:
  std::array<double, 256> work_;  ///< [0, added_) is written
  std::size_t added_ = 0;
  std::size_t done_ = 0;
};

/// Of what happens at a place of a pass what changes its time.
class TimedEvents {
 public:
  explicit TimedEvents(const WeightEvents& events) {
    for (const WeightEvent& event : events) {
      const bool is_timed =
          event.action != WeightAction::nothing && event.action != WeightAction::free;
      if (is_timed || event.waits) events_[count_++] = event;
    }
  }
  std::span<const WeightEvent> all() const { return std::span(events_).first(count_); }

 private:
  WeightEvents events_{};
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
    computing_ = time.value;
    while (computing_ > 0.0) step();
  }
  void await(std::size_t operations) {
    while (shards_.done() < operations) step();
  }
  void await_shards() { await(shards_.added()); }
  void step();

 private:
  double slow_;
  double now_ = 0.0;
  double computing_ = 0.0;  ///< left, at full speed
  Stream shards_;           ///< gathers and scatters
  Stream copies_;
  std::array<double, 256> copy_after_;  ///< what follows an operation of `shards_`
};

/// To the next end of anything.
void Pass::step() {
  const bool computes = computing_ > 0.0;
  if (computes && !any_runs()) {
    now_ += std::exchange(computing_, 0.0);
    return;
  }
  const double stream_speed = computes ? slow_ : 1.0;
  double passed = computes ? computing_ / slow_ : 1e30;
  if (shards_.runs()) passed = std::min(passed, shards_.left() / stream_speed);
  if (copies_.runs()) passed = std::min(passed, copies_.left() / stream_speed);
  now_ += passed;
  if (computes) {
    computing_ -= passed * slow_;
    if (computing_ < 1e-15) computing_ = 0.0;
  }
  if (shards_.runs()) shards_.advance(passed * stream_speed);
  if (copies_.runs()) copies_.advance(passed * stream_speed);
  copies_.finishes();
  if (shards_.finishes()) {
    const double copy = copy_after_[shards_.done() - 1];
    if (copy > 0.0) copies_.add(copy);
  }
}

}  // namespace

PassCost played_pass(const UnitPass& p, const UnitOrder& order, double x) {
  Pass pass(x);
  const auto units = static_cast<std::int64_t>(p.units + 0.5);
  const auto at = [&](std::int64_t place) -> const Unit& { return place == 0 ? p.last : p.unit; };
  std::array<std::size_t, static_cast<std::size_t>(unit_queue_max)> gathered{};  // by place
  const TimedEvents before(order.before);
  const TimedEvents behind(order.behind);
  const auto play = [&](const TimedEvents& events, std::int64_t place) {
    for (const WeightEvent& event : events.all()) {
      if (!happens(event, place, units) || place + event.ahead >= units) continue;
      const std::int64_t of = place + event.ahead;
      std::size_t& ready = gathered[static_cast<std::size_t>(of)];
      if (event.action == WeightAction::gather && ready == 0) ready = pass.issue(at(of).gather);
      if (event.action == WeightAction::await) pass.await(ready);
      if (event.action == WeightAction::reduce) pass.issue(at(of).scatter, at(of).copy);
      if (event.action == WeightAction::reduce_ends && p.end_scatter.value > 0.0) {
        pass.issue(p.end_scatter, p.end_copy);
      }
      if (event.waits) pass.await_shards();
    }
  };
  Seconds computed;
  for (std::int64_t place = -1; place < units; ++place) {
    const Seconds compute = place < 0 ? p.head : at(place).compute;
    play(before, place);
    pass.compute(compute);
    computed += compute;
    play(behind, place);
  }
  pass.compute(p.tail);
  PassCost cost{.pass = Seconds{pass.now()} - computed - p.tail};
  const double end = pass.now();
  while (pass.shards_run()) pass.step();
  cost.scattering = Seconds{pass.now() - end};
  while (pass.any_runs()) pass.step();
  cost.behind = Seconds{pass.now() - end};
  return cost;
}

}  // namespace cubicbench::sim
