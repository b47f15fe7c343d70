#include "search/folder/campaign.h"

#include <cstddef>
#include <memory>
#include <set>
#include <utility>

#include "search/external/external_searcher.h"
#include "search/folder/finished_studies.h"
#include "search/folder/planned_search.h"
#include "search/folder/search_folder.h"
#include "search/journal/journal.h"
#include "search/ledger/run_study.h"
#include "search/permuted/permuted_searcher.h"
#include "support/input_error.h"
#include "support/interruption.h"
#include "support/parallel.h"

namespace cubicbench::search {
namespace {

/// How many proposals an earlier run has recorded, the granted baseline not counted.
std::int64_t proposals_in(const RecordedStudy& recorded, const StudySpec& spec) {
  if (recorded.configs.empty()) return 0;
  return recorded.configs.rbegin()->first + (spec.start == Start::baseline ? 0 : 1);
}

/// What one search shares among its studies.
class Search {
 public:
  Search(const SearchPlan& plan, const SearchRun& run)
      : run_(run), planned_(plan, run.threads, [this] { return stopped(); }) {
    for (const PlannedStudy& study : studies()) progress_.launches_total += study.spec.trials;
  }

  SearchResult result() {
    if (stopped()) return {.stopped = true};  // some studies are missing
    SearchFolder folder(run_.out, planned_.text(), run_.resume);
    folder.require_only(planned_.names());
    if (knows_truth(planned_.backend())) folder.keep_truth();

    const FinishedStudies earlier(run_.out);
    report_progress();
    std::vector<Played> played(studies().size());
    const int threads = is_repeatable(planned_.backend()) ? run_.threads : 1;
    try {
      support::parallel_for(studies().size(), threads, [&](std::size_t i) {
        if (!stopped()) played[i] = play(studies()[i], folder, earlier);
      });
    } catch (const support::Interrupted&) {
      if (!stopped()) throw;  // else what has ended is kept
    }
    return collected(played, folder);
  }

 private:
  const std::vector<PlannedStudy>& studies() const { return planned_.studies(); }

  bool stopped() const { return failed_.load() || (run_.stop != nullptr && run_.stop->load()); }

  /// What came of a study in this run.
  struct Played {
    std::optional<StudySummary> summary{};
    bool finished = false;
    std::string failure{};  ///< of its client
  };

  /// The first study that cannot go on stops the others, unless it was its client's doing.
  Played play(const PlannedStudy& study, const SearchFolder& folder,
              const FinishedStudies& earlier) {
    try {
      folder.require_held();
      if (earlier.holds(study_name(study.spec))) return {.summary = read(study), .finished = true};
      StudySummary summary = run(study, folder);
      return {.summary = std::move(summary), .finished = !stopped()};
    } catch (const ClientFailed& failure) {
      return {.failure = study_name(study.spec) + ": " + failure.what()};
    } catch (const NotDeterministic& failure) {
      return {.failure = study_name(study.spec) + ": " + failure.what()};
    } catch (const Refused& refused) {
      return {.failure = study_name(study.spec) + ": " + refused.what()};
    } catch (const support::Interrupted&) {
      if (!stopped()) throw;
      return {};  // its journal is in order at any moment
    } catch (...) {
      failed_ = true;
      throw;
    }
  }

  /// Of a study that is complete in its files.
  StudySummary read(const PlannedStudy& study) {
    const JournalFile journal = read_journal(journal_of(run_.out, study_name(study.spec)));
    launches_done_ += static_cast<std::int64_t>(charged(journal));
    report_progress();
    return summary_of(study.spec, study.world->scenario->objective, journal.lines);
  }

  /// Everything that was played, and for the next run what need not be played again.
  SearchResult collected(std::vector<Played>& played, const SearchFolder& folder) const {
    SearchResult result{.stopped = stopped()};
    std::set<std::string> finished;
    std::string failures;
    for (Played& one : played) {
      if (!one.failure.empty()) failures += (failures.empty() ? "" : "\n") + one.failure;
      if (!one.summary) continue;
      if (one.finished) finished.insert(one.summary->study);
      result.studies.push_back(std::move(*one.summary));
    }
    if (!finished.empty()) {
      folder.require_held();
      write_finished(run_.out, finished);
    }
    if (!failures.empty() && !result.stopped) throw support::OutputError(failures);
    return result;
  }

  StudySummary run(const PlannedStudy& study, const SearchFolder& folder) {
    const scenarios::Scenario& scenario = *study.world->scenario;
    OpenStudy open =
        planned_.open(study, folder.places_of(study_name(study.spec)), run_.sync, run_.note);
    const auto play = [&](Searcher& searcher) {
      return run_study(scenario, study.spec, searcher, *open.backend, open.log, control());
    };
    if (!is_external(study.spec.searcher)) return play(*searcher_of(study.spec, scenario));
    const ClientCall call{.command = study.spec.searcher.command, .timeout = run_.client_timeout};
    ExternalSearcher searcher(scenario, study.spec, call, clients_,
                              proposals_in(open.log.recorded(), study.spec),
                              [this] { return stopped(); });
    StudySummary summary = play(searcher);
    if (!stopped() && !searcher.finish() && run_.note) {
      run_.note(study_name(study.spec) + ": the client did not exit within 10 s and was killed");
    }
    return summary;
  }

  StudyControl control() {
    return {.stopped = [this] { return stopped(); },
            .launch_done =
                [this] {
                  ++launches_done_;
                  report_progress();
                },
            .finish_running = ends_with_us(planned_.backend())};
  }

  void report_progress() const {
    if (!run_.progress) return;
    SearchProgress progress = progress_;
    progress.launches_done = launches_done_;
    run_.progress(progress);
  }

  const SearchRun& run_;
  std::atomic<bool> failed_ = false;
  PlannedSearch planned_;
  ClientPool clients_;
  SearchProgress progress_;  ///< the totals
  std::atomic<std::int64_t> launches_done_ = 0;
};

}  // namespace

SearchResult run_search(const SearchPlan& plan, const SearchRun& run) {
  return Search(plan, run).result();
}

}  // namespace cubicbench::search
