#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/event/weight_script.h"

namespace cubicbench::sim {

/// The weights of a stage: those of its layers, and those of routed experts, which other groups
/// share. Both travel on the same streams, in the order in which they are needed.
class StageWeights {
 public:
  /// Of layers first.
  explicit StageWeights(std::vector<WeightScript> scripts) : scripts_(std::move(scripts)) {}

  void begin_step() { WeightScript::begin_step(scripts_); }
  void begin_forward(const ChunkPass& pass) {
    for (WeightScript& script : scripts_) script.begin_forward(pass);
  }
  void before_forward(std::int64_t piece) {
    for (WeightScript& script : scripts_) script.before_forward(piece);
  }
  void end_forward() {
    for (WeightScript& script : scripts_) script.end_forward();
  }
  void begin_backward(const ChunkPass& pass) {
    for (WeightScript& script : scripts_) script.begin_backward(pass);
  }
  void before_backward(std::int64_t piece) {
    for (WeightScript& script : scripts_) script.before_backward(piece);
  }
  void after_backward(std::int64_t piece) { WeightScript::after_backward(scripts_, piece); }
  void end_backward() {
    for (WeightScript& script : scripts_) script.end_backward();
  }
  void after_backward_pass() { WeightScript::after_backward_pass(scripts_); }

 private:
  std::vector<WeightScript> scripts_;
};

}  // namespace cubicbench::sim
