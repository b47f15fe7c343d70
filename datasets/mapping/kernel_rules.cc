#include "datasets/mapping/kernel_rules.h"

#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_json.h"
#include "scenarios/readers/description_reader.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::string_view schema = "cubicbench.kernels/1";
constexpr double size_max = 1e9;

KernelRules::Accelerator read_accelerator(ObjectReader& in) {
  KernelRules::Accelerator rule{.name = non_empty(in, "name"), .device = non_empty(in, "device")};
  if (!rule.device.empty() && !library().devices.contains(rule.device)) {
    in.problem("device", "expected a device of the library, got \"" + rule.device + "\"");
  }
  return rule;
}

KernelRules::Precision read_precision(ObjectReader& in) {
  return {.prefix = non_empty(in, "prefix"),
          .dtype = static_cast<sim::Dtype>(in.one_of("dtype", scenarios::dtype_names()))};
}

KernelRules::Attention read_attention(ObjectReader& in) {
  return {.name = non_empty(in, "name"),
          .kernel = static_cast<sim::AttentionKernel>(
              in.one_of("kernel", scenarios::attention_kernel_names()))};
}

KernelRules::AttentionSize read_size(ObjectReader in) {
  const KernelRules::AttentionSize size{.tokens = in.number("tokens", 1.0, size_max),
                                        .hidden = in.number("hidden", 1.0, size_max)};
  non_empty(in, "why");
  in.finish();
  return size;
}

}  // namespace

KernelRules read_kernel_rules(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, schema, [](ObjectReader& in) {
    return KernelRules{.accelerators = read_rules(in.array("accelerators"), read_accelerator),
                       .dtypes = read_rules(in.array("dtypes"), read_precision),
                       .attention = read_rules(in.array("attention"), read_attention),
                       .attention_size = read_size(in.object("attention_size"))};
  });
}

const KernelRules& kernel_rules() {
  static const KernelRules read = shipped("kernels.json", read_kernel_rules);
  return read;
}

}  // namespace cubicbench::datasets
