#include "results/study_set.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <system_error>
#include <tuple>

#include "results/truth_lines.h"
#include "scenarios/input_error.h"
#include "scenarios/strict_json.h"
#include "search/journal.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using scenarios::InputError;
using scenarios::Problem;

/// A study and the file it came from, which is what messages name.
struct Read {
  StudyResult study;
  std::string file;
};

std::vector<fs::path> journals_of(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw InputError(folder.string(), "expected the folder of a search, got none");
  }
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder / "journals", error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".jsonl") {
      files.push_back(at->path());
    }
  }
  if (files.empty()) {
    throw InputError((folder / "journals").string(), "expected a journal (*.jsonl), got none");
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A JSON value as `--set` takes it: strings lose their quotes.
std::string set_text(const std::string& json) {
  return json.starts_with('"') ? scenarios::parse_json(json, "config").get<std::string>() : json;
}

StudyLaunch launch_of(const search::JournalLine& line) {
  StudyLaunch launch{.trial = line.trial,
                     .attempt = line.attempt,
                     .round = line.round,
                     .config = line.config,
                     .state = line.outcome.state,
                     .reason = line.outcome.reason,
                     .value = line.outcome.value,
                     .cost_gpu_hours = line.outcome.cost_gpu_hours,
                     .true_value = std::nullopt};
  for (auto& [name, value] : launch.config) {
    value = set_text(value);
  }
  return launch;
}

StudyResult study_of(const search::JournalFile& journal) {
  const search::JournalHeader& header = journal.header;
  StudyResult study{.version = header.version,
                    .scenario = header.scenario,
                    .scenario_sha256 = header.scenario_sha256,
                    .truth_sha256 = header.truth_sha256,
                    .instance = header.instance,
                    .searcher = header.searcher,
                    .seed = header.seed,
                    .trials = header.trials,
                    .slots = header.slots,
                    .telling = header.telling,
                    .backend = header.backend,
                    .launches = {}};
  for (const search::JournalLine& line : journal.lines) {
    study.launches.push_back(launch_of(line));
  }
  return study;
}

/// Puts noise-free values beside the launches that they belong to.
void add_truth(StudyResult& study, const TruthFile& truth, const std::string& file) {
  if (truth.truth_sha256 != study.truth_sha256) {
    throw InputError(file + ":1",
                     "expected the truth_sha256 of the journal of the same name, got "
                     "another");
  }
  std::map<std::pair<std::int64_t, std::int64_t>, std::optional<double>> values;
  for (const TruthLine& line : truth.lines) {
    values[{line.trial, line.attempt}] = line.value;
  }
  for (StudyLaunch& launch : study.launches) {
    if (const auto found = values.find({launch.trial, launch.attempt}); found != values.end()) {
      launch.true_value = found->second;
    }
  }
}

void add_study(const fs::path& journal, std::vector<Read>& reads, std::vector<std::string>& notes) {
  const search::JournalFile file = search::read_journal(journal);
  Read read{.study = study_of(file), .file = journal.string()};
  const fs::path truth = journal.parent_path().parent_path() / "truth" / journal.filename();
  if (std::error_code error; fs::exists(truth, error)) {
    add_truth(read.study, read_truth_lines(truth), truth.string());
  }
  if (const auto done = static_cast<std::int64_t>(read.study.launches.size());
      done < read.study.trials) {
    notes.push_back("Study " + name_of(read.study) + " has " + std::to_string(done) + " of " +
                    std::to_string(read.study.trials) +
                    " launches: it goes on, was stopped, or its searcher had no more to propose." +
                    (file.torn ? " A last line that was not written to its end is left out." : ""));
  }
  reads.push_back(std::move(read));
}

auto key_of(const StudyResult& study) {
  return std::tie(study.scenario, study.instance, study.searcher, study.seed);
}

/// Neighbours in sorted order that are the same study, or of one problem and different truths.
void check_agreement(const std::vector<Read>& reads, std::vector<Problem>& problems) {
  for (std::size_t i = 1; i < reads.size(); ++i) {
    const StudyResult& before = reads[i - 1].study;
    const StudyResult& study = reads[i].study;
    if (key_of(before) == key_of(study)) {
      problems.push_back({reads[i].file, "is the same study as " + reads[i - 1].file});
    } else if (before.scenario == study.scenario &&
               before.scenario_sha256 != study.scenario_sha256) {
      problems.push_back(
          {reads[i].file + ":1", "expected the scenario_sha256 of " + reads[i - 1].file +
                                     ", got another: the two scenarios called \"" +
                                     scenarios::shortened(study.scenario) + "\" differ"});
    } else if (before.scenario == study.scenario && before.instance == study.instance &&
               before.truth_sha256 != study.truth_sha256) {
      problems.push_back(
          {reads[i].file + ":1", "expected the truth_sha256 of " + reads[i - 1].file +
                                     ", got another: their results cannot be compared"});
    }
  }
}

}  // namespace

StudySet read_study_set(std::span<const fs::path> folders) {
  std::vector<Problem> problems;
  std::vector<Read> reads;
  StudySet set;
  const auto collect = [&](const auto& read) {
    try {
      read();
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  };
  for (const fs::path& folder : folders) {
    collect([&] {
      for (const fs::path& journal : journals_of(folder)) {
        collect([&] { add_study(journal, reads, set.notes); });
      }
    });
  }
  std::stable_sort(reads.begin(), reads.end(),
                   [](const Read& a, const Read& b) { return key_of(a.study) < key_of(b.study); });
  check_agreement(reads, problems);
  scenarios::throw_if_any(problems);
  for (Read& read : reads) {
    set.studies.push_back(std::move(read.study));
  }
  return set;
}

std::string name_of(const StudyResult& study) {
  return study.scenario + "." + std::to_string(study.instance) + "." + study.searcher + "." +
         std::to_string(study.seed);
}

Values values_of(const StudyResult& study) {
  Values values;
  values.reserve(study.launches.size());
  for (const StudyLaunch& launch : study.launches) {
    values.push_back(launch.value);
  }
  return values;
}

std::optional<std::size_t> best_launch(const StudyResult& study, scenarios::Direction direction) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < study.launches.size(); ++i) {
    const std::optional<double>& value = study.launches[i].value;
    if (value && (!best || better(*value, *study.launches[*best].value, direction))) {
      best = i;
    }
  }
  return best;
}

}  // namespace cubicbench::results
