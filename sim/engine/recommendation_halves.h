#pragma once

#include <vector>

#include "sim/engine/step_report.h"
#include "sim/engine/weight_time.h"
#include "sim/memory/peak_memory.h"
#include "sim/program/recommendation_program.h"

namespace cubicbench::sim {

/// Time by part, as a StepCost: archs have these and no others.
struct ArchCost {
  Seconds gemm;
  Seconds attention;
  Seconds memory_bound;
  Seconds recompute;
  Seconds host;
  Seconds weights;  ///< on their way
  Seconds optimizer;

  /// That of the StepCost, to the bit.
  Seconds total() const {
    return gemm + attention + memory_bound + recompute + host + weights + optimizer;
  }
};

/// Both passes over all archs of a recommendation model, their weights and their optimizer.
struct DenseCost {
  ArchCost parts;
  Seconds forward;   ///< of the dense arch: what pooled rows travel beside
  Seconds backward;  ///< the same of their gradients
};

/// Of it what a step is joined from: parts that nothing is added to between others are summed.
struct DenseTime {
  Seconds computing;  ///< on the device: products, attention, element-wise
  Seconds host;
  Seconds weights;  ///< on their way
  Seconds optimizer;
  Seconds forward;  ///< as above
  Seconds backward;
};

/// What the sparse side puts into a step: the tables, and the batch on its way to them.
struct TableTime {
  Seconds lookup{};  ///< of what no pass over archs hides, as the next three
  Seconds communication{};
  Seconds host_copies{};
  Seconds fixed{};
  Seconds exchange_forward{};
  Seconds exchange_backward{};
  Seconds input{};  ///< all of it: copy and ids, its host's part and what of a pipelined lookup
  Seconds input_copies{};
  Seconds input_host{};
  Seconds input_lookup{};
  Seconds input_host_copies{};
  Seconds ids{};  ///< of `input_copies`, on their way to the tables' owners
  InputPipeline pipeline = InputPipeline::none;
};

/// Both passes over an arch without its weights, and what these travel beside.
struct ArchPasses {
  ArchCost forward;
  ArchCost backward;
  WeightPasses passes{};
};

/// What the weights of an arch add to its passes and to the step.
struct ArchWeightTime {
  Seconds forward;
  Seconds backward;
  Seconds once;
  Seconds forward_waits;  ///< of `once`, in the forward pass
  Seconds optimizer;
};

// An arch of `program`: its passes, of its blocks; collectives over its weights, of the rest of its
// run; what these add to passes; and what all of it adds to the cost of the dense side. Archs are
// added in their order.
ArchPasses arch_passes(const RecommendationProgram& program, ModuleGroup group,
                       const StepContext& on);
WeightCost arch_weights(const ArchRun& run, const StepContext& on);
ArchWeightTime arch_weight_time(const ArchRun& run, const WeightCost& collectives,
                                const WeightPasses& passes, const StepContext& on);
void add_arch(ModuleGroup group, const ArchPasses& layers, const ArchWeightTime& weights,
              DenseCost& cost);

/// Reads the archs of `program`. `travel`: of collectives over weights, those that take time.
DenseCost dense_cost(const RecommendationProgram& program, const StepContext& on,
                     WeightTravel travel = WeightTravel::all);
DenseTime dense_time(const DenseCost& cost);

/// Reads the blocks and groups of the sparse side of `program`.
TableTime table_time(const RecommendationProgram& program, const StepContext& on);

/// A whole step by part.
struct RecommendationStep {
  DenseTime dense;
  Seconds host{};  ///< that of the dense side, and what of the input's is waited for
  Seconds retries{};
  Seconds lookup{};
  Seconds communication{};
  Seconds input{};
  Seconds host_copies{};
  Seconds fixed{};

  /// The sum over parts in their order, to the bit.
  Seconds total() const {
    return dense.computing + host + dense.weights + dense.optimizer + retries + lookup +
           communication + input + host_copies + fixed;
  }
};

/// Joins the halves to a step [docs/models.md, Eq. R-3]: pooled rows travel beside the dense arch,
/// which needs none of them; the others wait for both. `retry_share`: of memory that is nearly
/// full.
RecommendationStep joined_step(const DenseTime& dense, const TableTime& tables, double retry_share);

/// A time that no joined step is shorter than, but for rounding: what nothing hides.
constexpr Seconds shortest_step(const DenseTime& dense, const TableTime& tables) {
  return dense.computing + dense.host + dense.weights + dense.optimizer + tables.lookup +
         tables.communication + tables.host_copies + tables.fixed;
}

/// By the parts that all kinds of models have.
StepCost parts_of(const RecommendationStep& step, const DenseCost& dense);

/// The halves of all that a verdict on a step reads. Halves of one model, cluster and stack may be
/// joined where they are of the same batch and type of parameters, and the tables were placed
/// beside as many bytes of the dense side as this one has.
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

/// Whether a step with `a` in the place of `b` is of no more time and memory, whatever half it is
/// joined with, but for what rounding makes of sums. Not told of halves that could be either.
///
/// Steps are not shorter where a time of the tables is longer: with none waiting, a step t becomes
/// t + input; with a prefetched batch t + max(ids, input - ids - t) = max(t + ids, input - ids),
/// with a pipelined one max(t, input). Of a dense side of times c that leaves room for exchanges of
/// f and b, c + max(0, x - f) + max(0, y - b) is least, for all x and y, where it is for x = the
/// other's f and y = the other's b. Bytes alive and communicators only fill memory, and fuller
/// memory only adds retries and failures.
bool no_worse(const TableHalf& a, const TableHalf& b);
bool no_worse(const DenseHalf& a, const DenseHalf& b);

}  // namespace cubicbench::sim
