#include "scenarios/space/search_space.h"

#include <algorithm>
#include <optional>

#include "scenarios/space/rules_diagram.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/input_error.h"
#include "support/json/canonical.h"

namespace cubicbench::scenarios {
namespace {

/// "1, 2, 4", or "1, 2, 3, ..., 512" where there are many.
std::string listing(const Parameter& parameter) {
  constexpr std::size_t shown_max = 12;
  constexpr std::size_t shown_of_many = 3;
  const std::size_t size = parameter.values.size();
  const std::size_t shown = size <= shown_max ? size : shown_of_many;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += ", ";
    text += format_setting(*parameter.setting, parameter.values[i]);
  }
  if (shown < size) text += ", ..., " + format_setting(*parameter.setting, parameter.values.back());
  return text;
}

std::string expected_value(const Parameter& parameter, const std::string& got) {
  const char* const prefix = parameter.values.size() == 1 ? "expected " : "expected one of ";
  return prefix + listing(parameter) + ", got " + got;
}

std::string pointer_to(const Setting& setting) { return "/" + std::string(setting.name); }

/// That of json_of(), which every launch records for every parameter, in a tenth of the time.
std::string json_text(const Setting& setting, std::int64_t code) {
  std::string text = format_setting(setting, code);
  if (setting.kind == SettingKind::choice) return support::json_string(text);
  return text;
}

const Assignment* find_assignment(std::span<const Assignment> assignment, const Setting* setting) {
  // From the back: of two values the later one counts, as with repeated options.
  const auto found =
      std::find_if(assignment.rbegin(), assignment.rend(),
                   [&](const Assignment& given) { return given.setting == setting; });
  return found == assignment.rend() ? nullptr : &*found;
}

}  // namespace

const Setting* find_setting(const SearchSpace& space, std::string_view name) {
  const int parameter = space.find(name);
  if (parameter < 0) return find_setting(name);
  return space.parameters()[static_cast<std::size_t>(parameter)].setting;
}

std::int64_t SearchSpace::index_of_value(std::size_t parameter, std::int64_t value) const {
  const auto& values = rules_.parameters[parameter].values;
  const auto found = std::find(values.begin(), values.end(), value);
  return found == values.end() ? -1 : found - values.begin();
}

void SearchSpace::canonicalise(std::span<std::int64_t> configuration) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (!active(configuration, i)) {
      configuration[i] = inactive;
    } else if (configuration[i] < 0) {
      configuration[i] = 0;
    }
  }
}

int SearchSpace::first_violated(std::span<const std::int64_t> configuration) const {
  if (rules_.constraints.empty()) {
    // All there is without constraints, unless the space is a list: then the diagram knows it.
    return diagram_.number_of(configuration) ? -1 : 0;
  }
  const ConstraintSlots slots = rules_.slots_of(configuration);
  for (std::size_t i = 0; i < rules_.constraints.size(); ++i) {
    if (!rules_.constraints[i].require.evaluate(slots)) return static_cast<int>(i);
  }
  return -1;
}

bool SearchSpace::contains(std::span<const std::int64_t> configuration) const {
  if (configuration.size() != size()) return false;
  const auto is_index = [](std::int64_t index) { return index >= inactive; };
  return std::ranges::all_of(configuration, is_index) && diagram_.number_of(configuration);
}

std::uint64_t SearchSpace::number_of(std::span<const std::int64_t> configuration) const {
  const std::optional<std::uint64_t> number = diagram_.number_of(configuration);
  SIM_ASSERT(number.has_value(), configuration.size(), size(), count());
  return *number;
}

void SearchSpace::sample(std::uint64_t seed, std::uint64_t draw,
                         std::span<std::int64_t> configuration) const {
  const sim::Draw name{
      .seed = seed, .purpose = sim::Purpose::space_sample, .entity = draw, .draw = 0};
  configuration_at(sim::uniform_below(name, count()), configuration);
}

void SearchSpace::apply(std::span<const std::int64_t> configuration, sim::Plan& plan) const {
  plan = rules_.base;
  for (std::size_t i = 0; i < size(); ++i) {
    if (configuration[i] < 0) continue;
    const Parameter& parameter = rules_.parameters[i];
    if (is_column(*parameter.setting)) continue;
    parameter.setting->apply(plan, parameter.values[static_cast<std::size_t>(configuration[i])]);
  }
}

std::vector<Assignment> SearchSpace::to_assignment(
    std::span<const std::int64_t> configuration) const {
  std::vector<Assignment> assignment;
  for (std::size_t i = 0; i < size(); ++i) {
    if (configuration[i] < 0) continue;
    const Parameter& parameter = rules_.parameters[i];
    assignment.push_back({.setting = parameter.setting,
                          .value = parameter.values[static_cast<std::size_t>(configuration[i])]});
  }
  return assignment;
}

Placement SearchSpace::from_assignment(std::span<const Assignment> assignment) const {
  Placement placement{.configuration = Configuration(size(), inactive), .problems = {}};
  place_parameters(assignment, placement);
  check_fixed(assignment, placement);
  if (!placement.problems.empty()) return placement;
  const int violated = first_violated(placement.configuration);
  if (violated >= 0 && rules_.constraints.empty()) {
    placement.problems.push_back({.pointer = "",
                                  .text = "expected one of the " + std::to_string(count()) +
                                          " configurations that are listed, got another"});
  } else if (violated >= 0) {
    const Constraint& constraint = rules_.constraints[static_cast<std::size_t>(violated)];
    placement.problems.push_back({.pointer = "",
                                  .text = "expected a configuration with " +
                                          constraint.require.text() + " (constraint \"" +
                                          constraint.name + "\")"});
  }
  return placement;
}

Placement SearchSpace::from_plan(const sim::Plan& plan) const {
  std::vector<Assignment> assignment;
  for (const Setting& setting : settings()) {
    assignment.push_back({.setting = &setting, .value = setting.read(plan)});
  }
  return from_assignment(assignment);
}

void SearchSpace::place_parameters(std::span<const Assignment> assignment,
                                   Placement& placement) const {
  for (std::size_t i = 0; i < size(); ++i) {
    if (!active(placement.configuration, i)) continue;
    const Parameter& parameter = rules_.parameters[i];
    const Assignment* const given = find_assignment(assignment, parameter.setting);
    if (given != nullptr) placement.configuration[i] = index_of_value(i, given->value);
    if (placement.configuration[i] >= 0) continue;
    const std::string got =
        given == nullptr ? "nothing" : format_setting(*parameter.setting, given->value);
    placement.problems.push_back(
        {.pointer = pointer_to(*parameter.setting), .text = expected_value(parameter, got)});
  }
}

void SearchSpace::check_fixed(std::span<const Assignment> assignment, Placement& placement) const {
  const ConstraintSlots slots = rules_.slots_of(placement.configuration);
  for (const Assignment& given : assignment) {
    const Setting& setting = *given.setting;
    if (find(setting.name) >= 0) continue;
    const std::size_t slot = index_of(setting);
    // The first are gpus and data_parallel as stated, the second as derived; the others are equal.
    if (given.value == rules_.base_slots[slot] || given.value == slots[slot]) continue;
    placement.problems.push_back({.pointer = pointer_to(setting),
                                  .text = "expected " + format_setting(setting, slots[slot]) +
                                          ", which is no parameter of the space, got " +
                                          format_setting(setting, given.value)});
  }
}

BuiltSpace built_space(ResolvedRules resolved, BuiltDiagram built) {
  if (built.problem) resolved.problems.push_back(std::move(*built.problem));
  return {.space = SearchSpace(std::move(resolved.rules), std::move(built.diagram)),
          .problems = std::move(resolved.problems)};
}

BuiltSpace SearchSpace::build(const std::vector<ParameterSpec>& parameters,
                              const std::vector<ConstraintSpec>& constraints, const sim::Plan& base,
                              const SpaceFacts& facts) {
  ResolvedRules resolved = resolved_rules(parameters, constraints, base, facts);
  BuiltDiagram built;
  if (resolved.problems.empty()) built = rules_diagram(resolved.rules, LayerOrder::narrow);
  return built_space(std::move(resolved), std::move(built));
}

ConfigText config_text(const SearchSpace& space, const Configuration& config) {
  ConfigText text;
  text.reserve(space.size());
  for (std::size_t i = 0; i < std::min(space.size(), config.size()); ++i) {
    const Parameter& parameter = space.parameters()[i];
    if (config[i] < 0 || config[i] >= std::ssize(parameter.values)) continue;
    const std::int64_t code = parameter.values[static_cast<std::size_t>(config[i])];
    text.emplace_back(parameter.setting->name, json_text(*parameter.setting, code));
  }
  return text;
}

std::vector<std::pair<std::string, std::uint64_t>> rejected_by(const SearchSpace& space,
                                                               const std::string& where) {
  SpaceRules earlier = space.rules();
  earlier.constraints.clear();
  std::vector<std::pair<std::string, std::uint64_t>> rejected;
  std::uint64_t allowed = 0;
  for (const Constraint& constraint : space.constraints()) {
    const BuiltDiagram without = rules_diagram(earlier, LayerOrder::narrow);
    if (without.problem) {
      throw support::InputError(where + "#/space" + without.problem->pointer,
                                "without constraint \"" + constraint.name +
                                    "\" and those after it, " + without.problem->text);
    }
    const std::uint64_t left = without.diagram.count();
    if (!rejected.empty()) rejected.back().second = allowed - left;
    allowed = left;
    rejected.emplace_back(constraint.name, 0);
    earlier.constraints.push_back(constraint);
  }
  if (!rejected.empty()) rejected.back().second = allowed - space.count();
  return rejected;
}

}  // namespace cubicbench::scenarios
