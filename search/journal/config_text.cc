#include "search/journal/config_text.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "scenarios/space/setting.h"

namespace cubicbench::search {

ConfigText config_text(const scenarios::SearchSpace& space,
                       const scenarios::Configuration& config) {
  ConfigText text;
  for (std::size_t i = 0; i < std::min(space.size(), config.size()); ++i) {
    const scenarios::Parameter& parameter = space.parameters()[i];
    if (config[i] < 0 || config[i] >= std::ssize(parameter.values)) continue;
    const std::int64_t code = parameter.values[static_cast<std::size_t>(config[i])];
    text.emplace_back(parameter.setting->name, scenarios::json_of(*parameter.setting, code).dump());
  }
  return text;
}

}  // namespace cubicbench::search
