#include "cli/requirements.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/dataset_verbs.h"
#include "cli/options.h"
#include "scenarios/space/condition_tree.h"

namespace cubicbench::cli {

using scenarios::Requirement;

std::vector<Requirement> read_requirements(const CLI::App& app,
                                           std::vector<support::Problem>& problems) {
  std::vector<Requirement> requirements;
  for (const std::string& text : values_of(app, "--require")) {
    try {
      requirements.push_back(Requirement::parse(text));
    } catch (const scenarios::ConstraintError& error) {
      problems.push_back({"--require", in_quotes(text) + ", " + error.what()});
    }
  }
  return requirements;
}

std::vector<std::string> noes_of(const std::vector<Requirement>& requirements,
                                 const nlohmann::ordered_json& document, std::string_view of) {
  std::vector<std::string> noes;
  for (const Requirement& requirement : requirements) {
    if (requirement.holds(document)) continue;
    const std::string values = requirement.values_text(document);
    noes.push_back("--require: " + requirement.text() + " is false" + std::string(of) +
                   (values.empty() ? "" : ": " + values));
  }
  return noes;
}

}  // namespace cubicbench::cli
