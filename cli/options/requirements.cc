#include "cli/options/requirements.h"

#include <nlohmann/json.hpp>

#include "cli/options/readers.h"
#include "scenarios/space/condition_tree.h"

namespace cubicbench::cli {

using scenarios::Requirement;

void declare_requirements(Options& options, const std::string& help,
                          std::vector<Requirement>& requirements) {
  const auto read = [](const std::string& text, const std::string& where) {
    try {
      return Requirement::parse(text);
    } catch (const scenarios::ConstraintError& error) {
      throw support::InputError(where, in_quotes(text) + ", " + error.what());
    }
  };
  options.values("--require", "EXPR", help, requirements, read);
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
