#include "search/wire/seen_problem.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "scenarios/space/setting_words.h"
#include "search/ledger/ledger.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/object_reader.h"
#include "support/suggestion.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Configuration;
using scenarios::Parameter;
using scenarios::ParameterType;

bool is_category(const Parameter& parameter) {
  return parameter.type == ParameterType::categorical || parameter.type == ParameterType::boolean;
}

/// Where there is a salt, nobody who knows the scenario can compute the order without it.
std::uint64_t seen_key(const scenarios::Scenario& scenario, const StudySpec& spec) {
  const auto seed = static_cast<std::uint64_t>(spec.seed);
  if (!scenario.seal) return permutation_key(scenario.sha256, seed);
  return scenario.seal->seed("permutation of " + scenario.sha256, seed);
}

std::vector<std::string> numbered(std::string_view word, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) {
    names.push_back(std::string(word) + "_" + std::to_string(i));
  }
  return names;
}

}  // namespace

SeenProblem::SeenProblem(const scenarios::Scenario& scenario, const StudySpec& spec)
    : scenario_(scenario) {
  if (spec.permute) permuted_.emplace(scenario.space, seen_key(scenario, spec));
  const std::vector<std::string> knobs = numbered("knob", space().size());
  for (std::size_t i = 0; i < space().size(); ++i) {
    const Parameter& parameter = space().parameters()[i];
    if (!permuted_) {
      shown_.push_back({.name = std::string(parameter.setting->name)});
    } else {
      shown_.push_back({.name = knobs[i],
                        .labels = is_category(parameter)
                                      ? numbered("label", parameter.values.size())
                                      : std::vector<std::string>{}});
    }
  }
}

int SeenProblem::find(const std::string& name) const {
  const auto found = std::ranges::find(shown_, name, &Shown::name);
  return found == shown_.end() ? -1 : static_cast<int>(found - shown_.begin());
}

Json SeenProblem::value_json(std::size_t parameter, std::int64_t index) const {
  const Parameter& of = space().parameters()[parameter];
  const auto place = static_cast<std::size_t>(index);
  if (!shown_[parameter].labels.empty()) return shown_[parameter].labels[place];
  return json_of(*of.setting, of.values[place]);
}

std::int64_t SeenProblem::index_of(std::size_t parameter, const Json& value) const {
  const std::vector<std::string>& labels = shown_[parameter].labels;
  if (labels.empty()) {
    const auto code = code_of(*space().parameters()[parameter].setting, value);
    return code ? space().index_of_value(parameter, *code) : -1;
  }
  if (!value.is_string()) return -1;
  const auto found = std::ranges::find(labels, value.get_ref<const std::string&>());
  return found == labels.end() ? -1 : found - labels.begin();
}

std::string SeenProblem::expected(std::size_t parameter) const {
  constexpr std::size_t shown_max = 12;
  const std::size_t count = space().parameters()[parameter].values.size();
  std::vector<std::string> values;
  for (std::size_t i = 0; i < std::min(count, shown_max); ++i) {
    values.push_back(value_json(parameter, static_cast<std::int64_t>(i)).dump());
  }
  return "one of " + support::joined(values, ", ") + (count > shown_max ? ", ..." : "");
}

Json SeenProblem::when_json(const Parameter& parameter) const {
  Json when = Json::object();
  for (const scenarios::Condition& condition : parameter.when) {
    const auto earlier = static_cast<std::size_t>(condition.parameter);
    Json& values = when[shown_[earlier].name] = Json::array();
    for (const std::int64_t code : condition.values) {
      const std::int64_t index = space().index_of_value(earlier, code);
      if (index >= 0) values.push_back(value_json(earlier, index));
    }
  }
  return when;
}

Json SeenProblem::parameter_json(std::size_t parameter, bool with_meaning) const {
  const Parameter& of = space().parameters()[parameter];
  const bool labelled = !shown_[parameter].labels.empty();
  const ParameterType type = labelled ? ParameterType::categorical : of.type;
  Json json{
      {"name", shown_[parameter].name},
      {"type", scenarios::parameter_type_names()[static_cast<std::size_t>(type)]},
      {"values", Json::array()},
  };
  for (std::int64_t i = 0; i < std::ssize(of.values); ++i) {
    json["values"].push_back(value_json(parameter, i));
  }
  if (!of.when.empty()) json["when"] = when_json(of);
  if (with_meaning && !permuted_) {
    json["meaning"] = scenarios::meaning_of(*of.setting);
  }
  return json;
}

Json SeenProblem::seen_json(const Configuration& seen) const {
  Json json = Json::object();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] != scenarios::inactive) json[shown_[i].name] = value_json(i, seen[i]);
  }
  return json;
}

/// In the order of the space that is seen, so that a permuted one does not tell the other order.
Json SeenProblem::listed_json() const {
  Json listed = Json::array();
  Configuration seen(space().size());
  std::size_t bytes = 0;
  for (std::uint64_t number = 0; number < space().count(); ++number) {
    space().configuration_at(number, seen);
    listed.push_back(seen_json(seen));
    bytes += listed.back().dump().size() + 1;
    if (bytes > listed_bytes_max) return nullptr;
  }
  return listed;
}

Json SeenProblem::space_json(bool with_meaning) const {
  Json json{{"parameters", Json::array()}, {"constraints", nullptr}};
  for (std::size_t i = 0; i < space().size(); ++i) {
    json["parameters"].push_back(parameter_json(i, with_meaning));
  }
  if (scenario_.measured) {
    if (Json listed = listed_json(); !listed.is_null()) json["configs"] = std::move(listed);
  }
  if (permuted_) return json;
  json["constraints"] = Json::array();
  for (const auto& constraint : scenarios::constraint_specs(scenario_.space.rules())) {
    json["constraints"].push_back({{"name", constraint.name}, {"require", constraint.require}});
  }
  return json;
}

Json SeenProblem::objective_json() const {
  const scenarios::Objective& objective = scenario_.objective;
  return {{"metric", name_of(objective)},
          {"direction", name_of(objective.direction)},
          {"percentile", objective.percentile}};
}

Json SeenProblem::config_json(const Configuration& configuration) const {
  return seen_json(permuted_ ? permuted_->permuted(configuration) : configuration);
}

void SeenProblem::require_known(const Json& config) const {
  if (!config.is_object()) {
    throw Refused("A config is an object of parameters and their values, got " +
                  support::shown(config) + ".");
  }
  std::vector<std::string_view> names;
  for (const Shown& shown : shown_) names.push_back(shown.name);
  for (const auto& [name, value] : config.items()) {
    if (find(name) >= 0) continue;
    const std::string meant = support::did_you_mean(name, names);
    throw Refused("The problem has no parameter " + support::in_quotes(support::shortened(name)) +
                  (meant.empty() ? "." : meant));
  }
}

Configuration SeenProblem::configuration_of(const Json& config) const {
  require_known(config);
  Configuration seen(space().size(), 0);
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const auto given = config.find(shown_[i].name);
    // What is inactive is marked in the end, so that conditions on it do not hold here either.
    if (!space().active(seen, i)) {
      seen[i] = scenarios::inactive;
    } else if (given == config.end()) {
      throw Refused("The config lacks " + shown_[i].name + ", which must be " + expected(i) + ".");
    } else if (seen[i] = index_of(i, *given); seen[i] < 0) {
      throw Refused(shown_[i].name + " must be " + expected(i) + ", got " + support::shown(*given) +
                    ".");
    }
  }
  return permuted_ ? permuted_->original(seen) : seen;
}

}  // namespace cubicbench::search
