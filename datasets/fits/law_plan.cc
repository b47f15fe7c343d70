#include "datasets/fits/law_plan.h"

#include <algorithm>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_json.h"
#include "scenarios/constants/constants.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

constexpr std::string_view laws_schema = "cubicbench.laws/1";

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

std::string read_table(const support::ValueReader& entry) {
  std::string name = entry.string();
  const bool known = std::ranges::any_of(
      named_datasets(), [&](const NamedDataset& dataset) { return dataset.name == name; });
  if (!known) entry.problem("expected a table that ships, got \"" + name + "\"");
  return name;
}

}  // namespace

LawPlan read_law_plan(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, laws_schema, [](ObjectReader& in) {
    LawPlan plan;
    plan.name = non_empty(in, "name");
    plan.of = known_name(in, "stack", "a stack of the library", is_stack);
    plan.constants = read_rules(in.array("constants"), read_constant);
    for (const support::ValueReader& entry : in.array("tables")) {
      plan.tables.push_back(read_table(entry));
    }
    plan.reason = non_empty(in, "reason");
    return plan;
  });
}

const LawPlan& law_plan() { return shipped<read_law_plan>("laws.json"); }

}  // namespace cubicbench::datasets
