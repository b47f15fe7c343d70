#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/space/constraint_slots.h"
#include "scenarios/space/resolved_rules.h"
#include "scenarios/space/setting.h"
#include "scenarios/space/space_diagram.h"
#include "scenarios/space/space_rules.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

/// A value given to a setting.
struct Assignment {
  const Setting* setting = nullptr;
  std::int64_t value = 0;  ///< code

  bool operator==(const Assignment&) const = default;
};

class SearchSpace;
struct BuiltSpace;
struct Placement;

/// What a name stands for where a space is known: its parameter's setting, else that of
/// find_setting(name), else null.
const Setting* find_setting(const SearchSpace& space, std::string_view name);

/// The configurations of a scenario: parameters, some active only when earlier ones have certain
/// values, and constraints. What a constraint rejects is outside.
///
/// Configurations are numbered 0 .. count() - 1: the space holds a decision diagram with one layer
/// a parameter, in which partial assignments that can no longer be told apart share a node, so
/// counting, numbering and uniform draws are exact and never reject. Its size grows with
/// the parameters that constraints and conditions join, not with the space.
///
/// In a constraint, an inactive parameter and a setting that is no parameter have the value of the
/// base plan, choices, booleans and decimals their code; `gpus` is the stated one, or all of the
/// cluster's; `data_parallel` is the stated one, or gpus / (tensor x pipeline x context), or 0
/// where that does not divide.
///
/// A value: copyable, immutable once built, free to share among threads. Members that take a
/// configuration require `size()` entries, and allocate nothing unless they return a container.
class SearchSpace {
 public:
  /// An empty space: no parameter and one configuration, the base plan.
  SearchSpace() = default;

  /// `diagram` must be that of all that `rules` allow, or of a list of it. With that of no
  /// parameter in its place, where rules are wrong, nothing may be asked but what the rules say.
  SearchSpace(SpaceRules rules, SpaceDiagram diagram)
      : rules_(std::move(rules)), diagram_(std::move(diagram)) {}

  /// Pointers of the problems are relative to the scenario's "space"; the space may be used only if
  /// there is no problem.
  static BuiltSpace build(const std::vector<ParameterSpec>& parameters,
                          const std::vector<ConstraintSpec>& constraints, const sim::Plan& base,
                          const SpaceFacts& facts);

  std::size_t size() const { return rules_.size(); }
  const SpaceRules& rules() const { return rules_; }
  const std::vector<Parameter>& parameters() const { return rules_.parameters; }
  const std::vector<Constraint>& constraints() const { return rules_.constraints; }
  const sim::Plan& base() const { return rules_.base; }
  const SpaceFacts& facts() const { return rules_.facts; }
  /// That by which configurations are numbered, for those who go through all of it.
  const SpaceDiagram& diagram() const { return diagram_; }

  /// Index of the parameter of that setting name, or -1.
  int find(std::string_view name) const { return rules_.find(name); }

  /// Index of `value` (a code) among the parameter's values, or -1.
  std::int64_t index_of_value(std::size_t parameter, std::int64_t value) const;

  /// Do the conditions of `parameter` hold? Reads only earlier entries, which must be canonical.
  bool active(std::span<const std::int64_t> configuration, std::size_t parameter) const {
    return rules_.active(configuration, parameter);
  }

  /// Marks inactive parameters, and gives active ones that are marked their first value.
  void canonicalise(std::span<std::int64_t> configuration) const;

  /// Index of the first constraint that rejects a canonical configuration, or -1.
  int first_violated(std::span<const std::int64_t> configuration) const;
  /// Whether a canonical configuration meets all constraints, looked up in the diagram.
  bool satisfies(std::span<const std::int64_t> configuration) const {
    return diagram_.number_of(configuration).has_value();
  }

  /// Right size, indices in range, inactive parameters and no others marked, constraints met.
  bool contains(std::span<const std::int64_t> configuration) const;

  /// Exact number of configurations.
  std::uint64_t count() const { return diagram_.count(); }

  /// Writes configuration `number`. Requires number < count().
  void configuration_at(std::uint64_t number, std::span<std::int64_t> configuration) const {
    diagram_.configuration_at(number, configuration);
  }

  /// Maps the unit cube to the space: `coordinates[i]`, in units of 2^-64, chooses the value of
  /// parameter i, each value taking a share of [0, 1) in proportion to the configurations that it
  /// leads to. So a uniform point gives a uniform configuration, and points that are spread evenly
  /// give configurations that are; a coordinate of an inactive parameter is ignored. Requires
  /// size() coordinates and count() > 0.
  void configuration_along(std::span<const std::uint64_t> coordinates,
                           std::span<std::int64_t> configuration) const {
    diagram_.configuration_along(coordinates, configuration);
  }

  /// Inverse of `configuration_at`. Requires contains(configuration).
  std::uint64_t number_of(std::span<const std::int64_t> configuration) const;

  /// Writes a uniform draw, a pure function of (seed, draw). Requires count() > 0.
  void sample(std::uint64_t seed, std::uint64_t draw, std::span<std::int64_t> configuration) const;

  /// `plan` becomes the base plan with the active parameters' values, as far as they are settings.
  void apply(std::span<const std::int64_t> configuration, sim::Plan& plan) const;

  /// Settings and values of the active parameters, in order.
  std::vector<Assignment> to_assignment(std::span<const std::int64_t> configuration) const;

  /// Finds the configuration of a baseline. Inactive parameters may be absent and are ignored when
  /// present; an active one that is absent is a problem, and so is a setting that is no parameter
  /// unless it has the base plan's value. Pointers are "/NAME", or "" where a constraint rejects.
  Placement from_assignment(std::span<const Assignment> assignment) const;

  /// Finds the configuration that gives `plan`, compared in active parameters and fixed settings.
  /// None gives it where a parameter is a column.
  Placement from_plan(const sim::Plan& plan) const;

 private:
  void place_parameters(std::span<const Assignment> assignment, Placement& placement) const;
  void check_fixed(std::span<const Assignment> assignment, Placement& placement) const;

  SpaceRules rules_;
  SpaceDiagram diagram_;
};

struct BuiltSpace {
  SearchSpace space;  ///< has no diagram if there is a problem
  std::vector<SpaceProblem> problems;
};

/// The space of these rules and their diagram, with the problems of both.
BuiltSpace built_space(ResolvedRules resolved, BuiltDiagram built);

/// Where an assignment lies. It is in the space, at `configuration`, exactly if there is no
/// problem.
struct Placement {
  Configuration configuration;
  std::vector<SpaceProblem> problems;

  bool in_space() const { return problems.empty(); }
};

/// Setting names and values, values as compact JSON: `8`, `true`, `"full_shard"`.
using ConfigText = std::vector<std::pair<std::string, std::string>>;

/// The active parameters of a configuration. Of one that is not in the space, the entries that name
/// a value: for records of what was proposed.
ConfigText config_text(const SearchSpace& space, const Configuration& config);

/// For each constraint, in order, how many assignments it is the first to reject. An assignment
/// gives every active parameter one of its values; those of inactive ones are no part of it. Their
/// number is that of the configurations plus all that is rejected.
///
/// With D(c) the assignments that the first c constraints allow, constraint c rejects
/// D(c) - D(c + 1): each is counted by a decision diagram, and none is looked at one by one. Throws
/// InputError, at `where`, if that takes too large a diagram or more than 2^64 are counted.
std::vector<std::pair<std::string, std::uint64_t>> rejected_by(const SearchSpace& space,
                                                               const std::string& where);

}  // namespace cubicbench::scenarios
