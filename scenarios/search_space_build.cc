#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/constraint.h"
#include "scenarios/listed_space.h"
#include "scenarios/search_space.h"
#include "scenarios/space_diagram.h"
#include "scenarios/space_specs.h"
#include "scenarios/space_tree.h"
#include "scenarios/suggestion.h"
#include "sim/base/check.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, 8> fact_names{"gpus",     "gpus_per_node",    "layers",
                                                     "sequence", "attention_heads",  "kv_heads",
                                                     "experts",  "expert_ffn_hidden"};
/// How many of them every kind of workload has, and how many transformers have; the others belong
/// to mixtures of experts.
constexpr std::size_t common_facts = 2;
constexpr std::size_t transformer_facts = 6;

/// Bounds time and memory of a space whose constraints join everything with everything.
constexpr std::size_t edges_max = std::size_t{1} << 22;

/// What a constraint may name; a name's position is its slot.
std::vector<std::string_view> constraint_names() {
  std::vector<std::string_view> names(setting_names().begin(), setting_names().end());
  names.insert(names.end(), fact_names.begin(), fact_names.end());
  return names;
}

/// A key as part of a JSON pointer.
std::string escaped(std::string_view key) {
  std::string text;
  for (const char c : key) {
    if (c == '~') {
      text += "~0";
    } else if (c == '/') {
      text += "~1";
    } else {
      text += c;
    }
  }
  return text;
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

std::string at_parameter(std::size_t index) { return "/parameters/" + std::to_string(index); }

/// In which order a diagram decides parameters, and numbers follow: so that the diagram is small,
/// or as they are listed.
enum class LayerOrder { narrow, listed };

bool among(const std::vector<std::size_t>& list, std::size_t item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

}  // namespace

/// Resolves names, then builds the diagram layer by layer. A node of a layer stands for all
/// assignments of the parameters before it that agree on the layer's *frontier*: those parameters
/// whose values a later condition or constraint still reads.
class SpaceBuilder {
 public:
  SpaceBuilder(const sim::Plan& base, const SpaceFacts& facts, LayerOrder order) : order_(order) {
    space_.base_ = base;
    space_.facts_ = facts;
    for (const Setting& setting : settings()) {
      space_.base_slots_[index_of(setting)] = setting.read(base);
    }
    const std::array<std::int64_t, fact_names.size()> values{
        facts.gpus,     facts.gpus_per_node,    facts.layers,
        facts.sequence, facts.attention_heads,  facts.kv_heads,
        facts.experts,  facts.expert_ffn_hidden};
    static_assert(fact_names.size() == SearchSpace::fact_count);
    std::copy(values.begin(), values.end(), space_.base_slots_.begin() + setting_count);
  }

  BuiltSpace build(const std::vector<ParameterSpec>& parameters,
                   const std::vector<ConstraintSpec>& constraints) {
    for (const ParameterSpec& spec : parameters) add_parameter(spec, parameters);
    for (const ConstraintSpec& spec : constraints) add_constraint(spec);
    if (problems_.empty()) build_diagram();
    return built();
  }

  BuiltSpace build_list(const std::vector<ParameterSpec>& parameters,
                        std::vector<Configuration> configurations) {
    for (const ParameterSpec& spec : parameters) {
      SIM_ASSERT(spec.when.empty());
      add_parameter(spec, parameters);
    }
    if (problems_.empty()) build_list_diagram(std::move(configurations));
    return built();
  }

 private:
  using Node = SpaceDiagram::Node;
  using Layer = SpaceDiagram::Layer;
  using Nodes = std::map<std::vector<std::int64_t>, std::uint32_t>;

  BuiltSpace built() {
    // The layers are incomplete after a problem; count() must not see them.
    if (!problems_.empty()) space_.diagram_ = SearchSpace().diagram_;
    return {.space = std::move(space_), .problems = std::move(problems_)};
  }

  void report(std::string pointer, std::string text) {
    problems_.push_back({.pointer = std::move(pointer), .text = std::move(text)});
  }

  // ---- names

  void add_parameter(const ParameterSpec& spec, const std::vector<ParameterSpec>& all) {
    const std::size_t index = space_.parameters_.size();
    Parameter parameter{
        .setting = find_setting(spec.name), .type = spec.type, .values = spec.values, .when = {}};
    check_name(spec, all, index);
    if (parameter.setting != nullptr) check_values(parameter, index);
    for (const ConditionSpec& condition : spec.when) add_condition(condition, all, parameter);
    space_.parameters_.push_back(std::move(parameter));
  }

  void check_name(const ParameterSpec& spec, const std::vector<ParameterSpec>& all,
                  std::size_t index) {
    const std::string pointer = at_parameter(index) + "/name";
    if (find_setting(spec.name) == nullptr) {
      report(pointer, "unknown setting " + quoted(spec.name) +
                          did_you_mean(spec.name, setting_names(space_.facts_.kind)));
      return;
    }
    const Setting& setting = *find_setting(spec.name);
    if (!belongs(setting, space_.facts_.kind)) {
      report(pointer, quoted(spec.name) + " is a " + misplaced(setting, space_.facts_.kind));
      return;
    }
    for (std::size_t i = 0; i < index; ++i) {
      if (all[i].name == spec.name) {
        report(pointer, quoted(spec.name) + " is the name of " + at_parameter(i) + " already");
        return;
      }
    }
  }

  void check_values(const Parameter& parameter, std::size_t index) {
    const std::string pointer = at_parameter(index) + "/values";
    const Setting& setting = *parameter.setting;
    if (parameter.values.empty()) report(pointer, "expected at least one value");
    if (parameter.values.size() > static_cast<std::size_t>(parameter_values_max)) {
      report(pointer, "expected at most " + std::to_string(parameter_values_max) + " values");
      return;
    }
    for (const std::int64_t value : parameter.values) {
      if (value < setting.min || value > setting.max) {
        report(pointer, "expected " + expected(setting) + ", got " + std::to_string(value));
        return;
      }
    }
    std::vector<std::int64_t> sorted = parameter.values;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
      report(pointer, format_setting(setting, *twice) + " is listed twice");
    }
  }

  void add_condition(const ConditionSpec& spec, const std::vector<ParameterSpec>& all,
                     Parameter& child) {
    const std::size_t index = space_.parameters_.size();
    const std::string pointer = at_parameter(index) + "/when/" + escaped(spec.name);
    const auto named = std::find_if(all.begin(), all.end(), [&](const ParameterSpec& candidate) {
      return candidate.name == spec.name;
    });
    if (named == all.end()) {
      std::vector<std::string_view> candidates;
      for (const ParameterSpec& candidate : all) candidates.push_back(candidate.name);
      report(pointer, "no parameter of this space" +
                          did_you_mean(spec.name, std::span<const std::string_view>(candidates)));
      return;
    }
    const auto parent = static_cast<std::size_t>(named - all.begin());
    if (parent >= index) {
      report(pointer, "expected a parameter that is listed before " + quoted(all[index].name));
      return;
    }
    if (space_.parameters_[parent].setting == nullptr) return;
    check_condition_values(spec, space_.parameters_[parent], pointer);
    child.when.push_back({.parameter = static_cast<int>(parent), .values = spec.values});
  }

  void check_condition_values(const ConditionSpec& spec, const Parameter& parent,
                              const std::string& pointer) {
    if (spec.values.empty()) report(pointer, "expected at least one value");
    for (const std::int64_t value : spec.values) {
      if (std::find(parent.values.begin(), parent.values.end(), value) == parent.values.end()) {
        report(pointer, format_setting(*parent.setting, value) + " is no value of " +
                            quoted(parent.setting->name));
      }
    }
  }

  void add_constraint(const ConstraintSpec& spec) {
    const std::string pointer = "/constraints/" + std::to_string(space_.constraints_.size());
    for (const Constraint& earlier : space_.constraints_) {
      if (earlier.name == spec.name) {
        report(pointer + "/name", quoted(spec.name) + " is the name of another constraint already");
        break;
      }
    }
    Constraint constraint{.name = spec.name, .require = {}};
    try {
      constraint.require = Expression::parse(spec.require, names_);
      check_names(constraint.require, pointer + "/require");
    } catch (const ConstraintError& error) {
      report(pointer + "/require", error.what());
    }
    space_.constraints_.push_back(std::move(constraint));
  }

  /// A name that another kind of workload has is known, but means nothing here.
  void check_names(const Expression& require, const std::string& pointer) {
    const WorkloadKind kind = space_.facts_.kind;
    for (const std::size_t slot : require.slots_read()) {
      const std::string name = quoted(names_[slot]);
      if (slot < setting_count && !belongs(settings()[slot], kind)) {
        report(pointer, name + " is a " + misplaced(settings()[slot], kind));
      } else if (slot >= setting_count + transformer_facts &&
                 kind != WorkloadKind::mixture_of_experts) {
        report(pointer, name + " is a fact of mixtures of experts; this scenario trains " +
                            std::string(phrase_of(kind)));
      } else if (slot >= setting_count + common_facts && !is_transformer(kind)) {
        report(pointer, name + " is a fact of transformers; this scenario trains " +
                            std::string(phrase_of(kind)));
      }
    }
  }

  // ---- who depends on whom

  /// For each constraint the parameters whose values it reads, directly or through data_parallel.
  void find_scopes() {
    for (const Constraint& constraint : space_.constraints_) {
      std::vector<std::size_t> scope;
      for (const std::size_t slot : constraint.require.slots_read()) {
        if (slot >= setting_count) continue;
        const std::string_view name = settings()[slot].name;
        add_to_scope(name, scope);
        if (name != "data_parallel") continue;
        for (const char* const degree :
             {"tensor_parallel", "pipeline_parallel", "context_parallel"}) {
          add_to_scope(degree, scope);
        }
      }
      scopes_.push_back(std::move(scope));
    }
  }

  void add_to_scope(std::string_view name, std::vector<std::size_t>& scope) const {
    const int parameter = space_.find(name);
    if (parameter < 0) return;
    const auto index = static_cast<std::size_t>(parameter);
    if (!among(scope, index)) scope.push_back(index);
  }

  /// Numbers parameters so that those joined by conditions or constraints have equal numbers.
  std::vector<std::size_t> components() const {
    std::vector<std::size_t> component(space_.size());
    std::iota(component.begin(), component.end(), std::size_t{0});
    const auto join = [&](std::size_t a, std::size_t b) {
      const std::size_t from = std::max(component[a], component[b]);
      const std::size_t to = std::min(component[a], component[b]);
      std::replace(component.begin(), component.end(), from, to);
    };
    for (std::size_t i = 0; i < space_.size(); ++i) {
      for (const Condition& condition : space_.parameters_[i].when) {
        join(i, static_cast<std::size_t>(condition.parameter));
      }
    }
    for (const auto& scope : scopes_) {
      for (const std::size_t parameter : scope) join(scope.front(), parameter);
    }
    return component;
  }

  bool reads(std::size_t child, std::size_t parent) const {
    const auto& when = space_.parameters_[child].when;
    return std::any_of(when.begin(), when.end(), [&](const Condition& condition) {
      return static_cast<std::size_t>(condition.parameter) == parent;
    });
  }

  /// Does anything that is decided after `assigned` still read `parameter`?
  bool needed(std::size_t parameter, const std::vector<bool>& assigned) const {
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (!assigned[i] && reads(i, parameter)) return true;
    }
    for (const auto& scope : scopes_) {
      if (!among(scope, parameter)) continue;
      if (std::any_of(scope.begin(), scope.end(), [&](std::size_t i) { return !assigned[i]; })) {
        return true;
      }
    }
    return false;
  }

  bool ready(std::size_t parameter, const std::vector<bool>& assigned) const {
    const auto& when = space_.parameters_[parameter].when;
    return std::all_of(when.begin(), when.end(), [&](const Condition& condition) {
      return assigned[static_cast<std::size_t>(condition.parameter)];
    });
  }

  std::vector<std::size_t> frontier_after(const std::vector<std::size_t>& frontier,
                                          std::size_t parameter, std::vector<bool> assigned) const {
    assigned[parameter] = true;
    std::vector<std::size_t> after;
    for (const std::size_t i : frontier) {
      if (needed(i, assigned)) after.push_back(i);
    }
    if (needed(parameter, assigned)) after.push_back(parameter);
    return after;
  }

  /// How many nodes the layer of this frontier can have.
  double width(const std::vector<std::size_t>& frontier) const {
    double nodes = 1.0;
    for (const std::size_t i : frontier) {
      const Parameter& parameter = space_.parameters_[i];
      nodes *= static_cast<double>(parameter.values.size() + (parameter.when.empty() ? 0 : 1));
    }
    return nodes;
  }

  /// The order of the layers, unless as listed: component by component, in each the parameter next
  /// that leaves the narrowest frontier; the first listed of equals.
  std::vector<std::size_t> layer_order() const {
    if (order_ == LayerOrder::listed) {
      std::vector<std::size_t> listed(space_.size());
      std::iota(listed.begin(), listed.end(), std::size_t{0});
      return listed;
    }
    const std::vector<std::size_t> component = components();
    std::vector<bool> assigned(space_.size(), false);
    std::vector<std::size_t> order;
    for (std::size_t current = 0; current < space_.size(); ++current) {
      std::vector<std::size_t> frontier;
      while (true) {
        const std::size_t next = narrowest(component, current, frontier, assigned);
        if (next == space_.size()) break;
        frontier = frontier_after(frontier, next, assigned);
        assigned[next] = true;
        order.push_back(next);
      }
    }
    return order;
  }

  std::size_t narrowest(const std::vector<std::size_t>& component, std::size_t current,
                        const std::vector<std::size_t>& frontier,
                        const std::vector<bool>& assigned) const {
    std::size_t best = space_.size();
    double best_width = 0.0;
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (component[i] != current || assigned[i] || !ready(i, assigned)) continue;
      const double candidate = width(frontier_after(frontier, i, assigned));
      if (best == space_.size() || candidate < best_width) {
        best = i;
        best_width = candidate;
      }
    }
    return best;
  }

  // ---- the diagram

  void build_diagram() {
    find_scopes();
    space_.diagram_.layers.clear();
    std::vector<bool> assigned(space_.size(), false);
    std::vector<std::size_t> frontier;
    Nodes nodes{{{}, 0}};
    for (const std::size_t parameter : layer_order()) {
      const std::vector<std::size_t> after = frontier_after(frontier, parameter, assigned);
      assigned[parameter] = true;
      nodes = add_layer(parameter, frontier, after, nodes, completed_by(parameter, assigned));
      frontier = after;
      if (!problems_.empty()) return;
    }
    add_end();
    count_backwards();
  }

  /// Constraints that can be decided once `parameter`, the last assigned, has a value.
  std::vector<std::size_t> completed_by(std::size_t parameter,
                                        const std::vector<bool>& assigned) const {
    std::vector<std::size_t> completed;
    for (std::size_t c = 0; c < scopes_.size(); ++c) {
      const auto& scope = scopes_[c];
      if (among(scope, parameter) &&
          std::all_of(scope.begin(), scope.end(), [&](std::size_t i) { return assigned[i]; })) {
        completed.push_back(c);
      }
    }
    return completed;
  }

  Nodes add_layer(std::size_t parameter, const std::vector<std::size_t>& frontier,
                  const std::vector<std::size_t>& after, const Nodes& nodes,
                  const std::vector<std::size_t>& completed) {
    Layer layer{.parameter = parameter, .nodes = std::vector<Node>(nodes.size()), .edges = {}};
    Nodes next;
    Configuration partial(space_.size(), inactive);
    std::vector<std::int64_t> key(after.size());
    for (const auto& [values, number] : nodes) {
      for (std::size_t i = 0; i < frontier.size(); ++i) partial[frontier[i]] = values[i];
      const bool is_active = space_.active(partial, parameter);
      const std::size_t choices =
          is_active ? space_.parameters_[parameter].values.size() : std::size_t{1};
      edges_ += choices;
      if (edges_ > edges_max) {
        report("/constraints",
               "expected conditions and constraints that join fewer parameters: "
               "more than " +
                   std::to_string(edges_max) + " partial assignments");
        return next;
      }
      layer.nodes[number] = {.count = 0,
                             .edges_begin = static_cast<std::uint32_t>(layer.edges.size()),
                             .edges = static_cast<std::uint32_t>(choices),
                             .active = is_active};
      for (std::size_t choice = 0; choice < choices; ++choice) {
        partial[parameter] = is_active ? static_cast<std::int64_t>(choice) : inactive;
        layer.edges.push_back({.below = 0, .child = SpaceDiagram::dead});
        if (!accepted(partial, completed)) continue;
        for (std::size_t i = 0; i < after.size(); ++i) key[i] = partial[after[i]];
        const auto fresh = static_cast<std::uint32_t>(next.size());
        layer.edges.back().child = next.try_emplace(key, fresh).first->second;
      }
    }
    space_.diagram_.layers.push_back(std::move(layer));
    return next;
  }

  bool accepted(const Configuration& partial, const std::vector<std::size_t>& completed) const {
    if (completed.empty()) return true;
    const SearchSpace::Slots slots = space_.slots_of(partial);
    return std::all_of(completed.begin(), completed.end(), [&](std::size_t c) {
      return space_.constraints_[c].require.evaluate(slots);
    });
  }

  /// The end counts 1, or 0 where a constraint that reads no parameter rejects everything.
  void add_end() {
    std::vector<std::size_t> fixed;
    for (std::size_t c = 0; c < scopes_.size(); ++c) {
      if (scopes_[c].empty()) fixed.push_back(c);
    }
    space_.diagram_.layers.push_back(
        SpaceDiagram::end(accepted(Configuration(space_.size(), inactive), fixed)));
  }

  void count_backwards() {
    if (!space_.diagram_.count_backwards()) {
      report("/parameters", "expected fewer than 2^64 configurations");
    }
  }

  // ---- the diagram of a list

  using Listed = std::span<const Configuration>;
  using Children = std::vector<std::uint32_t>;

  void build_list_diagram(std::vector<Configuration> configurations) {
    std::sort(configurations.begin(), configurations.end());
    configurations.erase(std::unique(configurations.begin(), configurations.end()),
                         configurations.end());
    for (const Configuration& configuration : configurations) require_placed(configuration);
    space_.diagram_.layers.assign(space_.size() + 1, {});
    for (std::size_t i = 0; i < space_.size(); ++i) space_.diagram_.layers[i].parameter = i;
    space_.diagram_.layers.back() = SpaceDiagram::end(!configurations.empty());
    std::vector<std::map<Children, std::uint32_t>> known(space_.size());
    if (space_.size() > 0) node_of(configurations, 0, known);
    if (problems_.empty()) count_backwards();
  }

  void require_placed(const Configuration& configuration) const {
    SIM_ASSERT(configuration.size() == space_.size(), configuration.size(), space_.size());
    for (std::size_t i = 0; i < configuration.size(); ++i) {
      const auto values = static_cast<std::int64_t>(space_.parameters_[i].values.size());
      SIM_ASSERT(configuration[i] >= 0 && configuration[i] < values, i, configuration[i], values);
    }
  }

  /// The node of layer `depth` for `listed`, sorted configurations that agree on all before it.
  /// Those that can be completed in the same ways share one.
  std::uint32_t node_of(Listed listed, std::size_t depth,
                        std::vector<std::map<Children, std::uint32_t>>& known) {
    if (depth == space_.size()) return 0;
    Children children(space_.parameters_[depth].values.size(), SpaceDiagram::dead);
    while (!listed.empty()) {
      const std::int64_t choice = listed.front()[depth];
      const auto after = std::find_if(listed.begin(), listed.end(),
                                      [&](const Configuration& c) { return c[depth] != choice; });
      const auto same = static_cast<std::size_t>(after - listed.begin());
      children[static_cast<std::size_t>(choice)] = node_of(listed.first(same), depth + 1, known);
      listed = listed.subspan(same);
    }
    const auto fresh = static_cast<std::uint32_t>(known[depth].size());
    const auto [node, is_new] = known[depth].try_emplace(std::move(children), fresh);
    if (is_new) add_listed_node(space_.diagram_.layers[depth], node->first);
    return node->second;
  }

  void add_listed_node(Layer& layer, const Children& children) {
    edges_ += children.size();
    if (edges_ > edges_max) {
      if (problems_.empty()) report("", "expected fewer configurations, or fewer values");
      return;
    }
    layer.nodes.push_back({.count = 0,
                           .edges_begin = static_cast<std::uint32_t>(layer.edges.size()),
                           .edges = static_cast<std::uint32_t>(children.size()),
                           .active = true});
    for (const std::uint32_t child : children) layer.edges.push_back({.below = 0, .child = child});
  }

  LayerOrder order_;
  SearchSpace space_;
  std::vector<SpaceProblem> problems_;
  std::vector<std::string_view> names_ = constraint_names();
  std::vector<std::vector<std::size_t>> scopes_;  ///< parameters that each constraint reads
  std::size_t edges_ = 0;
};

BuiltSpace SearchSpace::build(const std::vector<ParameterSpec>& parameters,
                              const std::vector<ConstraintSpec>& constraints, const sim::Plan& base,
                              const SpaceFacts& facts) {
  return SpaceBuilder(base, facts, LayerOrder::narrow).build(parameters, constraints);
}

BuiltSpace listed_space(const std::vector<ParameterSpec>& parameters,
                        std::vector<Configuration> configurations, const sim::Plan& base,
                        const SpaceFacts& facts) {
  return SpaceBuilder(base, facts, LayerOrder::listed)
      .build_list(parameters, std::move(configurations));
}

SpaceDiagram diagram_in_listed_order(const SearchSpace& space) {
  const BuiltSpace built = SpaceBuilder(space.base(), space.facts(), LayerOrder::listed)
                               .build(parameter_specs(space), constraint_specs(space));
  // A list is in this order already, and has no constraints to say what it is.
  const bool same = built.problems.empty() && built.space.count() == space.count();
  return (same ? built.space : space).diagram();
}

}  // namespace cubicbench::scenarios
