#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/dataset_verbs.h"
#include "cli/options.h"
#include "cli/problems.h"
#include "datasets/problem/table_scenario.h"
#include "datasets/tables/measurement.h"
#include "results/studies/study_runs.h"
#include "results/studies/study_set.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::InputError;
using support::Problem;

/// The scenarios of the studies: those named on the command line, and those of the library that
/// have the names of the others.
std::vector<scenarios::Scenario> scenarios_of(const CLI::App& app, const results::StudySet& set) {
  std::vector<scenarios::Scenario> all;
  for (const std::string& name : values_of(app, "--scenario")) {
    all.push_back(datasets::read_scenario(name));
  }
  for (const results::StudyResult& study : set.studies) {
    if (std::ranges::find(all, study.scenario, &scenarios::Scenario::name) != all.end()) continue;
    try {
      all.push_back(datasets::read_scenario(study.scenario));
    } catch (const InputError&) {
      continue;  // runs_of() says which study lacks its scenario
    }
  }
  return all;
}

}  // namespace

std::string dataset_import(const CLI::App& app) {
  const GlobalOptions global = global_options(app);
  std::vector<fs::path> folders;
  for (const std::string& folder : values_of(app, "NAME")) folders.emplace_back(folder);
  std::vector<Problem> problems;
  if (folders.empty()) {
    problems.push_back({.where = "dataset import", .text = "expected the folder of a search"});
  }
  const fs::path out = gathered(problems, [&] { return csv_out_of(app); });
  support::throw_if_any(problems);
  const results::StudySet set = results::read_study_set(folders);
  const datasets::Measurements runs = results::runs_of(set, scenarios_of(app, set));
  make_folder(out.parent_path());
  support::write_file_atomic(out, datasets::measurements_csv(runs));
  if (!global.json) {
    std::string text;
    for (const std::string& note : set.notes) text += note + "\n";
    return text + out.string() + ": " + count_text(runs.rows.size(), "launch", "launches") +
           " of " + count_text(set.studies.size(), "study", "studies") + "\n";
  }
  Json document = support::new_document("dataset");
  document["name"] = out.stem().string();
  document["studies"] = set.studies.size();
  document["rows"] = runs.rows.size();
  document["notes"] = set.notes;
  document["files"] = {out.string()};
  return support::document_text(document);
}

}  // namespace cubicbench::cli
