#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/hardware/device.h"
#include "sim/hardware/dtype.h"

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

}  // namespace cubicbench::datasets
