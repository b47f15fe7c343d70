#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "datasets/mapping/library.h"
#include "datasets/tables/kernel_measurement.h"
#include "sim/base/units.h"
#include "sim/hardware/device.h"
#include "sim/hardware/dtype.h"
#include "sim/kernels/kernels.h"

namespace cubicbench::datasets {

/// How sources of kernel timings name what the simulator has.
struct KernelRules {
  struct Accelerator {
    std::string name;    ///< as the source has it
    std::string device;  ///< of the library
  };
  struct Precision {
    std::string prefix;  ///< of the source's text
    sim::Dtype dtype;
  };
  struct Attention {
    std::string name;  ///< as the source has it
    sim::AttentionKernel kernel;
  };
  /// What benchmarks of attention hold where a row gives neither batch nor heads.
  struct AttentionSize {
    double tokens = 0.0;  ///< of all sequences
    double hidden = 0.0;  ///< heads x head size
  };

  std::vector<Accelerator> accelerators;
  std::vector<Precision> dtypes;
  std::vector<Attention> attention;
  AttentionSize attention_size;
};

/// Reads the JSON file of such rules, schema `cubicbench.kernels/1`. Every rule needs a reason,
/// every device must be in the library. Throws InputError with every problem.
KernelRules read_kernel_rules(std::string_view text, const std::string& file);

/// Those that ship (datasets/measured/kernels.json), read once.
const KernelRules& kernel_rules();

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
