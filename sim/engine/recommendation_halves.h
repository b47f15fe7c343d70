#pragma once

#include <vector>

#include "sim/engine/step_context.h"
#include "sim/engine/step_cost.h"
#include "sim/memory/demand.h"
#include "sim/program/recommendation_program.h"

namespace cubicbench::sim {

/// What the dense side of a recommendation model puts into a step: its archs, their weights and
/// their optimizer.
struct DenseTime {
  StepCost cost;
  Seconds forward;   ///< of the dense arch: what pooled rows travel beside
  Seconds backward;  ///< the same of their gradients
};

/// What the sparse side puts into it: the tables, and the batch on its way to them.
struct TableTime {
  StepCost cost;  ///< that no pass over archs hides
  Seconds exchange_forward;
  Seconds exchange_backward;
  StepCost input;
  Seconds input_total;
  Seconds ids;  ///< of it, on their way to the tables' owners
  InputPipeline pipeline = InputPipeline::none;
};

/// Reads the archs of `program`.
DenseTime dense_time(const RecommendationProgram& program, const StepContext& on);

/// Reads the blocks and groups of the sparse side of `program`.
TableTime table_time(const RecommendationProgram& program, const StepContext& on);

/// The whole step [docs/models.md, Eq. R-3]: pooled rows travel beside the dense arch, which needs
/// none of them; the others wait for both.
///
/// Grows, or stays, with each time of either half: max(0, a - u) + u does with u, and the exposed
/// part of an input makes of a step t max(t, input). `retry_share`: of memory that is nearly full.
StepCost step_cost(const DenseTime& dense, const TableTime& tables, double retry_share);

/// The two halves of all that a verdict on a step reads. Halves of one model, cluster and stack may
/// be joined where they are of the same batch, and the tables were placed beside as many bytes of
/// the dense side as this one has.
struct DenseHalf {
  bool valid = true;  ///< what follows is meaningful only then
  DenseTime time;
  AliveBytes alive;
  double communicators = 0.0;
  Bytes resident;  ///< that tables are placed beside
};

struct TableHalf {
  bool valid = true;  ///< what follows is meaningful only then
  TableTime time;
  std::vector<AliveBytes> alive;  ///< of each class of ranks that may need most
  double communicators = 0.0;
};

}  // namespace cubicbench::sim
