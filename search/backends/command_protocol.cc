#include "search/backends/command_protocol.h"

#include <array>
#include <csignal>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "scenarios/space/setting.h"
#include "search/backends/launch.h"
#include "support/characters.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Reason;
using scenarios::TrialState;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int exit_invalid = 2;
constexpr int exit_killed = 128 + SIGKILL;

constexpr std::array<std::string_view, 2> states{"complete", "fail"};
constexpr std::array<Reason, 6> reasons{Reason::invalid, Reason::oom_init, Reason::oom_late,
                                        Reason::timeout, Reason::infra,    Reason::numeric};

/// "nan", "-Infinity": what a number is called that is none, in any case.
bool names_no_number(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  std::string lower(text);
  for (char& c : lower) c = support::lowered(c);
  return lower == "nan" || lower == "inf" || lower == "infinity";
}

/// The line with NaN, Infinity and -Infinity, which JSON has not, as strings.
std::string with_quoted_names(std::string_view line) {
  std::string text;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i + 1;
    if (in_string) {
      end += line[i] == '\\' && end < line.size() ? 1 : 0;
      in_string = line[i] != '"';
    } else if (line[i] == '"') {
      in_string = true;
    } else if (support::is_letter(line[i]) || line[i] == '-') {
      while (end < line.size() && support::is_letter(line[end])) ++end;
    }
    const std::string_view piece = line.substr(i, end - i);
    const bool quoted = !in_string && names_no_number(piece);
    text += quoted ? "\"" + std::string(piece) + "\"" : std::string(piece);
    i = end;
  }
  return text;
}

std::vector<std::pair<std::string, double>> read_metrics(support::ObjectReader& in) {
  std::vector<std::pair<std::string, double>> metrics;
  auto object = in.optional_object("metrics");
  if (!object) return metrics;
  for (const std::string& name : object->keys()) {
    if (object->has(name)) metrics.emplace_back(name, object->number(name, -infinity, infinity));
  }
  return metrics;
}

void read_complete(support::ObjectReader& in, Answer& answer) {
  if (in.has("reason")) in.problem("reason", "expected none of a complete trial");
  const Json* value = in.raw("value");
  if (value != nullptr && value->is_string() &&
      names_no_number(value->get_ref<const std::string&>())) {
    answer.not_a_number = true;
  } else {
    answer.outcome.value = in.number("value", -infinity, infinity);
  }
}

void read_fail(support::ObjectReader& in, Answer& answer) {
  if (in.has("value")) in.problem("value", "expected none of a failed trial");
  std::array<std::string_view, reasons.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = name_of(reasons[i]);
  answer.outcome.reason = reasons[in.one_of("reason", names)];
}

Reason reason_of_end(const ObservedJob& job, bool not_a_number) {
  const bool killed = job.exit_code == exit_killed || job.signal == SIGKILL;
  if (job.timed_out) return Reason::timeout;
  if (job.out_of_memory || killed) return job.reported_step ? Reason::oom_late : Reason::oom_init;
  if (not_a_number) return Reason::numeric;
  if (job.exit_code == exit_invalid) return Reason::invalid;
  return Reason::infra;
}

}  // namespace

std::string request_line(const scenarios::Scenario& scenario, const Launch& launch,
                         double time_limit_s) {
  Json config = Json::object();
  for (const auto& [setting, value] : scenario.space.to_assignment(launch.config)) {
    config[std::string(setting->name)] = scenarios::json_of(*setting, value);
  }
  sim::Plan plan;
  scenario.space.apply(launch.config, plan);
  const LaunchOptions options = launch_options(scenario, plan);
  Json request;
  request["protocol"] = 1;
  request["scenario"] = scenario.name;
  request["trial"] = launch.trial;
  request["attempt"] = launch.attempt;
  request["config"] = std::move(config);
  request["launch"] = {{"torchtitan", options.torchtitan},
                       {"megatron", options.megatron},
                       {"torchrun", options.torchrun}};
  request["time_limit_s"] = time_limit_s;
  return support::line_text(request);
}

Answer parse_answer(std::string_view line) {
  if (line.empty()) {
    throw support::InputError("answer", "expected a line of JSON on standard output, got none");
  }
  if (line.find('{') == std::string_view::npos) {
    throw support::InputError("answer", "expected a JSON object, got " + support::shortened(line));
  }
  const Json document = support::parse_json(with_quoted_names(line), "answer");
  std::vector<support::Problem> problems;
  support::ObjectReader in(document, "answer", "", problems);
  Answer answer;
  if (in.one_of("state", states) == 0) {
    read_complete(in, answer);
  } else {
    answer.outcome.state = TrialState::fail;
    read_fail(in, answer);
  }
  answer.outcome.metrics = read_metrics(in);
  if (in.has("cost_gpu_hours")) answer.cost_gpu_hours = in.number("cost_gpu_hours", 0.0, infinity);
  answer.message = in.string("message", "");
  support::throw_if_any(problems);
  return answer;
}

std::optional<Answer> read_answer(std::string_view line) {
  try {
    return parse_answer(line);
  } catch (const support::InputError&) {
    return std::nullopt;
  }
}

scenarios::TrialOutcome outcome_of(const ObservedJob& job, double hours, double gpus) {
  const std::optional<Answer> answer = read_answer(job.last_line);
  scenarios::TrialOutcome outcome;
  if (answer && !answer->not_a_number) {
    outcome = answer->outcome;
  } else {
    outcome.state = TrialState::fail;
    outcome.reason = reason_of_end(job, answer.has_value());
  }
  outcome.duration_h = hours;
  outcome.cost_gpu_hours =
      answer && answer->cost_gpu_hours ? *answer->cost_gpu_hours : gpus * hours;
  return outcome;
}

}  // namespace cubicbench::search
