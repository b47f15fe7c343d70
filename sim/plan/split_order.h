#pragma once

#include <cstdint>
#include <vector>

#include "sim/plan/pass_source.h"
#include "sim/plan/split_shape.h"
#include "sim/plan/v_order.h"

namespace cubicbench::sim {

/// A pass in a sequence of passes.
struct SequencedPass {
  PipelinePass pass;
  std::int32_t stage = 0;   ///< of the shape
  std::int32_t after = -1;  ///< the one in the sequence that it waits for
  bool receives = false;    ///< and from which it gets a message
};

/// Writes the order of passes of pipelines with split backward passes; keeps its buffers.
class SplitOrderWriter {
 public:
  /// All passes of a step, in an order in which each comes behind the pass before it on its stage
  /// and behind what it waits for; those that run beside each other follow one another.
  void write(const SplitShape& shape, std::vector<SequencedPass>& sequence);

 private:
  bool is_ready(const SplitShape& shape, std::int64_t stage, const PipelinePass& pass) const;
  void append(const SplitShape& shape, std::int64_t stage, const PipelinePass& pass,
              std::vector<SequencedPass>& sequence);
  bool advance(const SplitShape& shape, std::int64_t stage, std::vector<SequencedPass>& sequence);

  StageQueues queues_;
  VPatternOrder patterns_;
  PassTable rows_;
  std::vector<std::size_t> heads_;  ///< of the queues: passes that are in the sequence
};

}  // namespace cubicbench::sim
