#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// What a rank is doing when it asks for memory or gives it back.
enum class TraceOperation : std::uint8_t {
  startup,
  embedding_forward,
  attention_forward,
  ffn_forward,
  head_forward,
  head_backward,
  attention_recompute,  ///< of a layer that runs again as a whole
  ffn_recompute,
  ffn_backward,
  attention_backward,
  embedding_backward,
  accumulate_gradients,
  optimizer_step,
  share_update,  ///< ZeRO-1 gathers the weights that its ranks updated
};
inline constexpr int trace_operation_count = 14;

enum class TraceAction : std::uint8_t {
  allocate,      ///< `bytes` as `tensor`
  release,       ///< `tensor`, at once
  release_late,  ///< `tensor`, when the device has passed this point: a collective reads it
  begin,         ///< `operation` of micro-batch `number`
  launch,        ///< the kernels of pass `number`
  synchronise,   ///< the host waits for the device
  stand_still,   ///< the device waits for another stage until the next synchronise
};

struct TraceEvent {
  TraceAction action = TraceAction::allocate;
  MemoryPart part = MemoryPart::activations;
  TraceOperation operation = TraceOperation::startup;
  std::uint32_t tensor = 0;
  std::int32_t number = 0;
  double bytes = 0.0;
};

/// Kernels launched one after another: time of the host, time of the device, how many.
struct Launches {
  Seconds host;
  Seconds device;
  double kernels = 0.0;
};

/// What one rank asks of its allocator over the first steps of a job, in order.
struct AllocationTrace {
  std::vector<TraceEvent> events;
  std::vector<Launches> passes;  ///< that `launch` refers to
  std::uint32_t tensors = 0;     ///< largest number of tensors alive at once

  void clear() {
    events.clear();
    passes.clear();
    tensors = 0;
  }
};

/// How fast the host of a rank launches what its device then runs; decides how far it runs ahead.
struct PassTimes {
  Seconds layer_host;      ///< launching a layer's forward pass; backward takes twice as long
  Seconds layer_forward;   ///< device
  Seconds layer_backward;  ///< device, with what is recomputed in parts; whole layers run their
                           ///< forward pass
  Seconds head;            ///< device, forward and backward
  BytesPerSecond device_memory;  ///< rate of streaming
  bool exchanges_wait = false;   ///< the host waits for the device at every exchange of stages

  bool operator==(const PassTimes&) const = default;
};

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

  /// `late`: when the device has passed this point, since a collective reads it.
  void drop(Tensor tensor, bool late = false) {
    trace_.events.push_back(
        {.action = late ? TraceAction::release_late : TraceAction::release, .tensor = tensor});
    spare_.push_back(tensor);
  }
  /// Where there is one.
  void forget(Tensor& tensor, bool late = false) {
    if (tensor != no_tensor) drop(tensor, late);
    tensor = no_tensor;
  }

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
  AllocationTrace& trace_;
  std::vector<Tensor> spare_;
};

}  // namespace cubicbench::sim
