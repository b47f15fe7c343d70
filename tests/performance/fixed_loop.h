#pragma once

namespace cubicbench {

/// Processor seconds of this thread.
double thread_seconds();

/// Processor seconds that a fixed amount of arithmetic takes on this core just now: 1,000 rounds of
/// four shifts, four exclusive ors and four products of 64 bits, which the compiler must do as they
/// stand. Nothing of this project changes it, so that times in fixed loops can be compared between
/// machines, and on a busy one between runs.
double fixed_loop_seconds();

/// What something takes in fixed loops. The core is looked at before each piece of work and after
/// the last, so that both meet the same neighbours.
class TimedWork {
 public:
  void begin();
  void end(double items);

  double loops_per_item() const { return seconds_ / items_ / (loops_ / looked_); }

 private:
  double began_ = 0.0;
  double seconds_ = 0.0;
  double items_ = 0.0;
  double loops_ = 0.0;
  double looked_ = 0.0;
};

void register_fixed_loop();

}  // namespace cubicbench
