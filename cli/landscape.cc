#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "cli/requests/sampled_scenario.h"
#include "cli/terminal/written_page.h"
#include "results/document/markdown.h"
#include "results/document/terminal.h"
#include "results/landscape/landscape_document.h"
#include "results/studies/study_commands.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

using results::AskedLandscape;
using support::InputError;
using Json = nlohmann::ordered_json;

/// What the command line asks for.
struct LandscapeAsked {
  std::vector<std::string> names;
  std::vector<std::string> sets;
  std::vector<scenarios::Scenario> scenarios;  ///< one a name
  std::uint64_t instance = 0;
  std::optional<std::string> salt;
  std::uint64_t rows = 20'000;
  std::vector<scenarios::Requirement> requirements;
  bool markdown = false;
  std::optional<std::filesystem::path> out;
  GlobalOptions global;
};

void read_scenarios(LandscapeAsked& asked) {
  Problems problems;
  for (const std::string& name : asked.names) {
    asked.scenarios.push_back(gathered(
        problems, [&] { return sampled_scenario(name, asked.sets, asked.salt, asked.instance); }));
  }
  support::throw_if_any(problems);
}

void declare_landscape(Options& options, LandscapeAsked& asked) {
  /// With fewer rows the shares and effects say nothing.
  constexpr Integer rows{100, 10'000'000};
  options.arguments("SCENARIO", "Names from the library, or paths with a '/'", asked.names)
      .required()
      .check([&asked] { read_scenarios(asked); });
  options.value("--rows", "N", "Configurations to draw (default: 20000)", asked.rows, rows);
  declare_instance(options, asked.instance);
  declare_salt(options, asked.salt);
  declare_set(options, "the baseline", asked.sets);
  declare_requirements(options,
                       "A condition on every landscape that --json prints, such\nas "
                       "'\"importance_max.main\" <= 0.5'; exit with 1 if it is\nfalse. May be "
                       "repeated",
                       asked.requirements);
  declare_page(options, asked.out);
  options.flag("--markdown", "Print tables in Markdown", asked.markdown).check([&asked] {
    if (asked.markdown && asked.global.json) {
      throw InputError("--markdown", "expected no --json beside it: one of them is printed");
    }
  });
}

/// The command that makes the page again.
std::string command_of(const LandscapeAsked& asked) {
  std::string command = "cubicbench landscape";
  for (const std::string& name : asked.names) command += " " + results::shell_word(name);
  command += " --rows " + std::to_string(asked.rows);
  if (asked.instance != 0) command += " --instance " + std::to_string(asked.instance);
  if (asked.salt) command += " --salt " + results::shell_word(*asked.salt);
  for (const std::string& set : asked.sets) command += " --set " + results::shell_word(set);
  return command + " --out DIR";
}

Reply answer(const LandscapeAsked& asked, const results::Screen& screen) {
  std::vector<AskedLandscape> landscapes;
  Json list = Json::array();
  std::vector<std::string> noes;
  for (std::size_t i = 0; i < asked.scenarios.size(); ++i) {
    const scenarios::Scenario& scenario = asked.scenarios[i];
    landscapes.push_back(
        {datasets::scenario_landscape(scenario, asked.instance, asked.rows, asked.global.threads),
         {.scenario = asked.names[i],
          .instance = asked.instance,
          .salt = asked.salt.value_or(""),
          .sets = asked.sets}});
    list.push_back(results::landscape_json(landscapes.back()));
    const std::string of = asked.scenarios.size() == 1 ? "" : " of " + scenario.name;
    for (std::string& no : noes_of(asked.requirements, list.back(), of)) {
      noes.push_back(std::move(no));
    }
  }
  const results::Document shown =
      landscape_document(landscapes, asked.out ? command_of(asked) : "");
  const std::string written = written_page(shown, asked.out);
  Json document = support::new_document("landscape");
  document["landscapes"] = list;
  Reply reply = asked.global.json ? support::document_text(document)
                : asked.markdown  ? results::markdown_text(shown)
                                  : results::terminal_text(shown, screen) + written;
  reply.noes = std::move(noes);
  return reply;
}

}  // namespace

Command landscape_command() { return command(words::landscape, declare_landscape, answer); }

}  // namespace cubicbench::cli
