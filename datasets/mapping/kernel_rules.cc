#include "datasets/mapping/kernel_rules.h"

#include <array>
#include <nlohmann/json.hpp>

#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_json.h"
#include "scenarios/readers/description_reader.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::array<std::string_view, 1> schemas{"cubicbench.kernels/1"};
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

template <class Rule>
std::vector<Rule> read_list(ObjectReader& in, std::string_view key, Rule (*read)(ObjectReader&)) {
  std::vector<Rule> rules;
  for (const support::ValueReader& entry : in.array(key)) {
    ObjectReader object = entry.object();
    rules.push_back(read(object));
    non_empty(object, "why");
    object.finish();
  }
  return rules;
}

}  // namespace

KernelRules read_kernel_rules(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  in.one_of("schema", schemas);
  KernelRules rules;
  rules.accelerators = read_list(in, "accelerators", read_accelerator);
  rules.dtypes = read_list(in, "dtypes", read_precision);
  rules.attention = read_list(in, "attention", read_attention);
  ObjectReader size = in.object("attention_size");
  rules.attention_size = {.tokens = size.number("tokens", 1.0, size_max),
                          .hidden = size.number("hidden", 1.0, size_max)};
  non_empty(size, "why");
  size.finish();
  in.finish();
  support::throw_if_any(problems);
  return rules;
}

const KernelRules& kernel_rules() {
  static const KernelRules read =
      read_kernel_rules(measured_json("kernels.json"), measured_json_path("kernels.json"));
  return read;
}

}  // namespace cubicbench::datasets
