#include "search/served/mcp_tools.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/problem/granted_baseline.h"
#include "search/finished/regret.h"
#include "search/finished/study_set.h"
#include "search/wire/messages.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  bool needs_config;
};

constexpr std::array<Tool, 4> tools{
    {{"describe", "What is to be tuned",
      "The problem: objective, parameters with their values, conditions and meaning, constraints, "
      "baseline, budget, and what was told so far. Costs nothing.",
      false},
     {"evaluate", "Launch a configuration",
      "Launches one configuration on the cluster and waits for its outcome. Every launch is "
      "charged "
      "to the budget, a failure and a repeat too; measurements have noise.",
      true},
     {"budget", "What is left", "Launches and GPU-hours that are spent and left. Costs nothing.",
      false},
     {"recommend", "Close the study",
      "Ends the study with the configuration that is judged: one that was launched and ran. "
      "Nothing can be launched afterwards.",
      true}}};

Json schema(std::string_view type) { return {{"type", type}}; }

Json nullable(std::string_view type) { return {{"type", Json::array({type, "null"})}}; }

Json object_schema(Json properties, Json required) {
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

Json input_schema(const Tool& tool) {
  Json properties{
      {"problem",
       {{"type", "string"}, {"description", "Which problem, where the server has several."}}}};
  Json required = Json::array();
  if (tool.needs_config) {
    properties["config"] = {
        {"type", "object"},
        {"description", "A value for every active parameter, by name."},
        {"additionalProperties", {{"type", Json::array({"string", "number", "boolean"})}}}};
    required.push_back("config");
  }
  Json input = object_schema(std::move(properties), std::move(required));
  input["additionalProperties"] = false;
  return input;
}

Json budget_schema() {
  Json properties{{"launches", schema("integer")},       {"launches_left", schema("integer")},
                  {"trials", schema("integer")},         {"retries", schema("integer")},
                  {"repeats", schema("integer")},        {"gpu_hours", schema("number")},
                  {"gpu_hours_left", nullable("number")}};
  return object_schema(std::move(properties), Json::array({"launches", "launches_left"}));
}

Json trials_schema() {
  Json trial{{"trial", schema("integer")},       {"config", schema("object")},
             {"state", schema("string")},        {"value", nullable("number")},
             {"reason", nullable("string")},     {"over_bytes", nullable("number")},
             {"peak_bytes", nullable("number")}, {"cost_gpu_hours", schema("number")}};
  return {{"type", "array"},
          {"items", object_schema(std::move(trial),
                                  Json::array({"trial", "config", "state", "cost_gpu_hours"}))}};
}

Json output_schema(std::string_view tool) {
  if (tool == "evaluate") {
    return object_schema(
        {{"type", schema("string")}, {"trials", trials_schema()}, {"budget", budget_schema()}},
        Json::array({"type", "trials", "budget"}));
  }
  if (tool == "budget") {
    return object_schema({{"problem", schema("string")}, {"budget", budget_schema()}},
                         Json::array({"problem", "budget"}));
  }
  if (tool == "recommend") {
    return object_schema({{"closed", schema("boolean")}, {"true_values", schema("array")}},
                         Json::array({"closed"}));
  }
  return object_schema({{"problem", schema("string")},
                        {"objective", schema("object")},
                        {"parameters", schema("array")},
                        {"constraints", nullable("array")},
                        {"baseline", nullable("object")},
                        {"telling", schema("string")},
                        {"budget", budget_schema()},
                        {"closed", schema("boolean")},
                        {"trials", trials_schema()},
                        {"problems", schema("array")}},
                       Json::array());
}

Json budget_of_study(const ServedStudy& study) { return budget_json(study.ledger().balance()); }

void require_only(const Json& arguments, bool with_config) {
  for (const auto& [name, value] : arguments.items()) {
    if (name == "problem" || (with_config && name == "config")) continue;
    throw Refused("The tool has no argument \"" + support::shortened(name) + "\".");
  }
}

scenarios::Configuration config_of(const ServedStudy& study, const Json& arguments) {
  const auto config = arguments.find("config");
  if (config == arguments.end() || config->is_null()) {
    throw Refused("The tool needs a config, a value for every active parameter.");
  }
  return study.problem().configuration_of(*config);
}

}  // namespace

McpTools::McpTools(ServedSearch& search, bool reveal) : search_(search), reveal_(reveal) {
  for (const auto& study : search.studies()) {
    // A permuted problem does not say by its name what it is.
    names_.push_back(study->spec().permute ? "problem_" + std::to_string(names_.size() + 1)
                                           : study->spec().scenario);
  }
}

Json McpTools::list(bool with_output_schemas) {
  Json all = Json::array();
  for (const Tool& tool : tools) {
    Json one{{"name", tool.name}, {"title", tool.title}, {"description", tool.description}};
    one["inputSchema"] = input_schema(tool);
    if (with_output_schemas) one["outputSchema"] = output_schema(tool.name);
    all.push_back(std::move(one));
  }
  return all;
}

bool McpTools::has(const std::string& tool) {
  return std::ranges::find(tools, tool, &Tool::name) != tools.end();
}

Json McpTools::call(const std::string& tool, const Json& arguments) {
  if (!arguments.is_object()) {
    throw Refused("The arguments are an object, got " + support::shown(arguments) + ".");
  }
  require_only(arguments, std::ranges::find(tools, tool, &Tool::name)->needs_config);
  if (tool == "describe") return describe(arguments);
  if (tool == "evaluate") return evaluate(arguments);
  if (tool == "budget") return budget(arguments);
  return recommend(arguments);
}

std::string McpTools::name_of(const ServedStudy& study) const {
  const auto found =
      std::ranges::find(search_.studies(), &study, [](const auto& one) { return one.get(); });
  return names_[static_cast<std::size_t>(found - search_.studies().begin())];
}

ServedStudy& McpTools::study_of(const Json& arguments) const {
  const auto problem = arguments.find("problem");
  if (problem == arguments.end() || problem->is_null()) {
    if (names_.size() == 1) return *search_.studies().front();
    throw Refused("There are several problems; name one of: " + support::joined(names_, ", ") +
                  ".");
  }
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (*problem == names_[i]) return *search_.studies()[i];
  }
  throw Refused("There is no problem " + support::shown(*problem) + ", but " +
                support::joined(names_, ", ") + ".");
}

Json McpTools::describe(const Json& arguments) const {
  if (names_.size() == 1 || arguments.contains("problem")) return describe(study_of(arguments));
  Json problems = Json::array();
  for (const auto& study : search_.studies()) {
    problems.push_back({{"problem", name_of(*study)},
                        {"budget", budget_of_study(*study)},
                        {"closed", study->ledger().is_closed()}});
  }
  return {{"problems", std::move(problems)}};
}

Json McpTools::describe(const ServedStudy& study) const {
  Json answer{{"problem", name_of(study)}, {"objective", study.problem().objective_json()}};
  answer.update(study.problem().space_json(true));
  const auto baseline = scenarios::granted_baseline(study.problem().scenario());
  answer["baseline"] = study.spec().start == Start::baseline && baseline
                           ? study.problem().config_json(*baseline)
                           : Json();
  answer["telling"] = search::name_of(study.spec().telling);
  answer["budget"] = budget_of_study(study);
  answer["closed"] = study.ledger().is_closed();
  answer["trials"] = tell_message(study.problem(), study.told())["trials"];
  return answer;
}

Json McpTools::evaluate(const Json& arguments) {
  ServedStudy& study = study_of(arguments);
  const auto told = study.evaluate(config_of(study, arguments));
  if (study.ledger().is_stopped()) throw Refused("The study was stopped.");
  Json answer = tell_message(
      study.problem(), told ? std::span<const ToldTrial>(&*told, 1) : std::span<const ToldTrial>());
  answer["budget"] = budget_of_study(study);
  return answer;
}

Json McpTools::budget(const Json& arguments) const {
  const ServedStudy& study = study_of(arguments);
  return {{"problem", name_of(study)}, {"budget", budget_of_study(study)}};
}

Json McpTools::recommend(const Json& arguments) {
  ServedStudy& study = study_of(arguments);
  study.recommend(config_of(study, arguments));
  search_.write_closed();
  Json answer{{"closed", true}};
  if (reveal_ && search_.is_closed()) answer["true_values"] = true_values();
  return answer;
}

Json McpTools::true_values() const {
  const std::array folders{search_.folder()};
  const StudySet set = read_study_set(folders);
  Json values = Json::array();
  for (const auto& study : search_.studies()) {
    const auto result = std::ranges::find_if(set.studies, [&](const StudyResult& one) {
      return one.scenario == study->spec().scenario;
    });
    Json value;
    if (result != set.studies.end() && !result->launches.empty()) {
      const std::optional<Recommendation> best = recommendations(*result).back();
      if (best) {
        const auto truth = result->launches[best->launch].true_value();
        if (truth) value = *truth;
      }
    }
    values.push_back({{"problem", name_of(*study)}, {"true_value", std::move(value)}});
  }
  return values;
}

}  // namespace cubicbench::search
