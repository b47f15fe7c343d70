#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/plan/pipeline_order.h"

namespace cubicbench::sim {

/// The passes of every stage, each stage's in order. Micro-batches are numbered chunk by chunk.
class StageQueues {
 public:
  void clear(std::int64_t stages) {
    if (queues_.size() < static_cast<std::size_t>(stages)) {
      queues_.resize(static_cast<std::size_t>(stages));
    }
    for (auto& queue : queues_) queue.clear();
  }
  void add(std::int64_t stage, const PipelinePass& pass) {
    queues_[static_cast<std::size_t>(stage)].push_back(pass);
  }
  std::span<const PipelinePass> of(std::int64_t stage) const {
    return queues_[static_cast<std::size_t>(stage)];
  }

 private:
  std::vector<std::vector<PipelinePass>> queues_;
};

}  // namespace cubicbench::sim
