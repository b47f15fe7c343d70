#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// Which stage a rank is of, and the how many-th of its t c D ranks in the order tensor, context,
/// data.
struct StagePlace {
  std::int64_t stage = 0;
  std::int64_t member = 0;

  bool operator==(const StagePlace&) const = default;
};

/// Order of a job's ranks [DeviceMesh]: tensor, context, pipeline, data from inner to outer; with
/// `stages_outermost` tensor, context, data, pipeline.
class RankOrder {
 public:
  RankOrder(const Plan& plan, std::int64_t gpus, bool stages_outermost)
      : block_(stages_outermost ? std::max<std::int64_t>(gpus / plan.pipeline_parallel, 1)
                                : plan.tensor_parallel * plan.context_parallel),
        stages_(plan.pipeline_parallel) {}

  StagePlace place(std::int64_t rank) const {
    return {rank / block_ % stages_, rank / (block_ * stages_) * block_ + rank % block_};
  }
  std::int64_t rank(const StagePlace& at) const {
    return (at.member / block_ * stages_ + at.stage) * block_ + at.member % block_;
  }

 private:
  std::int64_t block_;  ///< ranks of a stage that lie side by side
  std::int64_t stages_;
};

}  // namespace cubicbench::sim
