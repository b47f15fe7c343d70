#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/memory/caching_allocator.h"
#include "sim/memory/trace_event.h"

namespace cubicbench::sim {

/// The moment at which most bytes were alive.
struct PeakMoment {
  TraceOperation operation = TraceOperation::startup;
  std::int64_t micro_batch = 0;
  std::array<Bytes, memory_part_count> parts{};  ///< alive then; they sum to what was allocated

  bool operator==(const PeakMoment&) const = default;
};

struct ReplayReport {
  Bytes allocated;           ///< largest sum of live tensors
  Bytes reserved;            ///< what the allocator holds in the end, its cache included
  std::int64_t retries = 0;  ///< requests for which cached segments were given back
  bool out_of_memory = false;
  PeakMoment peak;

  bool operator==(const ReplayReport&) const = default;
};

/// Kernels that the host may have launched and the device not begun: the depth of the launch queue.
inline constexpr double launches_ahead = 1000.0;

/// Plays a trace against the caching allocator of a device with `capacity` bytes to give
/// [docs/models.md, Eq. M-20 and M-23]. Blocks that collectives read return late: host and device
/// each have a clock, and such a block is free when the host's clock has reached the time at which
/// the device passed its release, or `launches_ahead` kernels later. Ends at the first request that
/// cannot be met. Allocates its buffers at first use; reuse one per thread.
class AllocatorReplay {
 public:
  ReplayReport run(const AllocationTrace& trace, Bytes capacity);

 private:
  struct Tensor {
    BlockHandle block = BlockHandle::none;
    MemoryPart part = MemoryPart::activations;
    double bytes = 0.0;
  };
  struct Late {
    BlockHandle block = BlockHandle::none;
    double free_at = 0.0;
    double launched = 0.0;
  };
  struct Finished {
    double launched = 0.0;
    double at = 0.0;
  };

  void reset(const AllocationTrace& trace, Bytes capacity);
  bool allocate(const TraceEvent& event);
  void release(const TraceEvent& event, bool late);
  void launch(const Launches& pass);
  void wait_for(const Finished& oldest);
  void synchronise();
  void return_late();
  void note_peak();

  CachingAllocator allocator_{Bytes{}};
  std::vector<Tensor> tensors_;
  std::vector<Late> late_;  ///< in order of release; those before late_begin_ have returned
  std::size_t late_begin_ = 0;
  std::vector<Finished> finished_;  ///< launches that the device has not been seen to pass
  std::size_t finished_begin_ = 0;
  double host_ = 0.0;  ///< clocks, seconds
  double device_ = 0.0;
  double launched_ = 0.0;
  bool still_ = false;
  PeakMoment now_;
  double alive_ = 0.0;
  ReplayReport report_;
};

}  // namespace cubicbench::sim
