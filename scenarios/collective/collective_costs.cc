#include "scenarios/collective/collective_costs.h"

#include <nlohmann/json.hpp>

#include "scenarios/constants/collective_constants.h"
#include "scenarios/readers/collective_costs_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::scenarios {

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
