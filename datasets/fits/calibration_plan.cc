#include "datasets/fits/calibration_plan.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_json.h"
#include "datasets/mapping/named_parts.h"
#include "scenarios/constants/constants.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;
using Names = std::vector<std::string>;

constexpr std::string_view calibrations_schema = "cubicbench.calibrations/1";

template <class Range, class Name>
Names names_of(const Range& range, Name name) {
  Names names;
  for (const auto& element : range) names.emplace_back(name(element));
  return names;
}

Names table_names() {
  Names names = names_of(named_datasets(), [](const auto& dataset) { return dataset.name; });
  for (const NamedKernelTable& table : named_kernel_tables()) names.emplace_back(table.name);
  return names;
}

constexpr std::array<std::string_view, 3> left_out_names{"model", "generation", "row"};

/// What names in the file may be.
struct KnownNames {
  Names stacks = names_of(library().stacks, [](const auto& entry) { return entry.first; });
  Names devices = names_of(library().devices, [](const auto& entry) { return entry.first; });
  Names stack_constants = scenarios::stack_constant_names(scenarios::ConstantKind::time);
  Names device_constants = scenarios::device_constant_names();
  Names tables = table_names();
  Names parts = names_of(named_parts(), [](const auto& part) { return part.name; });
};

/// "" when `name` is one of `known`.
std::string unknown_text(std::string_view what, const std::string& name, const Names& known) {
  if (std::ranges::find(known, name) != known.end()) return "";
  return "expected " + std::string(what) + ", got \"" + support::shortened(name) + "\"" +
         support::did_you_mean(name, known);
}

/// A name that is one of `known`.
std::string known_name(ObjectReader& in, std::string_view key, std::string_view what,
                       const Names& known) {
  const std::size_t before = in.problems().size();
  std::string name = non_empty(in, key);
  if (in.problems().size() == before) {
    if (const std::string text = unknown_text(what, name, known); !text.empty()) {
      in.problem(key, text);
    }
  }
  return name;
}

std::string optional_name(ObjectReader& in, std::string_view key, std::string_view what,
                          const Names& known) {
  return in.has(key) ? known_name(in, key, what, known) : std::string();
}

CalibrationRows read_rows(ObjectReader& in, const KnownNames& known) {
  CalibrationRows rows;
  rows.table = known_name(in, "table", "a table that ships", known.tables);
  rows.part = optional_name(in, "part", "a part of parts.json", known.parts);
  rows.device = optional_name(in, "device", "a device of the library", known.devices);
  if (in.has("family")) rows.family = non_empty(in, "family");
  if (in.has("source")) rows.source = non_empty(in, "source");
  if (in.has("dtype")) rows.dtype = non_empty(in, "dtype");
  const bool of_kernels = is_kernel_table(rows.table);
  const bool of_results = is_recommendation_table(rows.table);
  for (const char* const key : {"part", "family"}) {
    if (!in.has(key) || !(of_kernels || of_results)) continue;
    in.problem(key, std::string("expected none with a table of ") +
                        (of_kernels ? "kernels" : "recommendation results"));
  }
  if (!of_kernels && in.has("dtype")) in.problem("dtype", "expected a table of kernels beside it");
  return rows;
}

void read_subject(ObjectReader& in, const KnownNames& known, CalibrationPlan& plan) {
  const bool of_device = in.has("device");
  if (of_device && in.has("stack")) in.problem("device", "expected a stack or a device, got both");
  plan.subject = of_device ? CalibrationSubject::device : CalibrationSubject::stack;
  plan.of = of_device ? known_name(in, "device", "a device of the library", known.devices)
                      : known_name(in, "stack", "a stack of the library", known.stacks);
  in.allow("stack");
  for (const support::ValueReader& entry : in.optional_array("also")) {
    plan.also.push_back(entry.string());
    const std::string text = of_device ? unknown_text("a device", plan.also.back(), known.devices)
                                       : unknown_text("a stack", plan.also.back(), known.stacks);
    if (!text.empty()) entry.problem(text);
  }
}

/// Those that a plan gives constants.
std::vector<std::string> owners_of(const CalibrationPlan& plan) {
  std::vector<std::string> owners = plan.also;
  owners.insert(owners.begin(), plan.of);
  return owners;
}

std::vector<std::string> read_fit(ObjectReader& in, const KnownNames& known,
                                  CalibrationSubject subject) {
  const bool of_stack = subject == CalibrationSubject::stack;
  const Names& constants = of_stack ? known.stack_constants : known.device_constants;
  const std::string what = "a constant of a " + std::string(name_of(subject));
  std::vector<std::string> fit;
  for (const support::ValueReader& entry : in.array("fit")) {
    const std::size_t before = in.problems().size();
    fit.push_back(entry.string());
    if (in.problems().size() > before) continue;
    if (const std::string text = unknown_text(what, fit.back(), constants); !text.empty()) {
      entry.problem(text);
    }
  }
  if (fit.empty()) in.problem("fit", "expected names of constants, got none");
  return fit;
}

CalibrationPlan read_plan(ObjectReader& in, const KnownNames& known) {
  CalibrationPlan plan;
  plan.name = non_empty(in, "name");
  read_subject(in, known, plan);
  plan.fit = read_fit(in, known, plan.subject);
  plan.rows =
      read_each(in.array("rows"), [&](ObjectReader& rows) { return read_rows(rows, known); });
  if (plan.rows.empty()) in.problem("rows", "expected tables, got none");
  plan.left_out = static_cast<LeftOut>(in.one_of("left_out", left_out_names, std::size_t{0}));
  plan.reason = non_empty(in, "reason");
  return plan;
}

}  // namespace

std::string_view name_of(CalibrationSubject subject) {
  constexpr std::array<std::string_view, 3> names{"stack", "device", "collectives"};
  return names[static_cast<std::size_t>(subject)];
}

std::vector<CalibrationPlan> read_calibration_plans(std::string_view text,
                                                    const std::string& file) {
  return read_measured_json(text, file, calibrations_schema, [](ObjectReader& in) {
    const KnownNames known;
    std::vector<CalibrationPlan> plans;
    std::set<std::string> names;
    std::set<std::tuple<CalibrationSubject, std::string, std::string>> fitted;
    for (const support::ValueReader& entry : in.array("calibrations")) {
      ObjectReader one = entry.object();
      const CalibrationPlan& plan = plans.emplace_back(read_plan(one, known));
      one.finish();
      if (!names.insert(plan.name).second) {
        entry.problem("expected a name of its own, got \"" + plan.name + "\" again");
      }
      for (const std::string& owner : owners_of(plan)) {
        for (const std::string& constant : plan.fit) {
          if (fitted.emplace(plan.subject, owner, constant).second) continue;
          entry.problem(std::string("expected a constant of ")
                            .append(owner)
                            .append(" once, got ")
                            .append(constant)
                            .append(" again"));
        }
      }
    }
    in.allow("collectives");
    return plans;
  });
}

const std::vector<CalibrationPlan>& calibration_plans() {
  return shipped<read_calibration_plans>("calibrations.json");
}

const CalibrationPlan* find_calibration_plan(std::string_view name) {
  const auto found = std::ranges::find(calibration_plans(), name, &CalibrationPlan::name);
  return found == calibration_plans().end() ? nullptr : &*found;
}

std::vector<const CalibrationPlan*> calibration_plans_of(CalibrationSubject subject,
                                                         std::string_view of) {
  std::vector<const CalibrationPlan*> plans;
  for (const CalibrationPlan& plan : calibration_plans()) {
    const std::vector<std::string> owners = owners_of(plan);
    const bool is_owner = std::ranges::find(owners, of) != owners.end();
    if (plan.subject == subject && is_owner) plans.push_back(&plan);
  }
  return plans;
}

}  // namespace cubicbench::datasets
