#include "results/explanation/differences.h"

#include <cstddef>

namespace cubicbench::results {

std::vector<TermDifference> term_differences(const ExplainedPlan& here,
                                             const ExplainedPlan& there) {
  std::vector<TermDifference> differences;
  if (!has_step(here.simulation) || !has_step(there.simulation)) return differences;
  for (std::size_t i = 0; i < here.items.terms.size(); ++i) {
    const TermDifference one{.term = static_cast<sim::StepItem>(i),
                             .here = here.items.terms[i],
                             .there = there.items.terms[i]};
    if (one.here != sim::Seconds{} || one.there != sim::Seconds{}) differences.push_back(one);
  }
  return differences;
}

std::vector<PartDifference> part_differences(const ExplainedPlan& here,
                                             const ExplainedPlan& there) {
  std::vector<PartDifference> differences;
  const auto is_laid_out = [](const ExplainedPlan& plan) {
    return plan.simulation.report.status != sim::StepStatus::invalid;
  };
  if (!is_laid_out(here) || !is_laid_out(there)) return differences;
  const auto& parts = here.simulation.report.memory.parts;
  const auto& others = there.simulation.report.memory.parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PartDifference one{
        .part = static_cast<sim::MemoryPart>(i), .here = parts[i], .there = others[i]};
    if (one.here != sim::Bytes{} || one.there != sim::Bytes{}) differences.push_back(one);
  }
  return differences;
}

}  // namespace cubicbench::results
