#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "sim/memory/layer_trace.h"

namespace cubicbench::sim {

GatheredUnits::GatheredUnits(const WeightTraffic& traffic, const Plan& plan,
                             const WeightUnits& weights, double layers, TraceWriter& writer)
    : out_(writer),
      schedule_(traffic.schedule),
      wrap_(static_cast<std::size_t>(std::max<std::int64_t>(1, plan.wrap))),
      layers_(static_cast<std::size_t>(layers)) {
  if (!traffic.in_units) return;
  unit_bytes_ = layer_gather_bytes(traffic, weights) * weights.largest_unit;
  end_bytes_ = traffic.gather_bytes_per_parameter * weights.end_parameters;
  if (schedule_.reduces_each_micro_batch()) {
    gradient_bytes_ = traffic.reduce_bytes_per_parameter * weights.largest_unit;
    end_gradient_bytes_ = traffic.reduce_bytes_per_parameter * weights.end_parameters;
  }
  const double units = std::ceil(layers / real(plan.wrap));
  units_.assign(static_cast<std::size_t>(units), no_tensor);
}

void GatheredUnits::gather(std::size_t unit) {
  if (unit >= units_.size() || units_[unit] != no_tensor) return;
  units_[unit] = out_.take(MemoryPart::unsharded_units, unit_bytes_);
}

void GatheredUnits::free(std::size_t unit) {
  if (unit < units_.size()) out_.forget(units_[unit], schedule_.freed_late > 0);
}

void GatheredUnits::begin_pass() {
  if (end_bytes_ == 0.0 || ends_ != no_tensor) return;
  ends_ = out_.take(MemoryPart::unsharded_units, end_bytes_);
}

void GatheredUnits::before_forward(std::size_t layer) {
  gather(unit_of(layer));
  if (std::max(schedule_.held_forward, schedule_.freed_late) > 0) gather(unit_of(layer) + 1);
}

void GatheredUnits::after_forward(std::size_t layer) {
  const bool last_of_unit = (layer + 1) % wrap_ == 0 || layer + 1 == layers_;
  if (schedule_.forward.frees() && last_of_unit) free(unit_of(layer));
}

void GatheredUnits::before_backward(std::size_t layer) {
  const std::size_t unit = unit_of(layer);
  gather(unit);
  if (schedule_.held_backward > 0 && unit > 0) gather(unit - 1);
}

void GatheredUnits::after_backward(std::size_t layer) {
  if (layer % wrap_ != 0) return;
  if (gradient_bytes_ > 0.0) out_.drop(out_.take(MemoryPart::gradients, gradient_bytes_));
  if (schedule_.backward.frees()) free(unit_of(layer));
}

void GatheredUnits::end_backward() {
  if (end_gradient_bytes_ > 0.0) out_.drop(out_.take(MemoryPart::gradients, end_gradient_bytes_));
  if (schedule_.backward.frees()) out_.forget(ends_);
}

void GatheredUnits::end_step() {
  for (std::size_t unit = 0; unit < units_.size(); ++unit) free(unit);
  out_.forget(ends_);
}

}  // namespace cubicbench::sim
