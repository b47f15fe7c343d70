#include "results/exports/launches_csv.h"

#include <optional>
#include <span>

#include "results/exports/exported_studies.h"
#include "search/finished/regret.h"
#include "search/finished/study_set.h"
#include "search/journal/journal.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using search::StudyLaunch;
using search::StudyResult;

std::string number(const std::optional<double>& value) {
  return value ? support::shortest(*value) : "";
}

std::vector<std::string> key_of(const StudyResult& study) {
  return {study.scenario, std::to_string(study.instance), study.searcher,
          std::to_string(study.seed)};
}

std::string record(const StudyResult& study, std::vector<std::string> fields) {
  std::vector<std::string> all = key_of(study);
  all.insert(all.end(), std::make_move_iterator(fields.begin()),
             std::make_move_iterator(fields.end()));
  return support::csv_record(all);
}

/// The values of a configuration as the journal has them: a study's are as `--set` takes them.
void add_launches(const StudyResult& study, const search::JournalFile& journal,
                  support::StreamedFile& file) {
  std::string text;
  for (std::size_t i = 0; i < study.launches.size(); ++i) {
    const StudyLaunch& launch = study.launches[i];
    const search::JournalLine& line = journal.lines[i];
    text +=
        record(study, {std::to_string(launch.trial), std::to_string(launch.attempt),
                       std::string(name_of(launch.state)), std::string(name_of(launch.reason)),
                       number(launch.value), number(launch.true_value()),
                       support::shortest(launch.cost_gpu_hours), support::shortest(line.started_h),
                       support::shortest(line.finished_h), std::to_string(launch.round),
                       support::shortest(launch.fidelity), search::config_object(line.config)});
  }
  file.add(text);
}

void add_study(const StudyResult& study, support::StreamedFile& file) {
  double hours = 0.0;
  for (const StudyLaunch& launch : study.launches) hours += launch.cost_gpu_hours;
  std::optional<double> measured;
  std::optional<double> true_value;
  std::string trial;
  const auto recommended = search::recommendations(study);
  if (!recommended.empty() && recommended.back()) {
    const StudyLaunch& launch = study.launches[recommended.back()->launch];
    measured = recommended.back()->measured;
    true_value = launch.true_value();
    trial = std::to_string(launch.trial);
  }
  file.add(record(study, {study.version, study.scenario_sha256, study.truth_sha256, study.telling,
                          study.start, std::to_string(study.slots), std::to_string(study.trials),
                          std::to_string(study.launches.size()), support::shortest(hours), trial,
                          number(measured), number(true_value)}));
}

constexpr const char* launch_header =
    "scenario,instance,searcher,seed,trial,attempt,state,reason,value,true_value,cost_gpu_hours,"
    "started_h,finished_h,round,fidelity,config\n";
constexpr const char* study_header =
    "scenario,instance,searcher,seed,version,scenario_sha256,truth_sha256,telling,start,slots,"
    "budget,launches,cost_gpu_hours,recommended_trial,measured,true_value\n";

}  // namespace

std::vector<std::string> write_csv_export(const fs::path& folder, const fs::path& out) {
  support::StreamedFile launches(out / "launches.csv");
  support::StreamedFile studies(out / "studies.csv");
  launches.add(launch_header);
  studies.add(study_header);
  for_each_study(folder, [&](const ExportedStudy& exported) {
    add_launches(exported.study, exported.journal, launches);
    add_study(exported.study, studies);
  });
  launches.keep();
  studies.keep();
  return {"launches.csv", "studies.csv"};
}

}  // namespace cubicbench::results
