#include "cli/requests/explanation_request.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "datasets/changes/plan_changes.h"
#include "datasets/problem/table_scenario.h"
#include "search/finished/best_configuration.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

constexpr std::string_view best_suffix = ":best";

/// Terms are those of closed forms; docs/event-engine.md has what the other engine says.
constexpr const char* event_note =
    "The scenario is judged by the event engine. What follows is by the analytical one, as with "
    "simulate --engine analytical.";

scenarios::Scenario scenario_of(const ExplanationAsked& asked,
                                const std::vector<std::string>& sets) {
  const auto seal = seal_of(asked.salt, asked.name, asked.instance);
  scenarios::Scenario scenario = datasets::read_scenario(asked.name, sets, seal);
  if (scenario.measured) {
    throw support::InputError(asked.name,
                              "expected a scenario with a model, got a table of runs: nothing is "
                              "simulated, so nothing can be explained");
  }
  scenario.seal = seal;
  return scenario;
}

bool is_field(const std::string& set) {
  return set.substr(0, set.find('=')).find('.') != std::string::npos;
}

/// "a=1,b=2" as two. Throws InputError where one of them is no NAME=VALUE.
std::vector<std::string> changes_of(const std::string& text) {
  std::vector<std::string> changes;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string one = text.substr(begin, end - begin);
    const std::size_t equals = one.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw support::InputError("--against",
                                "expected NAME=VALUE,... or FOLDER:best, got " + in_quotes(text));
    }
    changes.push_back(one);
    begin = end + 1;
  }
  return changes;
}

struct OtherAsked {
  std::vector<std::string> sets;
  std::vector<std::string> changes{};  ///< of these, what --against says
  std::string found{};
};

std::string_view name_of(std::string_view set) { return set.substr(0, set.find('=')); }

/// The problem as it was changed, and the configuration of the search in place of what was set.
OtherAsked best_of(const std::string& folder, const ExplanationAsked& asked,
                   const scenarios::Scenario& scenario) {
  const search::BestConfiguration best =
      search::best_configuration(std::filesystem::path(folder), scenario, asked.instance);
  OtherAsked other{.sets = {},
                   .found = "trial " + std::to_string(best.trial) + " of " + best.study};
  for (const std::string& set : asked.sets) {
    if (is_field(set)) other.sets.push_back(set);
  }
  for (const auto& [name, value] : best.config) other.sets.push_back(name + "=" + value);
  return other;
}

/// What was set, but for what --against sets otherwise.
OtherAsked changed(const ExplanationAsked& asked) {
  OtherAsked other{.sets = asked.sets, .changes = changes_of(asked.against)};
  for (const std::string& change : other.changes) {
    std::erase_if(other.sets,
                  [&](const std::string& set) { return name_of(set) == name_of(change); });
  }
  other.sets.insert(other.sets.end(), other.changes.begin(), other.changes.end());
  return other;
}

OtherAsked other_of(const ExplanationAsked& asked, const scenarios::Scenario& scenario) {
  if (!asked.against.ends_with(best_suffix)) return changed(asked);
  const std::string folder = asked.against.substr(0, asked.against.size() - best_suffix.size());
  return best_of(folder, asked, scenario);
}

constexpr std::string_view set_option = "--set ";

bool is_of_change(const support::Problem& problem, const std::vector<std::string>& changes) {
  return std::ranges::any_of(changes, [&](const std::string& change) {
    return problem.where == std::string(set_option) + change;
  });
}

/// Names --against in place of --set, and no option in front of what to type instead.
void say_against(support::Problem& problem) {
  problem.where.replace(0, set_option.size(), "--against ");
  const std::size_t advised = problem.text.find(set_option);
  if (advised != std::string::npos) problem.text.erase(advised, set_option.size());
}

/// Reads the problem of the other plan; what is wrong with it stands in --against, not in --set.
scenarios::Scenario other_scenario(const ExplanationAsked& asked, const OtherAsked& other) {
  try {
    scenarios::Scenario scenario = scenario_of(asked, other.sets);
    scenario.engine = scenarios::Engine::analytical;
    return scenario;
  } catch (const support::InputError& error) {
    std::vector<support::Problem> problems = error.problems();
    for (support::Problem& problem : problems) {
      if (is_of_change(problem, other.changes)) say_against(problem);
    }
    throw support::InputError(std::move(problems));
  }
}

/// Every change of one knob is simulated, listed and held in memory.
void check_changes(const scenarios::Scenario& scenario) {
  constexpr std::size_t changes_max = 100'000;
  const std::size_t count = datasets::PlanChanges(scenario.space, scenario.baseline).single_count();
  if (count <= changes_max) return;
  throw support::InputError(scenario.name,
                            "expected a space with at most " + std::to_string(changes_max) +
                                " values to change one knob to, got " + std::to_string(count));
}

}  // namespace

results::Explanation explanation(const ExplanationAsked& asked) {
  scenarios::Scenario scenario = scenario_of(asked, asked.sets);
  const bool played = scenario.engine == scenarios::Engine::event;
  scenario.engine = scenarios::Engine::analytical;
  check_changes(scenario);
  std::optional<results::OtherPlan> other;
  if (!asked.against.empty()) {
    const OtherAsked sets = other_of(asked, scenario);
    other = results::OtherPlan{
        .name = asked.against,
        .found = sets.found,
        .plan = results::explained_plan(other_scenario(asked, sets), sets.sets, asked.instance)};
  }
  results::Explanation answer =
      results::explain(scenario, asked.sets, asked.instance, asked.threads);
  answer.against = std::move(other);
  if (played) answer.note = event_note;
  return answer;
}

}  // namespace cubicbench::cli
