#include "search/wire/messages.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "scenarios/problem/granted_baseline.h"
#include "search/searchers/charge.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {

using Json = nlohmann::ordered_json;

namespace {

/// An integer where it is one, as it is while all launches are whole.
Json count_json(double launches) {
  const auto whole = static_cast<std::int64_t>(launches);
  return static_cast<double>(whole) == launches ? Json(whole) : Json(launches);
}

}  // namespace

Json hello_message(const SeenProblem& problem, const StudySpec& spec, std::int64_t replay) {
  Json hello{{"type", "hello"},
             {"protocol", wire_protocol},
             {"space", problem.space_json()},
             {"objective", problem.objective_json()},
             {"budget", {{"trials", spec.trials}}},
             {"seed", spec.seed},
             {"slots", spec.slots},
             {"telling", name_of(spec.telling)},
             {"baseline", nullptr},
             {"replay", replay}};
  if (serves_fidelities(spec)) hello["fidelities"] = true;
  if (spec.start == Start::baseline) {
    hello["baseline"] = problem.config_json(*scenarios::granted_baseline(problem.scenario()));
  }
  return hello;
}

Json told_json(const SeenProblem& problem, const ToldTrial& told) {
  const bool maximised = problem.scenario().objective.direction == scenarios::Direction::maximize;
  const auto or_null = [](const std::optional<double>& value) {
    return value ? Json(*value) : Json();
  };
  const std::optional<double> value =
      told.score && !maximised ? std::optional(-*told.score) : told.score;
  const std::string_view reason = scenarios::name_of(told.reason);
  Json json;  // an initialiser list would copy every member twice
  json["trial"] = told.trial;
  json["config"] = problem.config_json(told.config);
  json["state"] = scenarios::name_of(told.state);
  json["value"] = or_null(value);
  json["reason"] = reason.empty() ? Json() : Json(reason);
  json["over_bytes"] = or_null(told.over_bytes);
  json["peak_bytes"] = or_null(told.peak_bytes);
  json["cost_gpu_hours"] = told.cost_gpu_hours;
  if (told.fidelity < whole_launch) json["fidelity"] = told.fidelity;
  return json;
}

Json tell_message(const SeenProblem& problem, std::span<const ToldTrial> trials) {
  Json tell{{"type", "tell"}, {"trials", Json::array()}};
  for (const ToldTrial& told : trials) tell["trials"].push_back(told_json(problem, told));
  return tell;
}

Json budget_json(const Balance& balance) {
  return {{"launches", count_json(balance.launches)},
          {"launches_left", count_json(balance.launches_left)},
          {"trials", balance.trials},
          {"retries", balance.retries},
          {"repeats", balance.repeats},
          {"gpu_hours", balance.gpu_hours},
          {"gpu_hours_left", nullptr}};
}

Json read_message(std::string_view line) {
  Json message;
  try {
    message = support::parse_json(line, "message");
  } catch (const support::InputError& error) {
    throw Refused("A message is a line of JSON, got \"" + support::shortened(line) +
                  "\": " + error.problems().front().text + ".");
  }
  if (!message.is_object() || !message.contains("type") || !message["type"].is_string()) {
    throw Refused("A message is an object with a type, got \"" + support::shortened(line) + "\".");
  }
  return message;
}

bool serves_fidelities(const StudySpec& spec) { return spec.backend == "simulator"; }

double fidelity_in(const Json& json) {
  if (json.is_null()) return whole_launch;
  const double fidelity = json.is_number() ? json.get<double>() : 0.0;
  if (fidelity > 0.0 && fidelity <= whole_launch) return fidelity;
  throw Refused("A fidelity is a number above 0 and at most 1, got " + support::shown(json) + ".");
}

Json config_in(const Json& message) {
  const auto found = message.find("config");
  return found == message.end() ? Json() : *found;
}

}  // namespace cubicbench::search
