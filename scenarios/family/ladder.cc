#include "scenarios/family/ladder.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/base/units.h"
#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

using support::ObjectReader;
using support::ValueReader;

/// Of a ladder, so that an instance is drawn in a second or so.
constexpr std::size_t configurations_max = 100'000;

std::string too_many() {
  return "expected at most " + std::to_string(configurations_max) + " configurations";
}

const Setting* setting_of(ObjectReader& in, const std::string& name) {
  const Setting* const setting = find_setting(name);
  if (setting == nullptr) {
    in.allow(name);
    in.problem(name, "unknown setting" + support::did_you_mean(name, setting_names()));
  }
  return setting;
}

std::int64_t value_of(const Setting& setting, const ValueReader& value) {
  const auto code = value.raw() == nullptr ? std::nullopt : code_of(setting, *value.raw());
  if (value.raw() != nullptr && !code) {
    value.problem("expected " + expected(setting) + ", got " + support::shown(*value.raw()));
  }
  return code.value_or(0);
}

std::vector<std::int64_t> values_of(const Setting& setting, const std::vector<ValueReader>& list) {
  std::vector<std::int64_t> codes;
  for (const ValueReader& value : list) codes.push_back(value_of(setting, value));
  return codes;
}

LadderStep read_step(const ValueReader& value) {
  LadderStep step;
  ObjectReader in = value.object();
  if (auto only = in.optional_object("only")) {
    for (const std::string& name : only->keys()) {
      const Setting* const setting = setting_of(*only, name);
      if (setting != nullptr) {
        step.only.emplace_back(setting, values_of(*setting, only->array(name)));
      }
    }
    only->finish("setting");
  }
  for (const std::string& name : in.keys()) {
    if (name == "only") continue;
    if (const Setting* const setting = setting_of(in, name)) {
      step.settings.push_back({setting, value_of(*setting, in.value(name))});
    }
  }
  in.finish("setting");
  return step;
}

double product_of(const LadderStep& step, const std::vector<const Setting*>& settings) {
  double product = 1.0;
  for (const Assignment& a : step.settings) {
    if (std::ranges::find(settings, a.setting) != settings.end()) product *= sim::real(a.value);
  }
  return product;
}

/// Every combination of the listed values, the first setting changing slowest.
std::vector<LadderStep> combinations(ObjectReader& lists) {
  std::vector<LadderStep> steps(1);
  for (const std::string& name : lists.keys()) {
    const Setting* const setting = setting_of(lists, name);
    if (setting == nullptr) continue;
    std::vector<LadderStep> longer;
    const std::vector<std::int64_t> values = values_of(*setting, lists.array(name));
    if (values.size() * steps.size() > configurations_max) {
      lists.problem(name, too_many());
      continue;
    }
    for (const LadderStep& step : steps) {
      for (const std::int64_t value : values) {
        longer.push_back(step);
        longer.back().settings.push_back({setting, value});
      }
    }
    steps = std::move(longer);
  }
  lists.finish("setting");
  return steps;
}

std::vector<LadderStep> read_layouts(ObjectReader in) {
  ObjectReader lists = in.object("layouts");
  std::vector<LadderStep> steps = combinations(lists);
  std::vector<std::vector<const Setting*>> keys;
  for (const ValueReader& key : in.array("order")) {
    keys.emplace_back();
    for (const ValueReader& name : key.array()) {
      const Setting* const setting = find_setting(name.string());
      if (setting == nullptr) name.problem("expected a setting of the layouts");
      keys.back().push_back(setting);
    }
  }
  const bool descending = in.boolean("descending", false);
  in.finish();
  std::ranges::stable_sort(steps, [&](const LadderStep& a, const LadderStep& b) {
    for (const auto& key : keys) {
      const double of_a = product_of(a, key);
      const double of_b = product_of(b, key);
      if (of_a != of_b) return (of_a < of_b) != descending;
    }
    return false;
  });
  return steps;
}

std::vector<LadderStep> read_loop(const ValueReader& value) {
  if (value.raw() != nullptr && value.raw()->is_object()) return read_layouts(value.object());
  std::vector<LadderStep> steps;
  for (const ValueReader& step : value.array()) steps.push_back(read_step(step));
  if (steps.empty()) value.problem("expected a step at least");
  return steps;
}

void set(std::vector<Assignment>& settings, const Assignment& assignment) {
  const auto same = std::ranges::find(settings, assignment.setting, &Assignment::setting);
  if (same == settings.end()) {
    settings.push_back(assignment);
  } else {
    same->value = assignment.value;
  }
}

bool applies(const LadderStep& step, const std::vector<Assignment>& settings) {
  return std::ranges::all_of(step.only, [&](const auto& only) {
    const auto set = std::ranges::find(settings, only.first, &Assignment::setting);
    return set != settings.end() && std::ranges::find(only.second, set->value) != only.second.end();
  });
}

using Look = std::function<bool(const std::vector<Assignment>&)>;

bool climb_from(const Ladder& ladder, std::size_t loop, const std::vector<Assignment>& settings,
                const Look& look) {
  if (loop == ladder.loops.size()) return look(settings);
  return std::ranges::any_of(ladder.loops[loop], [&](const LadderStep& step) {
    if (!applies(step, settings)) return false;
    std::vector<Assignment> more = settings;
    for (const Assignment& a : step.settings) set(more, a);
    return climb_from(ladder, loop + 1, more, look);
  });
}

}  // namespace

Ladder read_ladder(ObjectReader& in) {
  Ladder ladder;
  in.string("source");
  std::size_t configurations = 1;
  for (const ValueReader& loop : in.array("ladder")) {
    ladder.loops.push_back(read_loop(loop));
    configurations *= std::max<std::size_t>(1, ladder.loops.back().size());
    if (configurations <= configurations_max) continue;
    loop.problem(too_many() + " of all loops");
    configurations = 1;
  }
  for (const ValueReader& name : in.optional_array("grow")) {
    const Setting* const setting = find_setting(name.string());
    if (setting == nullptr) {
      name.problem("expected a setting");
    } else {
      ladder.grow.push_back(setting);
    }
  }
  in.finish();
  return ladder;
}

void climb(const Ladder& ladder, const Look& look) { climb_from(ladder, 0, {}, look); }

}  // namespace cubicbench::scenarios
