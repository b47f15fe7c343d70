#include "datasets/fits/law_plan.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/measured_json.h"
#include "scenarios/catalog.h"
#include "scenarios/constants/constants.h"
#include "scenarios/readers/description_reader.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::string_view schema = "cubicbench.laws/1";

/// Constants of time that laws decide; those of experts and of rings are the stack's own.
constexpr std::array<std::string_view, 16> of_laws{"gemm_factor",
                                                   "element_wise_factor",
                                                   "compiled_element_wise_factor",
                                                   "logits_traffic_bytes",
                                                   "host_layer_forward_ms",
                                                   "host_smoothness",
                                                   "host_jitter_us",
                                                   "compiled_host_factor",
                                                   "latency_per_rank_us",
                                                   "launch_us",
                                                   "accumulation_bytes",
                                                   "overlap_cost",
                                                   "tensor_overlap",
                                                   "async_tensor_overlap",
                                                   "data_overlap",
                                                   "zero1_overlap"};

template <class Known>
std::string known_name(ObjectReader& in, std::string_view key, std::string_view what,
                       const Known& known) {
  std::string name = non_empty(in, key);
  if (!name.empty() && !known(name)) {
    in.problem(key, "expected " + std::string(what) + ", got \"" + support::shortened(name) + "\"");
  }
  return name;
}

bool is_stack(const std::string& name) { return library().stacks.contains(name); }

LawConstant read_constant(ObjectReader& in) {
  LawConstant read;
  for (const support::ValueReader& entry : in.optional_array("devices")) {
    read.devices.push_back(entry.string());
    if (!library().devices.contains(read.devices.back())) {
      entry.problem("expected a device of the library, got \"" + read.devices.back() + "\"");
    }
  }
  const bool of_stack = read.devices.empty();
  read.constant =
      known_name(in, "constant", "a constant of a " + std::string(of_stack ? "stack" : "device"),
                 [&](const std::string& name) {
                   return of_stack ? scenarios::find_stack_constant(name) != nullptr
                                   : scenarios::find_device_constant(name) != nullptr;
                 });
  read.expected = in.number("expected", 1e-6, 1e6);
  read.spread = in.number("spread", 0.01, 10.0);
  read.label = read.constant;
  if (!of_stack) read.label += " of " + support::joined(read.devices, ", ");
  return read;
}

/// A stack as a file that stands on `base` would have it.
sim::Stack with_switches(ObjectReader& in, const std::string& base) {
  nlohmann::ordered_json document = {
      {"schema", "cubicbench.stack/1"}, {"name", "switches"}, {"base", base}, {"sources", {}}};
  document["sources"] = nlohmann::ordered_json::object();
  if (const auto* const switches = in.raw("switches")) {
    for (const auto& [name, value] : switches->items()) {
      document[name] = value;
      document["sources"][name] = "the rule's reason";
    }
  }
  std::vector<support::Problem> problems;
  sim::Stack stack = scenarios::read_stack(
      {.file = "switches", .directory = "", .text = document.dump()}, problems);
  for (const support::Problem& problem : problems) in.problem("switches", problem.text);
  return stack;
}

SoftwareRule read_software(ObjectReader& in) {
  SoftwareRule rule;
  for (const support::ValueReader& entry : in.array("stacks")) {
    rule.stacks.push_back(entry.string());
    if (!is_stack(rule.stacks.back())) {
      entry.problem("expected a stack of the library, got \"" + rule.stacks.back() + "\"");
    }
  }
  in.allow("switches");
  rule.base = known_name(in, "base", "a stack of the library", is_stack);
  if (is_stack(rule.base)) rule.law = with_switches(in, rule.base);
  return rule;
}

std::string read_table(const support::ValueReader& entry) {
  std::string name = entry.string();
  const bool known = std::ranges::any_of(
      named_datasets(), [&](const NamedDataset& dataset) { return dataset.name == name; });
  if (!known) entry.problem("expected a table that ships, got \"" + name + "\"");
  return name;
}

}  // namespace

LawPlan read_law_plan(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, schema, [](ObjectReader& in) {
    LawPlan plan;
    plan.name = non_empty(in, "name");
    plan.of = known_name(in, "stack", "a stack of the library", is_stack);
    plan.constants = read_rules(in.array("constants"), read_constant);
    for (const support::ValueReader& entry : in.array("tables")) {
      plan.tables.push_back(read_table(entry));
    }
    plan.software = read_rules(in.array("software"), read_software);
    plan.reason = non_empty(in, "reason");
    return plan;
  });
}

const LawPlan& law_plan() { return shipped<read_law_plan>("laws.json"); }

const sim::Stack* law_of(const LawPlan& plan, std::string_view name) {
  for (const SoftwareRule& rule : plan.software) {
    if (std::ranges::find(rule.stacks, name) != rule.stacks.end()) return &rule.law;
  }
  return nullptr;
}

sim::Stack with_times_of(const sim::Stack& law, const sim::Stack& named) {
  sim::Stack stack = named;
  for (const std::string_view name : of_laws) {
    const scenarios::StackConstant& constant = *scenarios::find_stack_constant(name);
    set_value(constant, value_of(constant, law), stack);
  }
  stack.fusion = law.fusion;
  stack.cuda_graphs = law.cuda_graphs;
  stack.attention = law.attention;
  return stack;
}

}  // namespace cubicbench::datasets
