#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/configuration.h"
#include "scenarios/constraint.h"
#include "scenarios/parameter.h"
#include "scenarios/setting.h"
#include "scenarios/space_diagram.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

/// Facts of the problem that constraints may name beside the settings that belong to `kind`.
struct SpaceFacts {
  WorkloadKind kind = WorkloadKind::transformer;
  std::int64_t gpus = 1;
  std::int64_t gpus_per_node = 1;
  std::int64_t layers = 1;  ///< this and those below: of transformers only
  std::int64_t sequence = 1;
  std::int64_t attention_heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t experts = 0;  ///< this and those below: of models with experts only
  std::int64_t expert_ffn_hidden = 1;

  bool operator==(const SpaceFacts&) const = default;
};

/// What a reader found, names not yet resolved. An unknown name may come with empty values.
struct ConditionSpec {
  std::string name;
  std::vector<std::int64_t> values;  ///< codes
};
struct ParameterSpec {
  std::string name;
  ParameterType type = ParameterType::categorical;
  std::vector<std::int64_t> values;  ///< codes
  std::vector<ConditionSpec> when;
};
struct ConstraintSpec {
  std::string name;
  std::string require;
};

/// `pointer` is a JSON pointer relative to what was read ("" for all of it).
struct SpaceProblem {
  std::string pointer;
  std::string text;

  bool operator==(const SpaceProblem&) const = default;
};

struct Constraint {
  std::string name;
  Expression require;
};

/// A value given to a setting.
struct Assignment {
  const Setting* setting = nullptr;
  std::int64_t value = 0;  ///< code

  bool operator==(const Assignment&) const = default;
};

struct BuiltSpace;
struct Placement;

/// The configurations of a scenario: parameters, some active only when earlier ones have certain
/// values, and constraints. What a constraint rejects is outside.
///
/// Configurations are numbered 0 .. count() - 1: the space holds a decision diagram with one layer
/// a parameter, in which partial assignments that can no longer be told apart share a node, so
/// counting, numbering and uniform draws are exact and never reject. Its size grows with
/// the parameters that constraints and conditions join, not with the space.
///
/// In a constraint, an inactive parameter and a setting that is no parameter have the value of the
/// base plan, choices, booleans and decimals their code; `data_parallel` is the stated one, or
/// gpus / (tensor x pipeline x context), or 0 where that does not divide.
///
/// A value: copyable, immutable once built, free to share among threads. Members that take a
/// configuration require `size()` entries, and allocate nothing unless they return a container.
class SearchSpace {
 public:
  /// An empty space: no parameter and one configuration, the base plan.
  SearchSpace() = default;

  /// Pointers of the problems are relative to the scenario's "space"; the space may be used only if
  /// there is no problem.
  static BuiltSpace build(const std::vector<ParameterSpec>& parameters,
                          const std::vector<ConstraintSpec>& constraints, const sim::Plan& base,
                          const SpaceFacts& facts);

  std::size_t size() const { return parameters_.size(); }
  const std::vector<Parameter>& parameters() const { return parameters_; }
  const std::vector<Constraint>& constraints() const { return constraints_; }
  const sim::Plan& base() const { return base_; }
  const SpaceFacts& facts() const { return facts_; }
  /// That by which configurations are numbered, for those who go through all of it.
  const SpaceDiagram& diagram() const { return diagram_; }

  /// Index of the parameter of that setting name, or -1.
  int find(std::string_view name) const;

  /// Index of `value` (a code) among the parameter's values, or -1.
  std::int64_t index_of_value(std::size_t parameter, std::int64_t value) const;

  /// Do the conditions of `parameter` hold? Reads only earlier entries, which must be canonical.
  bool active(std::span<const std::int64_t> configuration, std::size_t parameter) const;

  /// Marks inactive parameters, and gives active ones that are marked their first value.
  void canonicalise(std::span<std::int64_t> configuration) const;

  /// Index of the first constraint that rejects a canonical configuration, or -1.
  int first_violated(std::span<const std::int64_t> configuration) const;
  bool satisfies(std::span<const std::int64_t> configuration) const {
    return first_violated(configuration) < 0;
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

  /// `plan` becomes the base plan with the active parameters' values.
  void apply(std::span<const std::int64_t> configuration, sim::Plan& plan) const;

  /// Settings and values of the active parameters, in order.
  std::vector<Assignment> to_assignment(std::span<const std::int64_t> configuration) const;

  /// Finds the configuration of a baseline. Inactive parameters may be absent and are ignored when
  /// present; an active one that is absent is a problem, and so is a setting that is no parameter
  /// unless it has the base plan's value. Pointers are "/NAME", or "" where a constraint rejects.
  Placement from_assignment(std::span<const Assignment> assignment) const;

  /// Finds the configuration that gives `plan`, compared in active parameters and fixed settings.
  Placement from_plan(const sim::Plan& plan) const;

 private:
  friend class SpaceBuilder;

  /// Names of a constraint: every setting, then the facts.
  static constexpr std::size_t fact_count = 8;
  using Slots = std::array<std::int64_t, setting_count + fact_count>;

  Slots slots_of(std::span<const std::int64_t> configuration) const;
  static void derive_data_parallel(Slots& slots);
  bool condition_holds(const Condition& condition,
                       std::span<const std::int64_t> configuration) const;
  void place_parameters(std::span<const Assignment> assignment, Placement& placement) const;
  void check_fixed(std::span<const Assignment> assignment, Placement& placement) const;

  std::vector<Parameter> parameters_;
  std::vector<Constraint> constraints_;
  sim::Plan base_;
  SpaceFacts facts_;
  SpaceDiagram diagram_{.layers = {SpaceDiagram::end(true)}};
  Slots base_slots_{};
};

struct BuiltSpace {
  SearchSpace space;
  std::vector<SpaceProblem> problems;
};

/// Where an assignment lies. It is in the space, at `configuration`, exactly if there is no
/// problem.
struct Placement {
  Configuration configuration;
  std::vector<SpaceProblem> problems;

  bool in_space() const { return problems.empty(); }
};

}  // namespace cubicbench::scenarios
