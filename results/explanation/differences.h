#pragma once

#include <string_view>
#include <vector>

#include "results/explanation/explanation.h"

namespace cubicbench::results {

/// What one term contributes to the difference of two steps.
struct TermDifference {
  sim::StepItem term = sim::StepItem::gemm;
  sim::Seconds here;
  sim::Seconds there;
  sim::Seconds more() const { return there - here; }  ///< in the other plan
};

/// What one part contributes to the difference of what is allocated.
struct PartDifference {
  sim::MemoryPart part = sim::MemoryPart::parameters;
  sim::Bytes here;
  sim::Bytes there;
  sim::Bytes more() const { return there - here; }
};

/// Every term that one of the two has, in the order of the breakdown: they sum to the difference of
/// the steps. None where one of the plans has no step.
std::vector<TermDifference> term_differences(const ExplainedPlan& here, const ExplainedPlan& there);

/// Every part that one of the two has: they sum to the difference of the allocated bytes, to the
/// byte. None where one of the plans cannot be laid out.
std::vector<PartDifference> part_differences(const ExplainedPlan& here, const ExplainedPlan& there);

}  // namespace cubicbench::results
