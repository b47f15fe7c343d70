#include "search/folder/campaign.h"

#include <array>
#include <cstddef>
#include <memory>
#include <set>
#include <utility>

#include "scenarios/problem/granted_baseline.h"
#include "search/backends/backend_factory.h"
#include "search/folder/finished_studies.h"
#include "search/folder/plan_json.h"
#include "search/folder/search_folder.h"
#include "search/journal/journal.h"
#include "search/journal/study_log.h"
#include "search/permuted/permuted_searcher.h"
#include "support/input_error.h"
#include "support/parallel.h"

namespace cubicbench::search {
namespace {

/// Refuses a plan of more studies than one search can hold. Requires one that check_plan lets pass.
void check_size(const SearchPlan& plan) {
  const std::array<std::int64_t, 4> counts{std::ssize(plan.scenarios), plan.instances,
                                           std::ssize(plan.searchers), plan.seeds};
  std::int64_t studies = 1;
  for (const std::int64_t count : counts) {
    studies = studies > studies_max / count ? studies_max + 1 : studies * count;
  }
  if (studies <= studies_max) return;
  const auto text = [&](std::size_t i) { return std::to_string(counts[i]); };
  throw support::InputError("--seeds, --instances",
                            "expected at most " + std::to_string(studies_max) + " studies, got " +
                                text(0) + " scenarios x " + text(1) + " instances x " + text(2) +
                                " searchers x " + text(3) + " seeds");
}

/// An instance that is searched. Each of its studies makes its own Instance: it has hundreds of
/// kilobytes, and there may be very many.
struct World {
  const scenarios::Scenario* scenario = nullptr;
  std::uint64_t number = 0;
  std::string truth_sha256;  ///< searched_sha256(); empty where trials really run
  std::string salt_sha256;   ///< of the plan; empty of instance 0, which is never sealed
};

struct PlannedStudy {
  const World* world = nullptr;
  StudySpec spec;
};

/// What one search shares among its studies.
class Search {
 public:
  Search(const SearchPlan& plan, const SearchRun& run)
      : plan_(plan), run_(run), backend_(parse_backend(plan.backend, "--backend")) {}

  SearchResult result() {
    make_worlds();
    if (stopped()) return {.stopped = true};  // some worlds are missing
    plan_studies();
    const SearchFolder folder(run_.out, plan_text(plan_, truths()), run_.resume);
    folder.require_only(names_);
    if (knows_truth(backend_)) folder.keep_truth();

    const FinishedStudies earlier(run_.out);
    report_progress();
    std::vector<Played> played(studies_.size());
    const int threads = is_repeatable(backend_) ? run_.threads : 1;
    support::parallel_for(studies_.size(), threads, [&](std::size_t i) {
      if (!stopped()) played[i] = play(studies_[i], earlier);
    });
    return collected(played);
  }

 private:
  bool stopped() const { return failed_.load() || (run_.stop != nullptr && run_.stop->load()); }

  void make_worlds() {
    const auto instances = static_cast<std::size_t>(plan_.instances);
    worlds_.resize(plan_.scenarios.size() * instances);
    support::parallel_for(worlds_.size(), run_.threads, [&](std::size_t i) {
      if (stopped()) return;
      World& world = worlds_[i];
      world.scenario = &plan_.scenarios[i / instances];
      world.number = i % instances;
      if (world.number > 0 || world.scenario->is_sealed_member) {
        world.salt_sha256 = plan_.salt_sha256;
      }
      world.truth_sha256 = searched_sha256(backend_, *world.scenario, world.number);
    });
  }

  void plan_studies() {
    std::int64_t number = 0;
    for (const World& world : worlds_) {
      for (const SearcherSpec& searcher : plan_.searchers) {
        for (std::int64_t seed = 0; seed < plan_.seeds; ++seed) {
          if (!has_study(plan_.shard, number++)) continue;
          studies_.push_back(planned(world, searcher, seed));
          names_.insert(study_name(studies_.back().spec));
          progress_.launches_total += studies_.back().spec.trials;
        }
      }
    }
  }

  PlannedStudy planned(const World& world, const SearcherSpec& searcher, std::int64_t seed) const {
    return {.world = &world,
            .spec = {.scenario = world.scenario->name,
                     .instance = static_cast<std::int64_t>(world.number),
                     .searcher = searcher,
                     .telling = plan_.telling,
                     .seed = seed,
                     .trials = budget_of(plan_, *world.scenario),
                     .slots = plan_.slots,
                     .backend = recorded_backend(plan_.backend),
                     .start = start_of(*world.scenario),
                     .permute = plan_.permute,
                     .salt_sha256 = world.salt_sha256}};
  }

  Start start_of(const scenarios::Scenario& scenario) const {
    const bool grants = plan_.start == Start::baseline && scenarios::granted_baseline(scenario);
    return grants ? Start::baseline : Start::none;
  }

  std::vector<std::vector<std::string>> truths() const {
    std::vector<std::vector<std::string>> truths(plan_.scenarios.size());
    for (std::size_t i = 0; i < worlds_.size(); ++i) {
      if (worlds_[i].truth_sha256.empty()) continue;
      truths[i / static_cast<std::size_t>(plan_.instances)].push_back(worlds_[i].truth_sha256);
    }
    return truths;
  }

  /// What came of a study in this run.
  struct Played {
    std::optional<StudySummary> summary{};
    bool finished = false;
  };

  /// The first study that cannot go on stops the others.
  Played play(const PlannedStudy& study, const FinishedStudies& earlier) {
    try {
      if (earlier.holds(study_name(study.spec))) return {.summary = read(study), .finished = true};
      StudySummary summary = run(study);
      return {.summary = std::move(summary), .finished = !stopped()};
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  /// Of a study that is complete in its files.
  StudySummary read(const PlannedStudy& study) {
    const JournalFile journal = read_journal(journal_of(run_.out, study_name(study.spec)));
    launches_done_ += std::ssize(journal.lines);
    report_progress();
    return summary_of(study.spec, study.world->scenario->objective, journal.lines);
  }

  /// Everything that was played, and for the next run what need not be played again.
  SearchResult collected(std::vector<Played>& played) const {
    SearchResult result{.stopped = stopped()};
    std::set<std::string> finished;
    for (Played& one : played) {
      if (!one.summary) continue;
      if (one.finished) finished.insert(one.summary->study);
      result.studies.push_back(std::move(*one.summary));
    }
    if (!finished.empty()) write_finished(run_.out, finished);
    return result;
  }

  StudySummary run(const PlannedStudy& study) {
    const StudySpec& spec = study.spec;
    const World& world = *study.world;
    const std::string name = study_name(spec);
    const std::filesystem::path journal = journal_of(run_.out, name);
    const std::unique_ptr<Backend> backend = make_backend(
        backend_, *world.scenario, world.number, journal, [this, &name](const std::string& text) {
          if (run_.note) run_.note(name + ": " + text);
        });
    const JournalHeader header = journal_header(spec, world.scenario->sha256, world.truth_sha256);
    StudyLog study_log(journal, header, run_.sync);
    if (knows_truth(backend_)) study_log.keep_truth(truth_of(run_.out, name), header, run_.sync);
    const std::unique_ptr<Searcher> searcher = searcher_of(spec, *world.scenario);
    return run_study(*world.scenario, spec, *searcher, *backend, study_log,
                     {.stopped = [this] { return stopped(); },
                      .launch_done =
                          [this] {
                            ++launches_done_;
                            report_progress();
                          },
                      .finish_running = !is_repeatable(backend_)});
  }

  void report_progress() const {
    if (!run_.progress) return;
    SearchProgress progress = progress_;
    progress.launches_done = launches_done_;
    run_.progress(progress);
  }

  const SearchPlan& plan_;
  const SearchRun& run_;
  BackendSpec backend_;
  std::vector<World> worlds_;
  std::vector<PlannedStudy> studies_;
  std::set<std::string> names_;
  SearchProgress progress_;  ///< the totals
  std::atomic<std::int64_t> launches_done_ = 0;
  std::atomic<bool> failed_ = false;
};

}  // namespace

SearchResult run_search(const SearchPlan& plan, const SearchRun& run) {
  check_plan(plan);
  check_size(plan);
  return Search(plan, run).result();
}

}  // namespace cubicbench::search
