#include "results/comparison/compared_side.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "results/regret/study_end.h"
#include "results/score/suite_score.h"
#include "results/studies/study_commands.h"
#include "search/finished/charged_launches.h"
#include "search/finished/study_set.h"
#include "search/folder/finished_studies.h"
#include "search/folder/search_folder.h"
#include "search/searchers/registry.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/parallel.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using search::AskedScenario;
using search::AskedSearch;
using support::InputError;

/// The folder itself, or those in it that are searches.
std::vector<fs::path> searches_of(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error) || fs::exists(folder / "plan.json", error)) return {folder};
  std::vector<fs::path> searches;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (fs::exists(at->path() / "plan.json", error)) searches.push_back(at->path());
  }
  std::ranges::sort(searches);
  return searches.empty() ? std::vector{folder} : searches;
}

std::string chosen_searcher(const SideRequest& request, const AskedSearch& asked) {
  const std::string all = support::joined(asked.searchers, ", ");
  if (!request.searcher) {
    if (asked.searchers.size() == 1) return asked.searchers.front();
    throw InputError(request.folder.string(),
                     "expected --searcher, which of " + all + " is compared, got none");
  }
  if (std::ranges::find(asked.searchers, *request.searcher) == asked.searchers.end()) {
    throw InputError("--searcher", "expected one of " + all + ", the searchers of " +
                                       request.folder.string() + ", got \"" +
                                       support::shortened(*request.searcher) + "\"");
  }
  return *request.searcher;
}

/// A study of a plan.
struct SideStudy {
  std::size_t problem = 0;
  std::int64_t seed = 0;
  std::string name;
};

/// What a study came to, and its score after twelfths of the budget.
struct StudyOutcome {
  StudyNumbers numbers{};
  std::vector<double> curve = std::vector<double>(curve_points, -1.0);
};

StudyOutcome outcome_of(const search::StudyResult& study, const Yardstick& yardstick) {
  if (study.launches.empty()) return {};  // nothing is recommended
  const StudyEnd end = end_of(study, yardstick);
  if (!end.curve) {
    throw InputError(study.file, "expected a study whose recommendation has a known true value");
  }
  const StudyScore score = study_score(end, *yardstick.scale, gap_start(yardstick));
  StudyOutcome outcome{.numbers = {.score = score.last(),
                                   .best_found = score.last() + score.lost_to_noise,
                                   .failed_share = score.failed_share,
                                   .gpu_hours = score.gpu_hours.back()}};
  for (int point = 0; point < curve_points; ++point) {
    const auto launches = static_cast<std::size_t>(study.trials * (point + 1) / curve_points);
    const std::size_t at = std::clamp<std::size_t>(launches, 1, score.after.size());
    outcome.curve[static_cast<std::size_t>(point)] = score.after[at - 1];
  }
  return outcome;
}

/// The studies of one folder that are compared.
class SearchedSide {
 public:
  SearchedSide(const SideRequest& request, fs::path folder)
      : request_(request),
        folder_(std::move(folder)),
        asked_(search::asked_of(folder_)),
        searcher_(chosen_searcher(request, asked_)),
        finished_(folder_) {
    plan();
  }

  ComparedSide read(const GivenSpaces& given) {
    require_finished();
    for (std::size_t i = 0; i < problems_.size(); ++i) add_yardstick(i, given);
    std::vector<StudyOutcome> outcomes(studies_.size());
    support::parallel_for(studies_.size(), request_.threads, [&](std::size_t i) {
      const search::StudyResult study = read_one(studies_[i]);
      const bool spent = search::charged(study) >= static_cast<double>(study.trials);
      if (!spent && !finished_.holds(studies_[i].name)) {
        throw InputError(study.file, unfinished);
      }
      outcomes[i] = outcome_of(study, yardsticks_[studies_[i].problem]);
    });
    for (std::size_t i = 0; i < studies_.size(); ++i) add(studies_[i], outcomes[i]);
    return side();
  }

 private:
  static constexpr const char* unfinished =
      "expected a finished study, got one that goes on; the same search with --resume ends it";

  void plan() {
    for (const AskedScenario& scenario : asked_.scenarios) {
      for (std::int64_t i = 0; i < asked_.instances; ++i) {
        const std::int64_t instance = asked_.first_instance + i;
        const auto of_instance = static_cast<std::size_t>(i);
        ComparedProblem problem{.scenario = scenario.name,
                                .instance = instance,
                                .scenario_sha256 = scenario.sha256,
                                .trials = scenario.trials,
                                .curve = std::vector<double>(curve_points, 0.0)};
        if (of_instance < scenario.truth_sha256.size()) {
          problem.truth_sha256 = scenario.truth_sha256[of_instance];
        }
        for (std::int64_t s = 0; s < asked_.seeds; ++s) {
          const std::int64_t seed = asked_.first_seed + s;
          studies_.push_back({.problem = problems_.size(),
                              .seed = seed,
                              .name = scenario.name + "." + std::to_string(instance) + "." +
                                      search::searcher_slug(searcher_) + "." +
                                      std::to_string(seed)});
        }
        problems_.push_back(std::move(problem));
      }
    }
  }

  void require_finished() const {
    std::size_t missing = 0;
    for (const SideStudy& study : studies_) {
      std::error_code error;
      const fs::path journal = search::journal_of(folder_, study.name);
      if (!fs::exists(journal, error) || !search::has_header(journal)) ++missing;
    }
    if (missing == 0) return;
    const bool whole = is_whole(asked_.shard);
    throw InputError(folder_.string(),
                     "expected " + std::to_string(studies_.size()) + " finished studies of " +
                         searcher_ + ", got " + std::to_string(studies_.size() - missing) +
                         (whole ? "; the same search with --resume ends it"
                                : "; this is a shard, which merge puts together with the others"));
  }

  search::StudyResult read_one(const SideStudy& study) const {
    return search::read_study(search::journal_of(folder_, study.name), asked_);
  }

  void add_yardstick(std::size_t problem, const GivenSpaces& given) {
    const auto first = std::ranges::find(studies_, problem, &SideStudy::problem);
    const search::StudyResult study = read_one(*first);
    const KnownSpace known = known_space(given, {&study});
    Yardstick yardstick{.baseline = search::baseline_of(study).value};
    if (known.space) {
      if (!yardstick.baseline) yardstick.baseline = known.space->baseline.value;
      yardstick.scale = search::regret_scale(*known.space, study.objective.direction);
    }
    const std::string why = score_shortcoming(problem_name(study), yardstick);
    if (!why.empty()) {
      throw InputError(folder_.string(),
                       "expected problems with a score, got none: " + why + ". " + known.note);
    }
    yardsticks_.push_back(std::move(yardstick));
  }

  void add(const SideStudy& study, const StudyOutcome& outcome) {
    ComparedProblem& problem = problems_[study.problem];
    problem.seeds[study.seed] = outcome.numbers;
    for (std::size_t i = 0; i < problem.curve.size(); ++i) {
      problem.curve[i] += outcome.curve[i] / static_cast<double>(asked_.seeds);
    }
  }

  ComparedSide side() {
    const search::StudySet named{.folders = {{folder_, asked_}}, .studies = {}, .notes = {}};
    return {.name = request_.folder.string(),
            .version = asked_.version,
            .searcher = searcher_,
            .suite = asked_.suite,
            .start = asked_.start,
            .telling = asked_.telling,
            .slots = asked_.slots,
            .permute = asked_.permute,
            .is_warm = !asked_.warm_start.empty(),
            .command = support::joined(search_commands(named), "\n"),
            .problems = std::move(problems_)};
  }

  const SideRequest& request_;
  fs::path folder_;
  AskedSearch asked_;
  std::string searcher_;
  search::FinishedStudies finished_;
  std::vector<SideStudy> studies_;
  std::vector<ComparedProblem> problems_;
  std::vector<Yardstick> yardsticks_;
};

/// Adds the seeds of a problem that was searched in two folders, and weighs the curves.
void add_seeds(const ComparedProblem& more, const std::string& name, ComparedProblem& problem) {
  const auto before = static_cast<double>(problem.seeds.size());
  const auto added = static_cast<double>(more.seeds.size());
  for (const auto& [seed, numbers] : more.seeds) {
    if (problem.seeds.emplace(seed, numbers).second) continue;
    throw InputError(name, "expected each seed once, got seed " + std::to_string(seed) + " of " +
                               problem_name(problem) + " again");
  }
  for (std::size_t i = 0; i < problem.curve.size(); ++i) {
    problem.curve[i] = (before * problem.curve[i] + added * more.curve[i]) / (before + added);
  }
}

void check_same_search(const ComparedSide& side, const ComparedSide& more) {
  const auto same = [](const ComparedProblem& a, const ComparedProblem& b) {
    return a.scenario == b.scenario && a.instance == b.instance && a.trials == b.trials &&
           a.truth_sha256 == b.truth_sha256;
  };
  if (std::ranges::equal(side.problems, more.problems, same) && side.version == more.version &&
      side.start == more.start && side.telling == more.telling && side.slots == more.slots &&
      side.permute == more.permute && side.is_warm == more.is_warm) {
    return;
  }
  throw InputError(side.name, "expected searches that differ in their seeds alone, got others");
}

}  // namespace

std::vector<std::string> searchers_in(const fs::path& folder) {
  return search::asked_of(searches_of(folder).front()).searchers;
}

ComparedSide read_side(const SideRequest& request, const GivenSpaces& given) {
  std::optional<ComparedSide> side;
  for (const fs::path& folder : searches_of(request.folder)) {
    ComparedSide one = SearchedSide(request, folder).read(given);
    if (!side) {
      side = std::move(one);
      continue;
    }
    check_same_search(*side, one);
    for (std::size_t i = 0; i < side->problems.size(); ++i) {
      add_seeds(one.problems[i], request.folder.string(), side->problems[i]);
    }
  }
  return std::move(*side);
}

}  // namespace cubicbench::results
