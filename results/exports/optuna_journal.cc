#include "results/exports/optuna_journal.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "results/exports/exported_studies.h"
#include "search/searchers/charge.h"
#include "support/files.h"
#include "support/joined.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using scenarios::TrialState;
using search::StudyLaunch;
using search::StudyResult;

/// Operations of the journal [optuna/storages/_journal/storage.py, JournalOperation].
constexpr int create_study = 0;
constexpr int set_study_user_attr = 2;
constexpr int create_trial = 4;

/// optuna.trial.TrialState. A short launch is a trial that ended before its last step: Optuna
/// leaves it out where it says which trial is best.
int state_code(const StudyLaunch& launch) {
  const bool is_short = launch.fidelity < search::whole_launch;
  switch (launch.state) {
    case TrialState::complete:
      return is_short ? 2 : 1;
    case TrialState::pruned:
      return 2;
    case TrialState::fail:
      break;
  }
  return 3;
}

std::string record(int operation, const std::string& fields) {
  return "{\"op_code\": " + std::to_string(operation) + ", \"worker_id\": \"cubicbench\", " +
         fields + "}\n";
}

/// A distribution is JSON in a string.
std::string distribution_text(const ExportedKnob& knob) {
  return support::json_string(
      "{\"name\": \"CategoricalDistribution\", \"attributes\": {\"choices\": [" +
      support::joined(knob.values, ", ") + "]}}");
}

using Attributes = std::vector<std::pair<std::string, std::string>>;

std::string object_text(const Attributes& attributes) {
  return "{" +
         support::joined(attributes, ", ",
                         [](const auto& attribute) {
                           return support::json_string(attribute.first) + ": " + attribute.second;
                         }) +
         "}";
}

Attributes attributes_of(const StudyLaunch& launch, const search::JournalLine& line) {
  Attributes attributes{{"trial", std::to_string(launch.trial)},
                        {"attempt", std::to_string(launch.attempt)},
                        {"round", std::to_string(launch.round)},
                        {"cost_gpu_hours", support::shortest(launch.cost_gpu_hours)}};
  if (launch.fidelity < search::whole_launch) {
    attributes.emplace_back("fidelity", support::shortest(launch.fidelity));
  }
  if (launch.reason != scenarios::Reason::none) {
    attributes.emplace_back("reason", support::json_string(name_of(launch.reason)));
  }
  if (const auto known = launch.true_value()) {
    attributes.emplace_back("true_value", support::shortest(*known));
  }
  for (const auto& [name, value] : line.outcome.metrics) {
    attributes.emplace_back(name, support::shortest(value));
  }
  return attributes;
}

/// Parameters and distributions of one trial: those of the knobs that are active.
std::string parameters_text(const ExportedProblem& problem, const search::ConfigText& config,
                            const std::vector<std::string>& distributions) {
  Attributes chosen;
  Attributes of;
  const std::vector<int> positions = problem.positions(config);
  for (std::size_t k = 0; k < positions.size(); ++k) {
    if (positions[k] < 0) continue;
    chosen.emplace_back(problem.knobs[k].name, std::to_string(positions[k]));
    of.emplace_back(problem.knobs[k].name, distributions[k]);
  }
  return "\"distributions\": " + object_text(of) + ", \"params\": " + object_text(chosen);
}

std::string trial_text(std::int64_t study, const StudyLaunch& launch,
                       const search::JournalLine& line, const std::string& parameters) {
  return record(create_trial,
                "\"study_id\": " + std::to_string(study) + ", \"datetime_start\": \"" +
                    clock_text(line.started_h) + "\", \"datetime_complete\": \"" +
                    clock_text(line.finished_h) +
                    "\", \"state\": " + std::to_string(state_code(launch)) +
                    ", \"value\": " + (launch.value ? support::shortest(*launch.value) : "null") +
                    ", \"values\": null, " + parameters +
                    ", \"user_attrs\": " + object_text(attributes_of(launch, line)) +
                    ", \"system_attrs\": {}, \"intermediate_values\": {}");
}

std::string study_text(std::int64_t number, const StudyResult& study, const std::string& name) {
  const bool grows = study.objective.direction == scenarios::Direction::maximize;
  std::string text = record(create_study, "\"study_name\": " + support::json_string(name) +
                                              ", \"directions\": [" + (grows ? "2" : "1") + "]");
  const auto add = [&](const char* key, const std::string& json) {
    text += record(set_study_user_attr, "\"study_id\": " + std::to_string(number) +
                                            ", \"user_attr\": {\"" + key + "\": " + json + "}");
  };
  add("scenario", support::json_string(study.scenario));
  add("instance", std::to_string(study.instance));
  add("searcher", support::json_string(study.searcher));
  add("seed", std::to_string(study.seed));
  add("metric", support::json_string(name_of(study.objective)));
  add("version", support::json_string(study.version));
  add("scenario_sha256", support::json_string(study.scenario_sha256));
  add("truth_sha256", support::json_string(study.truth_sha256));
  return text;
}

}  // namespace

std::vector<std::string> write_optuna_export(const fs::path& folder, const fs::path& out) {
  const ExportedSearch search = exported_search(folder);
  std::map<std::string, std::vector<std::string>> distributions;
  for (const auto& [name, problem] : search.problems) {
    for (const ExportedKnob& knob : problem.knobs) {
      distributions[name].push_back(distribution_text(knob));
    }
  }
  support::StreamedFile file(out / "optuna.log");
  std::int64_t number = 0;
  for_each_study(folder, [&](const ExportedStudy& exported) {
    const StudyResult& study = exported.study;
    const ExportedProblem& problem = search.problems.at(study.scenario);
    file.add(study_text(number, study, fs::path(study.file).stem().string()));
    for (std::size_t i = 0; i < study.launches.size(); ++i) {
      const search::JournalLine& line = exported.journal.lines[i];
      file.add(trial_text(number, study.launches[i], line,
                          parameters_text(problem, line.config, distributions[study.scenario])));
    }
    ++number;
  });
  file.keep();
  return {"optuna.log"};
}

}  // namespace cubicbench::results
