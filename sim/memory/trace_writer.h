#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/memory/trace_event.h"

namespace cubicbench::sim {

/// A tensor of a trace by its number; numbers are used again.
using Tensor = std::uint32_t;
inline constexpr Tensor no_tensor = 0xffffffff;

/// Appends events and hands out numbers for tensors.
class TraceWriter {
 public:
  explicit TraceWriter(AllocationTrace& trace) : trace_(trace) { trace_.clear(); }

  /// Whole bytes, rounded up.
  Tensor take(MemoryPart part, double bytes) {
    Tensor tensor = trace_.tensors;
    if (spare_.empty()) {
      ++trace_.tensors;
    } else {
      tensor = spare_.back();
      spare_.pop_back();
    }
    trace_.events.push_back({.action = TraceAction::allocate,
                             .part = part,
                             .tensor = tensor,
                             .bytes = std::ceil(std::max(bytes, 1.0))});
    return tensor;
  }
  Tensor take(double bytes) { return take(MemoryPart::activations, bytes); }

  void drop(Tensor tensor) { release(tensor, TraceAction::release); }
  void drop_late(Tensor tensor) { release(tensor, TraceAction::release_late); }

  void begin(TraceOperation operation, std::int64_t micro_batch) {
    trace_.events.push_back({.action = TraceAction::begin,
                             .operation = operation,
                             .number = static_cast<std::int32_t>(micro_batch)});
  }
  void launch(std::int32_t pass) {
    trace_.events.push_back({.action = TraceAction::launch, .number = pass});
  }
  void synchronise() { trace_.events.push_back({.action = TraceAction::synchronise}); }
  void stand_still() { trace_.events.push_back({.action = TraceAction::stand_still}); }

  std::int32_t pass(const Launches& launches) {
    trace_.passes.push_back(launches);
    return static_cast<std::int32_t>(trace_.passes.size() - 1);
  }

 private:
  void release(Tensor tensor, TraceAction action) {
    trace_.events.push_back({.action = action, .tensor = tensor});
    spare_.push_back(tensor);
  }

  AllocationTrace& trace_;
  std::vector<Tensor> spare_;
};

}  // namespace cubicbench::sim
