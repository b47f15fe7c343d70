#include "search/journal/placed_config.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "scenarios/space/setting.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {

std::optional<scenarios::Configuration> placed_config(const scenarios::SearchSpace& space,
                                                      const scenarios::ConfigText& config) {
  std::vector<scenarios::Assignment> assignment;
  for (const auto& [name, value] : config) {
    const scenarios::Setting* const setting = scenarios::find_setting(space, name);
    const auto code = setting == nullptr
                          ? std::nullopt
                          : scenarios::code_of(*setting, support::parse_json(value, name));
    if (!code) return std::nullopt;
    assignment.push_back({.setting = setting, .value = *code});
  }
  scenarios::Placement placement = space.from_assignment(assignment);
  if (!placement.in_space()) return std::nullopt;
  return std::move(placement.configuration);
}

}  // namespace cubicbench::search
