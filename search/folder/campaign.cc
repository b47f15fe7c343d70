#include "search/folder/campaign.h"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "search/external/external_searcher.h"
#include "search/folder/finished_studies.h"
#include "search/folder/planned_search.h"
#include "search/folder/search_folder.h"
#include "search/journal/file_texts.h"
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

/// Words for those who read or run studies just now: threads cannot share them, and to begin anew
/// with each study would take longer than to read it.
class WordPool {
 public:
  template <class Use>
  auto lend(Use use) {
    const std::shared_ptr<ConfigWords> words = taken();
    auto result = use(words);
    const std::lock_guard lock(mutex_);
    free_.push_back(words);
    return result;
  }

 private:
  std::shared_ptr<ConfigWords> taken() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_shared<ConfigWords>();
    std::shared_ptr<ConfigWords> words = std::move(free_.back());
    free_.pop_back();
    return words;
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<ConfigWords>> free_;
};

/// What the files of a study say that has ended.
StudyRecord finished_record(const std::filesystem::path& folder, const std::string& study,
                            const StudyTexts& texts, const std::shared_ptr<ConfigWords>& words) {
  const std::filesystem::path journal = journal_of(folder, study);
  std::optional<StudyRecord> record = read_record_of(*texts.journal, journal, words);
  if (!record) throw no_header(journal);
  const std::filesystem::path truth = truth_of(folder, study);
  if (texts.truth) add_truth(*record, read_truth_of(*texts.truth, truth), truth.string());
  return *std::move(record);
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
    std::optional<StudyRecord> record{};
    std::optional<StudyHashes> finished{};  ///< of its files, once it has ended
    std::string failure{};                  ///< of its client
  };

  /// The first study that cannot go on stops the others, unless it was its client's doing.
  Played play(const PlannedStudy& study, const SearchFolder& folder,
              const FinishedStudies& earlier) {
    try {
      folder.require_held();
      const std::string name = study_name(study.spec);
      if (auto played = read(study, earlier.listed(name))) return *std::move(played);
      Played played = run(study, folder);
      if (!stopped()) {
        played.finished = hashes_of(run_.out, name);
        folder.require_held();  // so that these are the files of this folder
      }
      return played;
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

  /// A study that is complete in its files: nothing unless they are those that are listed.
  std::optional<Played> read(const PlannedStudy& study, const StudyHashes* listed) {
    if (listed == nullptr || listed->journal.empty()) return std::nullopt;
    const std::string name = study_name(study.spec);
    const StudyTexts texts = texts_of(run_.out, name);
    if (hashes_of(texts) != *listed) return std::nullopt;
    Played played = words_.lend([&](const std::shared_ptr<ConfigWords>& words) {
      StudyRecord record = finished_record(run_.out, name, texts, words);
      StudySummary summary = summary_of(study.spec, study.world->scenario->objective, record);
      return Played{
          .summary = std::move(summary), .record = std::move(record), .finished = *listed};
    });
    launches_done_ += static_cast<std::int64_t>(charged(*played.record));
    report_progress();
    return played;
  }

  /// Everything that was played, and for the next run what need not be played again.
  SearchResult collected(std::vector<Played>& played, const SearchFolder& folder) const {
    SearchResult result{.stopped = stopped()};
    std::map<std::string, StudyHashes> finished;
    std::string failures;
    for (Played& one : played) {
      if (!one.failure.empty()) failures += (failures.empty() ? "" : "\n") + one.failure;
      if (!one.summary) continue;
      if (one.finished) finished.emplace(one.summary->study, *std::move(one.finished));
      result.studies.push_back(*std::move(one.summary));
      result.records.push_back(*std::move(one.record));
    }
    if (!finished.empty()) {
      folder.require_held();
      list_finished(run_.out, finished);
    }
    if (!failures.empty() && !result.stopped) throw support::OutputError(failures);
    return result;
  }

  Played run(const PlannedStudy& study, const SearchFolder& folder) {
    const scenarios::Scenario& scenario = *study.world->scenario;
    OpenStudy open =
        planned_.open(study, folder.places_of(study_name(study.spec)), run_.sync, run_.note);
    const auto play = [&](Searcher& searcher) {
      return words_.lend([&](const std::shared_ptr<ConfigWords>& words) {
        open.log.keep_record(words);
        Played played{.summary = run_study(scenario, study.spec, searcher, *open.backend, open.log,
                                           control())};
        played.record = open.log.take_record();
        return played;
      });
    };
    if (!is_external(study.spec.searcher)) return play(*searcher_of(study.spec, scenario));
    const ClientCall call{.command = study.spec.searcher.command, .timeout = run_.client_timeout};
    ExternalSearcher searcher(scenario, study.spec, call, clients_,
                              proposals_in(open.log.recorded(), study.spec),
                              [this] { return stopped(); });
    Played played = play(searcher);
    if (!stopped() && !searcher.finish() && run_.note) {
      run_.note(study_name(study.spec) + ": the client did not exit within 10 s and was killed");
    }
    return played;
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
  WordPool words_;
  std::atomic<std::int64_t> launches_done_ = 0;
};

}  // namespace

SearchResult run_search(const SearchPlan& plan, const SearchRun& run) {
  return Search(plan, run).result();
}

}  // namespace cubicbench::search
