#include "search/verification/verification.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "scenarios/readers/suite_reader.h"
#include "search/backends/backend_factory.h"
#include "search/folder/finished_studies.h"
#include "search/folder/plan_reader.h"
#include "search/folder/planned_search.h"
#include "search/folder/search_folder.h"
#include "search/ledger/run_study.h"
#include "search/permuted/permuted_searcher.h"
#include "search/verification/recorded_searcher.h"
#include "search/verification/stated_recommendation.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/canonical.h"
#include "support/json/json_difference.h"
#include "support/json/json_document.h"
#include "support/json/strict_json.h"
#include "support/parallel.h"
#include "support/permutation.h"
#include "support/scratch_folder.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using support::InputError;

constexpr std::uint64_t sample_key = 0x76'65'72'69;  // "veri"

std::string read_if_any(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error) ? support::read_file(file) : "";
}

/// The first line in which two files differ; nothing where they are equal.
struct DifferentLine {
  std::size_t number = 0;  ///< from 1
  std::string expected;    ///< "" beyond the end
  std::string found;
};

std::optional<DifferentLine> different_line(std::string_view expected, std::string_view found) {
  for (std::size_t number = 1; expected != found; ++number) {
    const std::string_view a = expected.substr(0, expected.find('\n') + 1);
    const std::string_view b = found.substr(0, found.find('\n') + 1);
    const bool ends = b.empty() && !found.empty();  // a last line without its end
    if (a != b || ends) return DifferentLine{number, std::string(a), std::string(ends ? found : b)};
    expected.remove_prefix(a.size());
    found.remove_prefix(b.size());
  }
  return std::nullopt;
}

std::optional<nlohmann::ordered_json> json_if_any(const std::string& line) {
  try {
    return support::parse_json(line, "");
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The trial of a line of a journal or a truth.
std::optional<std::int64_t> trial_of(const std::string& line) {
  const auto json = json_if_any(line);
  if (!json || !json->is_object()) return std::nullopt;
  const auto trial = json->find("trial");
  if (trial == json->end() || !trial->is_number_integer()) return std::nullopt;
  return trial->get<std::int64_t>();
}

std::string words_of(const DifferentLine& line) {
  if (line.found.empty()) return "expected another line, got the end";
  if (line.expected.empty()) return "expected the end, got another line";
  const auto expected = json_if_any(line.expected);
  const auto found = json_if_any(line.found);
  if (!expected || !found) return "expected a line of JSON, got damage";
  const auto all = support::differences(*expected, *found);
  if (all.empty()) return "expected the line byte for byte as written";
  return all.front().pointer.substr(std::min<std::size_t>(1, all.front().pointer.size())) + ": " +
         support::text_of(all.front());
}

bool is_inside(const SearcherSpec& searcher) {
  return !is_external(searcher) && !is_outside(searcher);
}

/// A search that is checked.
class VerifiedSearch {
 public:
  explicit VerifiedSearch(const VerificationRequest& request)
      : request_(request),
        asked_(read_asked_search(request.folder / "plan.json")),
        plan_(checked_plan()),
        planned_(plan_, request.threads, [] { return false; }),
        finished_(request.folder) {}

  Verification verify() {
    Verification result;
    check_plan_file(result);
    const auto& studies = planned_.studies();
    result.studies = std::ssize(studies);
    const std::vector<bool> chosen = sample(studies.size());
    std::vector<Checked> checked(studies.size());
    support::parallel_for(studies.size(), request_.threads, [&](std::size_t i) {
      if (!is_stopped()) checked[i] = check(studies[i], chosen[i]);
    });
    for (std::size_t i = 0; i < studies.size(); ++i) {
      result.launches += checked[i].launches;
      if (chosen[i]) {
        ++result.played;
        result.checked += checked[i].launches;
      }
      if (checked[i].difference) result.differences.push_back(*checked[i].difference);
    }
    return result;
  }

 private:
  struct Checked {
    std::int64_t launches = 0;
    std::optional<VerifiedDifference> difference{};
  };

  bool is_stopped() const { return request_.stop != nullptr && request_.stop->load(); }

  SearchPlan checked_plan() const {
    const std::string where = (request_.folder / "plan.json").string();
    if (asked_.version != support::own_version()) {
      throw InputError(where + "#/version", support::other_version(asked_.version));
    }
    if (!repeats_itself(asked_.backend)) {
      throw InputError(where + "#/backend",
                       "expected a search of a simulator or a table, got one of real jobs, which "
                       "nothing can repeat");
    }
    if (is_hashed_backend(asked_.backend)) {
      throw InputError(where + "#/backend",
                       "expected the folder of the search that was played, got its hash alone, as "
                       "it was named by an absolute path");
    }
    return read_plan(where, request_.seal);
  }

  /// The plan's own text, and the budgets of its suite.
  void check_plan_file(Verification& result) const {
    const fs::path path = request_.folder / "plan.json";
    const auto found = support::parse_json(support::read_file(path), path.string());
    const auto expected = support::parse_json(planned_.text(), "plan.json");
    for (const support::JsonDifference& difference : support::differences(expected, found)) {
      if (difference.pointer.find("truth_sha256") != std::string::npos) {
        throw InputError(
            path.string() + "#" + difference.pointer,
            support::text_of(difference) + ": the simulator of this version answers otherwise");
      }
      result.differences.push_back(
          {.study = "plan.json", .what = difference.pointer + ": " + support::text_of(difference)});
    }
    if (!plan_.suite.empty()) check_suite(result);
    if (!finished_.damage().empty()) {
      result.differences.push_back({.study = "finished.json", .what = finished_.damage()});
    }
  }

  void check_suite(Verification& result) const {
    for (const scenarios::SuiteProblem& problem : scenarios::read_suite(plan_.suite, "").problems) {
      for (const AskedScenario& scenario : asked_.scenarios) {
        if (scenario.name != problem.scenario || scenario.trials == problem.trials) continue;
        result.differences.push_back({.study = "plan.json",
                                      .what = scenario.name + ": expected the suite's budget of " +
                                              std::to_string(problem.trials) + " launches, got " +
                                              std::to_string(scenario.trials)});
      }
    }
  }

  std::vector<bool> sample(std::size_t count) const {
    if (!request_.sample || count == 0 || *request_.sample >= std::ssize(planned_.studies())) {
      return std::vector<bool>(count, true);
    }
    std::vector<bool> chosen(count, false);
    const support::Permutation order(count, sample_key);
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(*request_.sample); ++i) {
      chosen[static_cast<std::size_t>(order(i))] = true;
    }
    return chosen;
  }

  Checked check(const PlannedStudy& study, bool is_played) const {
    const std::string name = study_name(study.spec);
    const fs::path journal = journal_of(request_.folder, name);
    const auto differs = [&](std::string what) {
      return VerifiedDifference{.study = name, .what = std::move(what)};
    };
    std::error_code error;
    if (!fs::exists(journal, error)) return {.difference = differs("the journal is missing")};
    Checked checked;
    try {
      const JournalFile file = read_journal(journal);
      checked.launches = std::ssize(file.lines);
      if (is_played) checked.difference = play(study, file);
      if (!checked.difference && finished_.contradicts(name)) {
        checked.difference = differs("expected the files that finished.json has, got others");
      }
    } catch (const InputError& damage) {
      checked.difference = differs(damage.problems().front().text);
    } catch (const Refused& refused) {
      checked.difference = differs(refused.what());
    }
    return checked;
  }

  static bool is_spent(const PlannedStudy& study, const JournalFile& file) {
    return charged(file) >= static_cast<double>(study.spec.trials);
  }

  /// Is the study's own searcher asked for proposals? Of one that states what it recommends nothing
  /// else tells whether the line is missing.
  bool is_asked_again(const PlannedStudy& study, const JournalFile& file) const {
    if (!is_inside(study.spec.searcher)) return false;
    return request_.asks_again || !is_spent(study, file) ||
           states_recommendation(study.spec.searcher);
  }

  std::unique_ptr<Searcher> searcher_for(const PlannedStudy& study, JournalFile file) const {
    const scenarios::Scenario& scenario = *study.world->scenario;
    if (is_asked_again(study, file)) return searcher_of(study.spec, scenario);
    if (is_inside(study.spec.searcher)) file.recommended.reset();  // it never states one
    return std::make_unique<RecordedSearcher>(file, study.spec, scenario);
  }

  std::optional<VerifiedDifference> play(const PlannedStudy& study, const JournalFile& file) const {
    const support::ScratchFolder scratch;
    support::make_folders(scratch.path() / "journals");
    support::make_folders(scratch.path() / "truth");
    const scenarios::Scenario& scenario = *study.world->scenario;
    std::optional<std::string> refused;
    // A launch more than the journal has is a difference; nobody plays the rest of a budget for it.
    std::int64_t played = 0;
    const StudyControl control{
        .stopped = [&] { return is_stopped() || played > std::ssize(file.lines); },
        .launch_done = [&] { ++played; }};
    {
      OpenStudy open =
          planned_.open(study, places_of(scratch.path(), study_name(study.spec)), false, {});
      const std::unique_ptr<Searcher> searcher = searcher_for(study, file);
      try {
        run_study(scenario, study.spec, *searcher, *open.backend, open.log, control);
      } catch (const Refused& why) {
        refused = why.what();
      }
    }
    if (is_stopped()) return std::nullopt;
    const std::string name = study_name(study.spec);
    std::optional<VerifiedDifference> difference = compare(name, scratch.path());
    if (!difference && refused) difference = {.study = name, .what = *refused};
    if (!difference && ends_early(study, file)) {
      difference = {
          .study = name,
          .what = "expected " + std::to_string(study.spec.trials) +
                  " launches, or finished.json to say that the study ended by itself, got " +
                  support::shortest(charged(file))};
    }
    return difference;
  }

  /// Of a searcher that cannot be asked whether it ended by itself, the list of finished studies is
  /// all that says so.
  bool ends_early(const PlannedStudy& study, const JournalFile& file) const {
    return !is_spent(study, file) && !is_asked_again(study, file) &&
           !finished_.holds(study_name(study.spec));
  }

  /// What was played against what is there.
  std::optional<VerifiedDifference> compare(const std::string& name, const fs::path& played) const {
    for (const bool truth : {false, true}) {
      const auto path = truth ? truth_of : journal_of;
      const std::string expected = read_if_any(path(played, name));
      const std::string found = read_if_any(path(request_.folder, name));
      const auto line = different_line(expected, found);
      if (!line) continue;
      const std::string& known = line->found.empty() ? line->expected : line->found;
      return VerifiedDifference{.study = name,
                                .trial = trial_of(known),
                                .what = std::string(truth ? "truth" : "journal") + " line " +
                                        std::to_string(line->number) + ": " + words_of(*line)};
    }
    return std::nullopt;
  }

  const VerificationRequest& request_;
  AskedSearch asked_;
  SearchPlan plan_;
  PlannedSearch planned_;
  FinishedStudies finished_;
};

}  // namespace

Verification verify_search(const VerificationRequest& request) {
  std::error_code error;
  if (!fs::exists(request.folder / "plan.json", error)) {
    throw InputError(request.folder.string(),
                     "expected the folder of a search, got one without plan.json");
  }
  return VerifiedSearch(request).verify();
}

}  // namespace cubicbench::search
