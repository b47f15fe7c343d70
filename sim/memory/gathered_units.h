#pragma once

#include <cstddef>
#include <vector>

#include "sim/memory/trace_event.h"
#include "sim/plan/plan.h"
#include "sim/program/weights.h"

namespace cubicbench::sim {

/// The whole weights that a rank of an FSDP mode holds while it computes, and the whole gradients
/// that it hands to the reduction, layer by layer. Writes nothing in other modes.
class GatheredUnits {
 public:
  GatheredUnits(const WeightTraffic& traffic, const Plan& plan, const WeightUnits& weights,
                double layers, TraceWriter& writer);

  void begin_pass();  ///< either way
  void before_forward(std::size_t layer);
  void after_forward(std::size_t layer);
  void before_backward(std::size_t layer);
  void after_backward(std::size_t layer);
  void end_backward();
  void end_step();

 private:
  std::size_t unit_of(std::size_t layer) const { return layer / wrap_; }
  void gather(std::size_t unit);
  void free(std::size_t unit);

  TraceWriter& out_;
  bool in_units_;
  bool keeps_forward_;  ///< from the forward to the backward pass
  bool keeps_passes_;   ///< from one micro-batch to the next
  bool late_;           ///< nothing limits the host: memory comes back when the device is there
  bool ahead_forward_;
  bool ahead_backward_;
  std::size_t wrap_ = 1;
  std::size_t layers_ = 0;
  double unit_bytes_ = 0.0;
  double end_bytes_ = 0.0;
  double gradient_bytes_ = 0.0;
  double end_gradient_bytes_ = 0.0;
  std::vector<Tensor> units_;
  Tensor ends_ = no_tensor;
};

}  // namespace cubicbench::sim
