#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/dataset/dataset_verb.h"
#include "datasets/problem/table_scenario.h"
#include "datasets/tables/measurement.h"
#include "results/document/number_text.h"
#include "search/finished/study_runs.h"
#include "search/finished/study_set.h"
#include "support/input_error.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::InputError;

/// The scenarios of the studies: those named on the command line, and those of the library that
/// have the names of the others.
std::vector<scenarios::Scenario> scenarios_of(const DatasetAsked& asked,
                                              const search::StudySet& set) {
  std::vector<scenarios::Scenario> all;
  for (const std::string& name : asked.scenarios) all.push_back(datasets::read_scenario(name));
  for (const search::StudyResult& study : set.studies) {
    if (std::ranges::find(all, study.scenario, &scenarios::Scenario::name) != all.end()) continue;
    try {
      all.push_back(datasets::read_scenario(study.scenario));
    } catch (const InputError&) {
      continue;  // runs_of() says which study lacks its scenario
    }
  }
  return all;
}

void declare_import(Options& options, DatasetAsked& asked) {
  options.values("--scenario", "FILE",
                 "import: a scenario of the searches that is not in\nthe library; may be repeated",
                 asked.scenarios);
}

void check_import(const DatasetAsked& asked) {
  if (asked.names.empty()) throw InputError("dataset import", "expected the folder of a search");
}

std::string answer_import(const DatasetAsked& asked, const results::Screen&) {
  const std::vector<fs::path> folders(asked.names.begin(), asked.names.end());
  const fs::path out = asked.out.value_or("");
  const search::StudySet set = search::read_study_set(folders);
  const datasets::Measurements runs = search::runs_of(set, scenarios_of(asked, set));
  write_output(out, datasets::measurements_csv(runs));
  if (!asked.global.json) {
    std::string text;
    for (const std::string& note : set.notes) text += note + "\n";
    return text + out.string() + ": " + results::counted(runs.rows.size(), "launch", "launches") +
           " of " + results::counted(set.studies.size(), "study", "studies") + "\n";
  }
  Json document = support::new_document("dataset");
  document["name"] = out.stem().string();
  document["studies"] = set.studies.size();
  document["rows"] = runs.rows.size();
  document["notes"] = set.notes;
  document["files"] = {out.string()};
  return support::document_text(document);
}

}  // namespace

DatasetVerb dataset_import() {
  return {.name = "import",
          .output = Output::file_with_folder,
          .declare = declare_import,
          .check_names = check_import,
          .check_out = require_csv_out,
          .answer = answer_import};
}

}  // namespace cubicbench::cli
