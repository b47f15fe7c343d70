#include "sim/memory/allocator_replay.h"

#include <algorithm>
#include <limits>

namespace cubicbench::sim {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

void AllocatorReplay::reset(const AllocationTrace& trace, Bytes capacity) {
  allocator_.reset(capacity);
  tensors_.assign(trace.tensors, Tensor{});
  late_.clear();
  finished_.clear();
  late_begin_ = finished_begin_ = 0;
  host_ = device_ = launched_ = alive_ = 0.0;
  still_ = false;
  now_ = {};
  report_ = {};
}

ReplayReport AllocatorReplay::run(const AllocationTrace& trace, Bytes capacity) {
  reset(trace, capacity);
  for (const TraceEvent& event : trace.events) {
    switch (event.action) {
      case TraceAction::allocate:
        if (!allocate(event)) report_.out_of_memory = true;
        break;
      case TraceAction::release:
        release(event, false);
        break;
      case TraceAction::release_late:
        release(event, true);
        break;
      case TraceAction::begin:
        now_.operation = event.operation;
        now_.micro_batch = event.number;
        break;
      case TraceAction::launch:
        launch(trace.passes[static_cast<std::size_t>(event.number)]);
        break;
      case TraceAction::synchronise:
        synchronise();
        break;
      case TraceAction::stand_still:
        still_ = true;
        break;
    }
    if (report_.out_of_memory) break;
  }
  report_.reserved = allocator_.reserved_peak();
  report_.retries = allocator_.retries();
  return report_;
}

bool AllocatorReplay::allocate(const TraceEvent& event) {
  return_late();
  BlockHandle block = allocator_.allocate(Bytes{event.bytes});
  if (block == BlockHandle::none) {  // the allocator waits for the device before it gives up
    synchronise();
    block = allocator_.allocate(Bytes{event.bytes});
  }
  if (block == BlockHandle::none) return false;
  tensors_[event.tensor] = {block, event.part, event.bytes};
  now_.parts[static_cast<std::size_t>(event.part)] += Bytes{event.bytes};
  alive_ += event.bytes;
  note_peak();
  return true;
}

void AllocatorReplay::note_peak() {
  if (alive_ <= report_.allocated.value) return;
  report_.allocated = Bytes{alive_};
  report_.peak = now_;
}

void AllocatorReplay::release(const TraceEvent& event, bool late) {
  const Tensor& tensor = tensors_[event.tensor];
  now_.parts[static_cast<std::size_t>(tensor.part)] -= Bytes{tensor.bytes};
  alive_ -= tensor.bytes;
  const bool passed = !still_ && device_ <= host_;
  if (!late || passed) {
    allocator_.free(tensor.block);
    return;
  }
  late_.push_back({tensor.block, still_ ? never : device_, launched_});
}

void AllocatorReplay::launch(const Launches& pass) {
  if (!still_) device_ = std::max(device_, host_) + pass.device.value;
  host_ += pass.host.value;
  launched_ += pass.kernels;
  finished_.push_back({launched_, still_ ? never : device_});
  for (; finished_[finished_begin_].launched < launched_ - launches_ahead; ++finished_begin_) {
    wait_for(finished_[finished_begin_]);
  }
}

/// The launch queue is full. A device that stands still passes a kernel for each that is launched.
void AllocatorReplay::wait_for(const Finished& oldest) {
  if (oldest.at < never) {
    host_ = std::max(host_, oldest.at);
    return;
  }
  for (std::size_t i = late_begin_; i < late_.size() && late_[i].launched <= oldest.launched; ++i) {
    late_[i].free_at = std::min(late_[i].free_at, host_);
  }
}

void AllocatorReplay::return_late() {
  while (late_begin_ < late_.size() && late_[late_begin_].free_at <= host_) {
    allocator_.free(late_[late_begin_].block);
    ++late_begin_;
  }
}

void AllocatorReplay::synchronise() {
  still_ = false;
  for (; late_begin_ < late_.size(); ++late_begin_) allocator_.free(late_[late_begin_].block);
  late_.clear();
  finished_.clear();
  late_begin_ = finished_begin_ = 0;
  host_ = device_ = std::max(host_, device_);
}

}  // namespace cubicbench::sim
