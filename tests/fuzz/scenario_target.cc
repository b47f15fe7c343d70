// An edited scenario: simulated, its knobs listed, searched.
#include "scenarios/embedded.h"
#include "tests/fuzz/checked_command.h"
#include "tests/fuzz/targets.h"

namespace cubicbench::fuzz {
namespace {

/// The scenarios that ship and have a model.
const std::vector<std::string>& shipped() {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> found;
    for (const auto& file : scenarios::embedded_files()) {
      if (file.path.starts_with("library/") && file.text.find("\"table\":") == std::string::npos) {
        found.emplace_back(file.text);
      }
    }
    return found;
  }();
  return texts;
}

Parts seed(std::size_t number) { return {shipped()[number]}; }

void run(const Parts& parts) {
  const std::filesystem::path folder = fresh_folder();
  const std::string file = folder / "scenario.json";
  write(file, parts[0]);
  if (checked({"simulate", file, "--json"}).code != 0) return;
  checked({"list", "parameters", file, "--json"});
  checked(
      {"search", file, "--searcher", "random", "--trials", "4", "--out", folder / "out", "--json"});
}

}  // namespace

Target scenario_target() {
  return {.name = "scenario",
          .forms = {Form::json},
          .seed = seed,
          .seeds = shipped().size(),
          .run = run};
}

}  // namespace cubicbench::fuzz
