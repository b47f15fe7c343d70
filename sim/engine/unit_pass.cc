#include "sim/engine/unit_pass.h"

#include <algorithm>
#include <array>
#include <cstddef>

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

class Pass {
 public:
  explicit Pass(double x) : slow_(1.0 / (1.0 + x)) {}

  double now() const { return now_; }
  bool shards_run() const { return shards_.runs(); }
  bool any_runs() const { return shards_.runs() || copies_.runs(); }

  std::size_t gather(const Unit& unit) {
    shards_.add(unit.gather.value);
    copy_after_[shards_.added() - 1] = 0.0;
    return shards_.added();
  }
  void reduce(Seconds scatter, Seconds copy) {
    shards_.add(scatter.value);
    copy_after_[shards_.added() - 1] = copy.value;
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
  const double compute_speed = any_runs() ? slow_ : 1.0;
  const double stream_speed = computes ? slow_ : 1.0;
  double passed = computes ? computing_ / compute_speed : 1e30;
  if (shards_.runs()) passed = std::min(passed, shards_.left() / stream_speed);
  if (copies_.runs()) passed = std::min(passed, copies_.left() / stream_speed);
  now_ += passed;
  if (computes) {
    computing_ -= passed * compute_speed;
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

PassCost played_pass(const UnitPass& p, const WeightTraffic& w, double x) {
  Pass pass(x);
  const bool prefetches = w.gather_backward && w.backward_gather_hides;
  const auto units = static_cast<std::size_t>(p.units + 0.5);
  std::size_t ready = prefetches ? pass.gather(p.last) : 0;
  Seconds computed = p.head;
  pass.compute(p.head);
  for (std::size_t k = 0; k < units; ++k) {
    const Unit& unit = k == 0 ? p.last : p.unit;
    const bool is_end = k + 1 == units;
    if (w.gather_backward) {
      if (ready == 0) ready = pass.gather(unit);
      pass.await(ready);
      ready = prefetches && !is_end ? pass.gather(p.unit) : 0;
    }
    if (is_end && p.end_scatter.value > 0.0) {
      pass.reduce(p.end_scatter, p.end_copy);
      if (!w.reduce_hides) pass.await_shards();
    }
    pass.compute(unit.compute);
    computed += unit.compute;
    if (w.gather_backward && !prefetches && w.reduce_hides && !is_end) ready = pass.gather(p.unit);
    pass.reduce(unit.scatter, unit.copy);
    if (!w.reduce_hides) pass.await_shards();
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
