#include "scenarios/readers/collective_costs_reader.h"

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/constants/collective_constants.h"
#include "scenarios/readers/description.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array first_version{1};
constexpr std::array<std::string_view, 2> subjects{"domain", "fabric"};

/// Of a start-up the share that it goes with, else "".
std::string_view share_started_by(std::string_view key) {
  if (key == "base_us") return "share";
  return key == "low_base_us" ? "low_share" : "";
}

/// Numbers of a file by table, each table read once.
template <class Costs>
class Tables {
 public:
  explicit Tables(Description& in) : in_(in) {}

  void read(const CollectiveConstant<Costs>& constant, Costs& costs) {
    set_value(constant, 0.0, costs);
    const std::size_t dot = constant.name.find('.');
    const std::string_view table = constant.name.substr(0, dot);
    if (!in_.has(table) && constant.min == 0.0) {
      in_.uncited().allow(table);
    } else if (dot == std::string_view::npos) {
      set_value(constant, in_.number(table, constant.min, constant.max, 0.0), costs);
    } else {
      set_value(constant, entry(table, constant.name.substr(dot + 1), constant), costs);
    }
  }

  void finish() {
    for (auto& [name, table] : tables_) table.finish();
  }

 private:
  double entry(std::string_view table, std::string_view key,
               const CollectiveConstant<Costs>& constant) {
    auto found = tables_.find(table);
    if (found == tables_.end()) found = tables_.emplace(table, in_.object(table)).first;
    support::ObjectReader& of = found->second;
    // What must be above zero must be there, and the start-up of what has a share.
    return constant.min > 0.0 || of.has(share_started_by(key))
               ? of.number(key, constant.min, constant.max)
               : of.number(key, constant.min, constant.max, 0.0);
  }

  Description& in_;
  std::map<std::string_view, support::ObjectReader> tables_;
};

/// Whether the file is of `subject`; of another it has other numbers, and is not read further.
bool is_of(Description& in, std::string_view subject, std::vector<support::Problem>& problems) {
  support::ObjectReader& head = in.uncited();
  const std::size_t before = problems.size();
  const std::string_view told = subjects[head.one_of("of", subjects)];
  if (problems.size() != before) return false;
  if (told == subject) return true;
  head.problem("of",
               "expected \"" + std::string(subject) + "\", got \"" + std::string(told) + "\"");
  return false;
}

template <class Costs>
Costs read_costs(const Document& document, std::string_view subject,
                 std::span<const CollectiveConstant<Costs>> constants,
                 std::vector<support::Problem>& problems) {
  const auto json = support::parse_json(document.text, document.file);
  Description in(json, document.file, "cubicbench.collective_costs", first_version, problems);
  Costs costs;
  if (!is_of(in, subject, problems)) return costs;
  if constexpr (requires { costs.trees; }) costs.trees = in.boolean("trees", costs.trees);
  Tables<Costs> tables(in);
  for (const CollectiveConstant<Costs>& constant : constants) tables.read(constant, costs);
  tables.finish();
  in.finish();
  return costs;
}

}  // namespace

sim::DomainCosts read_domain_costs(const Document& document,
                                   std::vector<support::Problem>& problems) {
  return read_costs(document, "domain", domain_constants(), problems);
}

sim::FabricCosts read_fabric_costs(const Document& document,
                                   std::vector<support::Problem>& problems) {
  return read_costs(document, "fabric", fabric_constants(), problems);
}

CollectiveCosts read_collective_costs(const Document& document,
                                      std::vector<support::Problem>& problems) {
  const auto json = support::parse_json(document.text, document.file);
  if (json.is_object() && json.contains("of") && json["of"] == "fabric") {
    return read_fabric_costs(document, problems);
  }
  return read_domain_costs(document, problems);
}

std::vector<std::string> constant_names(const CollectiveCosts& costs) {
  std::vector<std::string> names;
  const auto add = [&](const auto& constants) {
    for (const auto& constant : constants) names.emplace_back(constant.name);
  };
  if (std::holds_alternative<sim::DomainCosts>(costs)) {
    add(domain_constants());
  } else {
    add(fabric_constants());
  }
  return names;
}

}  // namespace cubicbench::scenarios
