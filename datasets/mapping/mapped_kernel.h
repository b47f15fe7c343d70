#pragma once

#include <optional>
#include <string>
#include <variant>

#include "datasets/mapping/kernel_rules.h"
#include "datasets/mapping/library.h"
#include "datasets/tables/kernel_measurement.h"
#include "sim/base/units.h"
#include "sim/hardware/device.h"
#include "sim/kernels/kernels.h"

namespace cubicbench::datasets {

/// A matrix product.
struct TimedGemm {
  sim::Dtype dtype;
  sim::GemmShape shape;
};

/// Causal attention, forward and backward.
struct TimedAttention {
  sim::AttentionKernel kernel;
  sim::AttentionShape shape;
  bool forward = true;
  bool backward = true;
};

/// A kernel that streams a gigabyte.
struct TimedStream {};

/// A timed kernel as the simulator's input.
struct TimedKernel {
  std::string device;  ///< by name
  std::variant<TimedGemm, TimedAttention, TimedStream> kernel;
  sim::Seconds time;  ///< measured
  std::string group;  ///< kernels that err together: "k 4096", "flash2 128"
};

/// Either the kernel, or why the simulator has none like it.
struct MappedKernel {
  std::optional<TimedKernel> kernel;
  std::string reason;  ///< empty when there is a kernel
};

/// Maps a row by the rules of datasets/measured/kernels.json. Left out: batches of products,
/// attention that is not causal or is not fused, streams in units that are no bandwidth. An
/// accelerator without a rule is the device of that name `among` those.
MappedKernel map_kernel(const KernelMeasurement& row, KernelKind kind,
                        const Library& among = library());

/// What the simulator says of it on `device`.
sim::Seconds simulated_time(const TimedKernel& kernel, const sim::Device& device);

}  // namespace cubicbench::datasets
