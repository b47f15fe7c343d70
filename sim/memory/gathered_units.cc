#include <algorithm>
#include <cmath>

#include "sim/base/units.h"
#include "sim/memory/layer_trace.h"

namespace cubicbench::sim {

GatheredUnits::GatheredUnits(const WeightTraffic& traffic, const Plan& plan,
                             const WeightUnits& weights, double layers, TraceWriter& writer)
    : out_(writer),
      in_units_(traffic.in_units),
      keeps_forward_(!traffic.gather_backward),
      keeps_passes_(traffic.gather_once),
      late_(!plan.limit_all_gathers),
      ahead_forward_(plan.forward_prefetch),
      ahead_backward_(plan.backward_prefetch != BackwardPrefetch::none),
      wrap_(static_cast<std::size_t>(std::max<std::int64_t>(1, plan.wrap))),
      layers_(static_cast<std::size_t>(layers)) {
  if (!in_units_) return;
  unit_bytes_ = traffic.gather_bytes_per_parameter * weights.largest_unit;
  end_bytes_ = traffic.gather_bytes_per_parameter * weights.end_parameters;
  if (traffic.reduce_each_micro_batch) {
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
  if (unit < units_.size()) out_.forget(units_[unit], late_);
}

void GatheredUnits::begin_pass() {
  if (!in_units_ || end_bytes_ == 0.0 || ends_ != no_tensor) return;
  ends_ = out_.take(MemoryPart::unsharded_units, end_bytes_);
}

void GatheredUnits::before_forward(std::size_t layer) {
  if (!in_units_) return;
  gather(unit_of(layer));
  if (ahead_forward_ || late_) gather(unit_of(layer) + 1);
}

void GatheredUnits::after_forward(std::size_t layer) {
  const bool last_of_unit = (layer + 1) % wrap_ == 0 || layer + 1 == layers_;
  if (in_units_ && !keeps_forward_ && last_of_unit) free(unit_of(layer));
}

void GatheredUnits::before_backward(std::size_t layer) {
  if (!in_units_) return;
  const std::size_t unit = unit_of(layer);
  gather(unit);
  if (ahead_backward_ && unit > 0) gather(unit - 1);
}

void GatheredUnits::after_backward(std::size_t layer) {
  if (!in_units_ || layer % wrap_ != 0) return;
  if (gradient_bytes_ > 0.0) out_.drop(out_.take(MemoryPart::gradients, gradient_bytes_));
  if (!keeps_passes_) free(unit_of(layer));
}

void GatheredUnits::end_backward() {
  if (!in_units_) return;
  if (end_gradient_bytes_ > 0.0) out_.drop(out_.take(MemoryPart::gradients, end_gradient_bytes_));
  if (!keeps_passes_) out_.forget(ends_);
}

void GatheredUnits::end_step() {
  for (std::size_t unit = 0; unit < units_.size(); ++unit) free(unit);
  out_.forget(ends_);
}

}  // namespace cubicbench::sim
