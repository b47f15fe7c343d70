#include "search/launch/plan_condition.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "support/suggestion.h"

namespace cubicbench::search {
namespace {

using scenarios::Setting;

PlanCondition::OneOf read_values(support::ObjectReader& in, const std::string& name) {
  const Setting* const setting = scenarios::find_setting(name);
  PlanCondition::OneOf one{.setting = setting, .codes = {}};
  for (const support::ValueReader& value : in.array(name)) {
    if (setting == nullptr || value.raw() == nullptr) continue;
    const auto code = scenarios::code_of(*setting, *value.raw());
    if (code) {
      one.codes.push_back(*code);
    } else {
      value.problem("expected " + scenarios::expected(*setting) + ", got " +
                    support::shown(*value.raw()));
    }
  }
  if (setting == nullptr) {
    in.problem(name, "unknown setting" + support::did_you_mean(name, scenarios::setting_names()));
  }
  return one;
}

std::optional<scenarios::Expression> read_require(support::ObjectReader& in) {
  if (!in.has("require")) return std::nullopt;
  try {
    return scenarios::Expression::parse(in.string("require"), PlanFacts::names());
  } catch (const scenarios::ConstraintError& error) {
    in.problem("require", error.what());
    return std::nullopt;
  }
}

}  // namespace

bool PlanCondition::holds(const PlanFacts& facts) const {
  for (const OneOf& one : when) {
    const std::int64_t code = facts.values()[scenarios::index_of(*one.setting)];
    if (std::ranges::find(one.codes, code) == one.codes.end()) return false;
  }
  return !require || require->evaluate(facts.values());
}

PlanCondition read_plan_condition(support::ObjectReader& in) {
  PlanCondition condition;
  if (auto when = in.optional_object("when")) {
    for (const std::string& name : when->keys()) {
      PlanCondition::OneOf one = read_values(*when, name);
      if (one.setting != nullptr) condition.when.push_back(std::move(one));
    }
    when->finish("setting");
  }
  condition.require = read_require(in);
  return condition;
}

}  // namespace cubicbench::search
