#include "datasets/fits/collective_plan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/mapping/measured_json.h"
#include "scenarios/catalog.h"
#include "scenarios/readers/collective_costs_reader.h"
#include "support/json/strict_json.h"
#include "support/suggestion.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;
using support::ValueReader;
using Names = std::vector<std::string>;

Names file_names() {
  Names names;
  for (const auto& entry : scenarios::names(scenarios::Kind::collectives)) {
    names.push_back(entry.name);
  }
  return names;
}

Names collective_table_names() {
  Names names;
  for (const NamedDataset& table : named_datasets()) {
    if (table.kind == DatasetKind::collectives) names.emplace_back(table.name);
  }
  return names;
}

/// A name that is one of `known`, and no other before it.
std::string known_name(const ValueReader& in, std::string_view what, const Names& known,
                       const Names& before) {
  std::string name = in.string();
  if (std::ranges::find(known, name) == known.end()) {
    in.problem("expected " + std::string(what) + ", got \"" + support::shortened(name) + "\"" +
               support::did_you_mean(name, known));
  } else if (std::ranges::find(before, name) != before.end()) {
    in.problem("expected every name once, got \"" + name + "\" again");
  }
  return name;
}

Names known_names(ObjectReader& in, std::string_view key, std::string_view what,
                  const Names& known) {
  Names names;
  for (const ValueReader& entry : in.array(key)) {
    names.push_back(known_name(entry, what, known, names));
  }
  if (names.empty()) in.problem(key, "expected names, got none");
  return names;
}

/// The numbers that the file of that name may give; none of one that does not ship.
Names names_in(const std::string& of) {
  if (!scenarios::text(scenarios::Kind::collectives, of)) return {};
  std::vector<support::Problem> problems;
  const auto document = scenarios::find_document(scenarios::Kind::collectives, of, "", of);
  return scenarios::constant_names(scenarios::read_collective_costs(document, problems));
}

CollectivePlan read_plan(ObjectReader& in, Names& files) {
  CollectivePlan plan;
  plan.of = known_name(in.value("name"), "a file of scenarios/collectives", file_names(), files);
  files.push_back(plan.of);
  plan.fit = known_names(in, "fit", "a number of that file", names_in(plan.of));
  plan.tables =
      known_names(in, "tables", "a table of collectives that ships", collective_table_names());
  plan.reason = non_empty(in, "reason");
  return plan;
}

}  // namespace

std::vector<CollectivePlan> read_collective_plans(std::string_view text, const std::string& file) {
  const nlohmann::ordered_json json = support::parse_json(text, file);
  std::vector<support::Problem> problems;
  ObjectReader in(json, file, "", problems);
  Names files;
  std::vector<CollectivePlan> plans = read_each(
      in.optional_array("collectives"), [&](ObjectReader& plan) { return read_plan(plan, files); });
  support::throw_if_any(problems);
  return plans;
}

const std::vector<CollectivePlan>& collective_plans() {
  return shipped<read_collective_plans>("calibrations.json");
}

const CollectivePlan* find_collective_plan(std::string_view of) {
  const auto found = std::ranges::find(collective_plans(), of, &CollectivePlan::of);
  return found == collective_plans().end() ? nullptr : &*found;
}

}  // namespace cubicbench::datasets
