#include "search/launch/setting_effects.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "search/embedded.h"
#include "search/launch/plan_condition.h"
#include "sim/base/check.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

constexpr std::string_view path = "effects/settings.json";
constexpr std::array<std::string_view, 1> effects_schemas{"cubicbench.effects/1"};

/// By the position of the setting.
using Effects = std::vector<PlanCondition>;

Effects read_effects() {
  const support::EmbeddedFile* const file = support::find_embedded(embedded_files(), path);
  SIM_ASSERT(file != nullptr);
  const std::string name = "search/" + std::string(path);
  const nlohmann::ordered_json json = support::parse_json(file->text, name);
  std::vector<support::Problem> problems;
  support::ObjectReader in(json, name, "", problems);
  in.one_of("schema", effects_schemas);
  Effects effects(scenarios::setting_count);
  support::ObjectReader settings = in.object("settings");
  for (const scenarios::Setting& setting : scenarios::settings()) {
    auto condition = settings.optional_object(setting.name);
    if (!condition) continue;
    effects[scenarios::index_of(setting)] = read_plan_condition(*condition);
    condition->finish();
  }
  settings.finish("setting");
  in.finish();
  support::throw_if_any(problems);
  return effects;
}

}  // namespace

bool has_effect(const scenarios::Setting& setting, const PlanFacts& facts) {
  static const Effects effects = read_effects();
  return scenarios::belongs(setting, facts.kind()) &&
         effects[scenarios::index_of(setting)].holds(facts);
}

}  // namespace cubicbench::search
