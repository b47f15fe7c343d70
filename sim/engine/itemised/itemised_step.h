#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/itemised/step_item.h"
#include "sim/engine/step_report.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/network/collective.h"
#include "sim/plan/plan.h"
#include "sim/program/operation.h"
#include "sim/program/workspace.h"
#include "sim/workload/workload.h"

namespace cubicbench::sim {

/// Who sends what to whom.
enum class Pattern : std::uint8_t {
  all_gather,
  reduce_scatter,
  gather_and_scatter,  ///< all-gathers and as large reduce-scatters, which take equal time
  all_reduce,
  all_to_all,
  send_receive,
};
inline constexpr std::size_t pattern_count = 6;

/// Collectives of one kind in a step, on the rank that the terms are of.
struct Transmission {
  StepItem term = StepItem::tensor_communication;  ///< that what nothing hides of them counts as
  Pattern pattern = Pattern::all_gather;
  Group group{};
  double count = 0.0;  ///< in a step
  Bytes bytes{};   ///< of each, the largest where they differ, by the convention of CollectiveCost
  Seconds time{};  ///< of all of them, each alone: what hides some of it is not taken off
  CollectiveCost cost{};  ///< of one
};

/// Kernels of one role, part and number format in a step, on the rank that the terms are of.
struct KernelSum {
  KernelRole role = KernelRole::other;
  StepPart part = StepPart::gemm;  ///< that their time counts as
  Dtype dtype = Dtype::bf16;
  double count = 0.0;  ///< of kernels
  Flops work{};
  Bytes traffic{};  ///< none where the law of the kernel has no term for it
  Seconds time{};
  Seconds compute{};  ///< sums of what arithmetic and memory would take alone: KernelLimits
  Seconds memory{};

  /// Adds the amounts; what kind of kernels they are stays.
  KernelSum& operator+=(const KernelSum& more) {
    count += more.count;
    work += more.work;
    traffic += more.traffic;
    time += more.time;
    compute += more.compute;
    memory += more.memory;
    return *this;
  }
};

/// A step and what it consists of. What follows `report` is empty unless its status is ok.
struct ItemisedStep {
  StepReport report;        ///< that of evaluate(), to the bit
  StepItems terms{};        ///< those of one part sum to the part of `report`, but for rounding
  std::int64_t stage = 0;   ///< pipeline stage that the terms are of: the one that computes longest
  std::int64_t stages = 1;  ///< of the pipeline
  double chunks = 1.0;      ///< of a stage
  bool weights_in_units = false;  ///< weights travel unit by unit, as with FSDP; else in buckets
  std::vector<Transmission> transmissions;
  std::vector<KernelSum> kernels;
};

/// Time and memory of one step by what causes them. Parts that hold several things are divided:
///
///   data_communication       in proportion to what gathers of weights and reductions of gradients
///                            would each expose if the other took no time
///   embedding_lookup         into the update's kernels and the rest
///   embedding_communication  into what is longer than the dense passes that rows, and their
///                            gradients, travel beside [docs/models.md, Eq. R-3], and averages
ItemisedStep itemised_step(const Workload& model, const Plan& plan, const Cluster& cluster,
                           const Stack& stack, Workspace& workspace);

}  // namespace cubicbench::sim
