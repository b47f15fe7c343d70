#include "search/finished/study_set.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "scenarios/family/member_name.h"
#include "search/backends/backend_factory.h"
#include "search/finished/charged_launches.h"
#include "search/folder/search_folder.h"
#include "search/journal/truth_line.h"
#include "search/study/study.h"
#include "support/input_error.h"
#include "support/joined.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using support::InputError;
using support::Problem;

bool within(std::int64_t number, std::int64_t first, std::int64_t count) {
  return number >= first && number - first < count;
}

std::string warm_start_of(const StudyResult& study, const AskedSearch& asked) {
  const auto warm = asked.warm_start.of(study.scenario, study.instance);
  return warm ? warm->id() : "";
}

/// The scenario of `asked` that the study is of; nullptr when nothing of the kind was asked for.
const AskedScenario* scenario_of(const StudyResult& study, const AskedSearch& asked) {
  const bool here =
      within(study.instance, asked.first_instance, asked.instances) &&
      within(study.seed, asked.first_seed, asked.seeds) && study.slots == asked.slots &&
      study.telling == asked.telling && study.backend == asked.backend &&
      study.permute == asked.permute && study.warm_start == warm_start_of(study, asked) &&
      (study.start == asked.start || study.start == "none") &&
      study.salt_sha256 ==
          (scenarios::salt_seals(study.scenario, study.instance) ? asked.salt_sha256 : "") &&
      std::ranges::find(asked.searchers, study.searcher) != asked.searchers.end();
  const auto found = std::ranges::find_if(asked.scenarios, [&](const auto& scenario) {
    return scenario.name == study.scenario && scenario.sha256 == study.scenario_sha256 &&
           scenario.trials == study.trials;
  });
  return here && found != asked.scenarios.end() ? &*found : nullptr;
}

std::int64_t study_count(const AskedSearch& asked) {
  return std::ssize(asked.scenarios) * asked.instances * std::ssize(asked.searchers) * asked.seeds;
}

/// A study, whose journal is `file`, as one of those that were asked for.
StudyResult asked_study(StudyRecord record, const fs::path& file, const AskedSearch& asked) {
  StudyResult study{{std::move(record)}};
  study.series = study.searcher;
  study.file = file.string();
  const AskedScenario* const scenario = scenario_of(study, asked);
  if (scenario == nullptr) {
    throw InputError(study.file + ":1", "expected a study of plan.json, got another one");
  }
  study.objective = scenario->objective;
  return study;
}

/// The studies of one folder, but for those that were ended before their journal had a header; what
/// is wrong gathers in `problems`.
std::vector<StudyResult> read_journals(const fs::path& folder, const AskedSearch& asked,
                                       const std::shared_ptr<ConfigWords>& words,
                                       std::vector<Problem>& problems) {
  std::vector<StudyResult> studies;
  if (has_no_study(asked.shard, study_count(asked))) return studies;
  for (const fs::path& journal : journals_of(folder)) {
    support::gathered(problems, [&] {
      if (auto study = read_begun_study(journal, asked, words)) {
        studies.push_back(*std::move(study));
      }
    });
  }
  return studies;
}

void add_notes(const AskedSearch& asked, const std::vector<StudyResult>& studies,
               std::vector<std::string>& notes) {
  std::ranges::move(unfinished_notes(asked, studies), std::back_inserter(notes));
  for (const StudyResult& study : studies) {
    if (!study.torn) continue;
    notes.push_back("Of " + name_of(study) +
                    " a last line that was not written to its end is left out.");
  }
}

auto key_of(const StudyResult& study) {
  return std::tie(study.scenario, study.instance, study.salt_sha256, study.searcher, study.telling,
                  study.slots, study.trials, study.backend, study.start, study.permute,
                  study.warm_start, study.seed);
}

/// Neighbours in sorted order that are the same study, or of one problem and different truths.
void check_agreement(const std::vector<StudyResult>& studies, std::vector<Problem>& problems) {
  for (std::size_t i = 1; i < studies.size(); ++i) {
    const StudyResult& before = studies[i - 1];
    const StudyResult& study = studies[i];
    if (key_of(before) == key_of(study)) {
      problems.push_back(
          {study.file, "is the same study as " + before.file +
                           ": scenario, instance, searcher, seed, launches, slots, telling, "
                           "backend, --start, --permute and --warm-start are equal"});
    } else if (before.scenario == study.scenario &&
               before.scenario_sha256 != study.scenario_sha256) {
      problems.push_back({study.file + ":1", "expected the scenario_sha256 of " + before.file +
                                                 ", got another: the two scenarios called \"" +
                                                 support::shortened(study.scenario) + "\" differ"});
    } else if (before.scenario == study.scenario && before.instance == study.instance &&
               before.truth_sha256 != study.truth_sha256) {
      problems.push_back({study.file + ":1", "expected the truth_sha256 of " + before.file +
                                                 ", got another: their results cannot be "
                                                 "compared"});
    }
  }
}

/// What studies of one searcher on one scenario differ in, of what tells series apart.
struct SeriesDifferences {
  const StudyResult* first = nullptr;
  bool trials = false;
  bool slots = false;
  bool telling = false;
  bool backend = false;
  bool start = false;
  bool permute = false;
  bool warm_start = false;

  void see(const StudyResult& study) {
    if (first == nullptr) first = &study;
    trials = trials || study.trials != first->trials;
    slots = slots || study.slots != first->slots;
    telling = telling || study.telling != first->telling;
    backend = backend || study.backend != first->backend;
    start = start || study.start != first->start;
    permute = permute || study.permute != first->permute;
    warm_start = warm_start || study.warm_start != first->warm_start;
  }
};

/// What of it a study is said to have.
std::vector<std::string> series_parts(const StudyResult& study, const SeriesDifferences& differs) {
  std::vector<std::string> parts;
  if (differs.trials) parts.push_back(std::to_string(study.trials) + " launches");
  if (differs.slots) parts.push_back("slots " + std::to_string(study.slots));
  if (differs.telling) parts.push_back("telling " + study.telling);
  if (differs.backend) parts.push_back(study.backend);
  if (differs.start) parts.push_back("start " + study.start);
  if (study.permute && differs.permute) parts.emplace_back("permuted");
  if (differs.warm_start) {
    parts.push_back(study.warm_start.empty() ? "cold start"
                                             : "warm start " + study.warm_start.substr(0, 8));
  }
  return parts;
}

/// Names the series: what differs between studies of one searcher on one scenario is said.
void name_series(std::vector<StudyResult>& studies) {
  std::map<std::pair<std::string_view, std::string_view>, SeriesDifferences> all;
  for (const StudyResult& study : studies) all[{study.scenario, study.searcher}].see(study);
  for (StudyResult& study : studies) {
    const auto parts = series_parts(study, all.at({study.scenario, study.searcher}));
    if (!parts.empty()) study.series = study.searcher + " (" + support::joined(parts, ", ") + ")";
  }
}

void put_in_order(StudySet& set, std::vector<Problem> problems) {
  std::ranges::stable_sort(set.studies, {}, key_of);
  check_agreement(set.studies, problems);
  support::throw_if_any(problems);
  name_series(set.studies);
}

}  // namespace

AskedSearch asked_of(const fs::path& folder) {
  if (std::error_code error; !fs::is_directory(folder, error)) {
    throw InputError(folder.string(), "expected the folder of a search, got none");
  }
  if (std::error_code error; !fs::exists(folder / "plan.json", error)) {
    throw InputError(folder.string(), "expected the folder of a search, got one without plan.json");
  }
  return read_asked_search(folder / "plan.json");
}

std::vector<fs::path> journals_of(const fs::path& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator at(folder / "journals", error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".jsonl") files.push_back(at->path());
  }
  if (files.empty()) {
    throw InputError((folder / "journals").string(), "expected a journal (*.jsonl), got none");
  }
  std::ranges::sort(files);
  return files;
}

std::optional<StudyResult> read_begun_study(const fs::path& journal, const AskedSearch& asked,
                                            const std::shared_ptr<ConfigWords>& words) {
  std::optional<StudyRecord> record = read_record(journal, words);
  if (!record) return std::nullopt;
  StudyResult study = asked_study(*std::move(record), journal, asked);
  const fs::path truth = journal.parent_path().parent_path() / "truth" / journal.filename();
  if (std::error_code error; fs::exists(truth, error)) {
    add_truth(study, read_truth(truth), truth.string());
  }
  return study;
}

StudyResult read_study(const fs::path& journal, const AskedSearch& asked) {
  auto study = read_begun_study(journal, asked, std::make_shared<ConfigWords>());
  if (!study) throw no_header(journal);
  return *std::move(study);
}

StudySet read_study_set(std::span<const fs::path> folders) {
  std::vector<Problem> problems;
  StudySet set;
  const auto words = std::make_shared<ConfigWords>();
  for (const fs::path& folder : folders) {
    support::gathered(problems, [&] {
      set.folders.push_back({folder, asked_of(folder)});
      const AskedSearch& asked = set.folders.back().asked;
      std::vector<StudyResult> here = read_journals(folder, asked, words, problems);
      add_notes(asked, here, set.notes);
      std::ranges::move(here, std::back_inserter(set.studies));
    });
  }
  put_in_order(set, std::move(problems));
  return set;
}

StudySet study_set_of(const fs::path& folder, std::vector<StudyRecord> records) {
  StudySet set;
  set.folders.push_back({folder, asked_of(folder)});
  const AskedSearch& asked = set.folders.front().asked;
  for (StudyRecord& record : records) {
    const fs::path journal = journal_of(folder, study_name(record));
    set.studies.push_back(asked_study(std::move(record), journal, asked));
  }
  add_notes(asked, set.studies, set.notes);
  put_in_order(set, {});
  return set;
}

std::vector<Studies> grouped_studies(const StudySet& set) {
  std::vector<Studies> groups;
  for (const StudyResult& study : set.studies) {
    if (groups.empty() || groups.back().front()->scenario != study.scenario ||
        groups.back().front()->instance != study.instance) {
      groups.emplace_back();
    }
    groups.back().push_back(&study);
  }
  return groups;
}

std::size_t longest(const Studies& studies) {
  std::size_t launches = 0;
  for (const StudyResult* const study : studies) {
    launches = std::max(launches, charged_places(*study).size());
  }
  return launches;
}

std::string problem_name(const StudyResult& study) {
  return study.instance == 0 ? study.scenario
                             : study.scenario + ", instance " + std::to_string(study.instance);
}

bool is_real(const StudyResult& study) { return study.truth_sha256.empty() || is_table(study); }

bool is_replay(const StudyResult& study) { return plays_search(study.backend); }

bool is_table(const StudyResult& study) { return study.backend == "table"; }

std::string name_of(const StudyResult& study) {
  return study.scenario + "." + std::to_string(study.instance) + "." + study.searcher + "." +
         std::to_string(study.seed);
}

}  // namespace cubicbench::search
