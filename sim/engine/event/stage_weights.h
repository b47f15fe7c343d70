#pragma once

#include <cstdint>
#include <optional>

#include "sim/engine/event/weight_script.h"

namespace cubicbench::sim {

/// The weights of a stage: those of its layers, and those of routed experts, which other groups
/// share. Both travel on the same streams, in the order in which they are needed.
class StageWeights {
 public:
  StageWeights(WeightScript layers, std::optional<WeightScript> experts)
      : layers_(std::move(layers)), experts_(std::move(experts)) {}

  void begin_step() {
    experts_ ? WeightScript::begin_step({&layers_, &*experts_}) : layers_.begin_step();
  }
  void begin_forward(const ChunkPass& pass) {
    layers_.begin_forward(pass);
    if (experts_) experts_->begin_forward(pass);
  }
  void before_forward(std::int64_t piece) {
    layers_.before_forward(piece);
    if (experts_) experts_->before_forward(piece);
  }
  void end_forward() {
    layers_.end_forward();
    if (experts_) experts_->end_forward();
  }
  void begin_backward(const ChunkPass& pass) {
    layers_.begin_backward(pass);
    if (experts_) experts_->begin_backward(pass);
  }
  void before_backward(std::int64_t piece) {
    layers_.before_backward(piece);
    if (experts_) experts_->before_backward(piece);
  }
  void after_backward(std::int64_t piece) {
    experts_ ? WeightScript::after_backward({&layers_, &*experts_}, piece)
             : layers_.after_backward(piece);
  }
  void end_backward() {
    layers_.end_backward();
    if (experts_) experts_->end_backward();
  }
  void after_backward_pass() {
    experts_ ? WeightScript::after_backward_pass({&layers_, &*experts_})
             : layers_.after_backward_pass();
  }

 private:
  WeightScript layers_;
  std::optional<WeightScript> experts_;
};

}  // namespace cubicbench::sim
