#include "results/exports/iohprofiler.h"

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "results/exports/exported_studies.h"
#include "scenarios/problem/score.h"
#include "search/finished/charged_launches.h"
#include "search/searchers/registry.h"
#include "support/files.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using search::StudyLaunch;

/// Readers know by it which form the files have: that of IOHexperimenter from 0.3.3 on.
constexpr const char* format_version = "0.3.22";
constexpr const char* header = "evaluations raw_y measured cost_gpu_hours\n";

/// The rows of one run, and its entry in the JSON file; nothing of one that never succeeded.
struct ProfiledRun {
  std::string rows = header;
  Json entry{};
};

std::optional<ProfiledRun> run_of(const ExportedStudy& exported, const ExportedProblem& problem) {
  const search::StudyResult& study = exported.study;
  ProfiledRun run;
  std::optional<double> best;
  Json best_point;
  const std::vector<search::ChargedPlace> places = search::charged_places(study);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i].whole) continue;
    const std::size_t position = *places[i].whole;
    const StudyLaunch& launch = study.launches[position];
    const std::optional<double> worth = worth_of(launch);
    if (!worth || !launch.value) continue;
    run.rows += std::to_string(i + 1) + " " + support::shortest(*worth) + " " +
                support::shortest(*launch.value) + " " + support::shortest(launch.cost_gpu_hours) +
                "\n";
    if (best && score_of(study.objective, *worth) <= score_of(study.objective, *best)) continue;
    best = worth;
    best_point = {{"evals", i + 1},
                  {"y", *worth},
                  {"x", problem.positions(exported.journal.lines[position].config)}};
  }
  if (!best) return std::nullopt;
  run.entry = {{"instance", study.instance},
               {"evals", places.size()},
               {"best", std::move(best_point)},
               {"seed", study.seed}};
  return run;
}

Json json_of(const search::StudyResult& study, const ExportedSearch& search,
             const ExportedProblem& problem, const std::string& path, Json runs) {
  Json json{{"version", format_version},
            {"suite", search.asked.suite.empty() ? "cubicbench" : search.asked.suite},
            {"function_id", problem.number},
            {"function_name", study.scenario},
            {"maximization", study.objective.direction == scenarios::Direction::maximize},
            {"algorithm", {{"name", study.searcher}, {"info", "CubicBench " + study.version}}}};
  json["experiment_attributes"] = Json::array({{{"scenario_sha256", study.scenario_sha256}},
                                               {{"truth_sha256", study.truth_sha256}},
                                               {{"telling", study.telling}},
                                               {{"start", study.start}}});
  json["run_attributes"] = {"seed"};
  json["attributes"] = {"evaluations", "raw_y", "measured", "cost_gpu_hours"};
  json["scenarios"] = Json::array(
      {{{"dimension", problem.knobs.size()}, {"path", path}, {"runs", std::move(runs)}}});
  return json;
}

}  // namespace

std::vector<std::string> write_iohprofiler_export(const fs::path& folder, const fs::path& out) {
  const ExportedSearch search = exported_search(folder);
  std::vector<std::string> files;
  for (const auto& [of, journals] : search.runs) {
    const ExportedProblem& problem = search.problems.at(of.second);
    const std::string base = "f" + std::to_string(problem.number) + "_" + of.second;
    const std::string data = "data_" + base + "/IOHprofiler_f" + std::to_string(problem.number) +
                             "_DIM" + std::to_string(problem.knobs.size()) + ".dat";
    const fs::path searcher = search::searcher_slug(of.first);
    support::make_folders((out / searcher / data).parent_path());
    support::StreamedFile file(out / searcher / data);
    Json runs = Json::array();
    std::optional<search::StudyResult> any;
    for (const fs::path& journal : journals) {
      ExportedStudy exported = exported_study(journal, search.asked);
      std::optional<ProfiledRun> run = run_of(exported, problem);
      if (!run) continue;
      file.add(run->rows);
      runs.push_back(std::move(run->entry));
      exported.study.launches.clear();
      any = std::move(exported.study);
    }
    if (!any) continue;
    file.keep();
    const fs::path index = searcher / ("IOHprofiler_" + base + ".json");
    const std::string text = json_of(*any, search, problem, data, std::move(runs)).dump(2) + "\n";
    support::write_file_atomic(out / index, text);
    files.push_back(index.generic_string());
    files.push_back((searcher / data).generic_string());
  }
  return files;
}

}  // namespace cubicbench::results
