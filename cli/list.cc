#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "datasets/problem/table_scenario.h"
#include "results/document/terminal.h"
#include "results/tables/knobs.h"
#include "results/tables/shelf.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

constexpr std::string_view settings = "settings";
constexpr std::string_view parameters = "parameters";

/// What people call them, too.
constexpr std::pair<std::string_view, std::string_view> synonyms[] = {
    {"models", "scenarios"},  {"problems", "scenarios"}, {"gpus", "devices"},
    {"clusters", "networks"}, {"knobs", settings},       {"frameworks", "stacks"},
    {"tables", "datasets"}};

/// Shelves, and the knobs.
std::vector<std::string_view> all_lists() {
  std::vector<std::string_view> all(results::shelves.begin(), results::shelves.end());
  all.insert(all.end(), {settings, parameters});
  return all;
}

std::string_view listed(const std::string& text, const std::string& where) {
  const std::vector<std::string_view> all = all_lists();
  const auto* const known =
      std::ranges::find(synonyms, text, &std::pair<std::string_view, std::string_view>::first);
  return all[choice(known == std::end(synonyms) ? text : std::string(known->second), all, where)];
}

struct ListAsked {
  std::string_view what = results::shelves.front();
  std::string scenario;
  GlobalOptions global;
};

void declare_list(Options& options, ListAsked& asked) {
  options
      .argument(
          "WHAT",
          "scenarios (unless said otherwise), families, suites,\nsearchers, predictors, devices, "
          "networks, stacks,\ndatasets, settings, or parameters of a SCENARIO",
          asked.what, listed)
      .offers(all_lists());
  options.argument("SCENARIO", "Name from the library, or a path with a '/'", asked.scenario)
      .required(
          "expected a SCENARIO, as in cubicbench list parameters llama3-405b",
          [&asked] { return asked.what == parameters; }, "list parameters")
      .check([&asked] {
        if (asked.what == parameters || asked.scenario.empty()) return;
        throw support::InputError(asked.scenario,
                                  "expected nothing after \"" + std::string(asked.what) + "\"");
      });
}

Reply answer(const ListAsked& asked, const results::Screen& screen) {
  const auto reply = [&](const auto& json, const auto& document) -> Reply {
    return asked.global.json ? support::document_text(json())
                             : results::terminal_text(document(), screen);
  };
  if (asked.what == settings) return reply(results::settings_json, results::settings_document);
  if (asked.what != parameters) {
    return reply([&] { return results::shelf_json(asked.what); },
                 [&] { return results::shelf_document(asked.what); });
  }
  const scenarios::Scenario scenario = datasets::read_scenario(asked.scenario);
  return reply([&] { return results::parameters_json(scenario); },
               [&] { return results::parameters_document(scenario); });
}

}  // namespace

Command list_command() { return command(words::list, declare_list, answer); }

}  // namespace cubicbench::cli
